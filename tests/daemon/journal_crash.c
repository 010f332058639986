/* What was appended is there after every crash, and after every failure of the disk. */
#include "journal_trial.h"
#include "tests/support/sweep_step.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SOME_LOSSES = 4, /* different ways to lose some of what is not safe */
    FILL_BYTES = 3 * 16384,
    FILL_STEP_BYTES = 241,
    CAMPAIGN_ROUNDS = 300,
    CAMPAIGN_DISKS = 40,
};

/* Two games and the beginning of a third. */
static struct recording tape;

static int play(void **state)
{
    (void)state;
    recording_add_game(&tape, 11, 40);
    recording_add_game(&tape, 12, 25);
    recording_add_game(&tape, 13, 4);
    return 0;
}

/* The whole tape on a disk with these faults; how many operations that took. */
static unsigned run_with(const struct fake_faults *faults, struct trial *trial)
{
    trial_begin(trial, &tape);
    fake_disk_set_faults(trial->fake, faults);
    if (trial_open(trial)) {
        trial_run(trial);
    }
    return fake_disk_operations(trial->fake);
}

static void assert_goes_on(struct trial *trial)
{
    assert_true(trial_open(trial));
    assert_true(trial_run(trial));
    trial_restart(trial, LOSE_ALL, 0);
    assert_true(trial_open(trial));
    assert_int_equal(trial->safe, tape.count);
}

TEST_ALL(play, NULL)

TEST(nothing_is_lost_by_a_power_cut_at_any_operation)
{
    struct trial trial;
    unsigned operations = run_with(NULL, &trial);

    assert_int_equal(trial.safe, tape.count);
    trial_end(&trial);
    for (unsigned cut_at = 1; cut_at <= operations; cut_at += sweep_step(5)) {
        for (unsigned how = 0; how < LOSE_SOME + SOME_LOSSES; how++) {
            const struct fake_faults faults = {.cut_at = cut_at};
            run_with(&faults, &trial);
            trial.is_in_doubt = true;
            trial_restart(&trial, how < LOSE_SOME ? (enum fake_loss)how : LOSE_SOME, how);
            assert_goes_on(&trial);
            trial_end(&trial);
        }
    }
}

/* Tries again until it works, as the table does. */
static void run_stubbornly(struct trial *trial, unsigned tries)
{
    while (tries > 0 && !trial->journal) {
        trial_open(trial);
        tries--;
    }
    while (tries > 0 && !trial_run(trial)) {
        tries--;
    }
}

static void assert_recovers(const struct fake_faults *faults)
{
    struct trial trial;

    trial_begin(&trial, &tape);
    fake_disk_set_faults(trial.fake, faults);
    run_stubbornly(&trial, 10);
    assert_int_equal(trial.safe, tape.count);
    trial_restart(&trial, LOSE_ALL, 0);
    assert_true(trial_open(&trial));
    trial_end(&trial);
}

TEST(nothing_is_lost_by_a_failure_of_any_operation)
{
    static const int errors[] = {EIO, ENOSPC, EROFS};
    struct trial trial;
    unsigned operations = run_with(NULL, &trial);

    trial_end(&trial);
    for (unsigned fail_at = 1; fail_at <= operations; fail_at += sweep_step(5)) {
        for (unsigned way = 0; way < FAKE_LOSSES * 3; way++) {
            const struct fake_faults faults = {
                .fail_at = fail_at,
                .fail_count = 1 + way / FAKE_LOSSES,
                .fail_errno = errors[way % 3],
                .failed_sync = (enum fake_loss)(way % FAKE_LOSSES),
                .seed = way,
            };
            assert_recovers(&faults);
        }
    }
}

/* A journal that is about to begin the second game, on a disk that then fails so often. */
static void fail_to_change(struct trial *trial, unsigned records, const struct fake_faults *faults)
{
    trial_begin(trial, &tape);
    assert_true(trial_open(trial));
    while (trial->safe < records) {
        assert_int_equal(trial_append(trial), 0);
    }
    fake_disk_set_faults(trial->fake, faults);
}

static unsigned find_second_game(void)
{
    unsigned index = 1;

    while (tape.records[index].input.kind != INPUT_NEW_GAME) {
        index++;
    }
    return index;
}

TEST(the_old_game_goes_on_after_a_change_that_failed)
{
    unsigned second = find_second_game();
    struct trial trial;
    bool failed = true;

    for (unsigned fail_at = 1; failed; fail_at++) {
        failed = false;
        for (unsigned count = 1; count <= 4; count++) {
            const struct fake_faults faults = {
                .fail_at = fail_at, .fail_count = count, .fail_errno = EIO};
            fail_to_change(&trial, second - 2, &faults);
            if (journal_append(trial.journal, &tape.records[second])) {
                failed = true;
                for (unsigned tries = 0; tries < 5 && trial_append(&trial); tries++) {
                }
                assert_int_equal(trial.safe, second - 1);
                trial_restart(&trial, LOSE_ALL, 0);
                assert_true(trial_open(&trial));
            }
            trial_end(&trial);
        }
    }
}

TEST(a_change_that_failed_is_made_sure_of_by_the_next_start)
{
    unsigned second = find_second_game();
    struct trial trial;
    bool failed = true;

    for (unsigned fail_at = 1; failed; fail_at++) {
        failed = false;
        for (unsigned count = 1; count <= 4; count++) {
            const struct fake_faults faults = {
                .fail_at = fail_at, .fail_count = count, .fail_errno = EIO};
            fail_to_change(&trial, second, &faults);
            failed |= trial_append(&trial) != 0;
            trial_close(&trial); /* and the power stays on */
            fake_disk_set_faults(trial.fake, NULL);
            assert_true(trial_open(&trial));
            assert_int_equal(trial_append(&trial), 0);
            trial_restart(&trial, LOSE_ALL, 0);
            assert_true(trial_open(&trial));
            trial_end(&trial);
        }
    }
}

TEST(a_short_write_is_completed)
{
    struct trial trial;
    unsigned operations = run_with(NULL, &trial);

    trial_end(&trial);
    for (unsigned short_at = 1; short_at <= operations; short_at += sweep_step(3)) {
        const struct fake_faults faults = {.short_at = short_at};
        assert_recovers(&faults);
    }
}

TEST(a_refused_append_is_not_there_after_a_crash_if_it_could_be_cut)
{
    const struct fake_faults faults = {
        .fail_at = 2, .fail_errno = EIO, .failed_sync = LOSE_NOTHING};
    struct trial trial;

    trial_begin(&trial, &tape);
    assert_true(trial_open(&trial));
    assert_int_equal(trial_append(&trial), 0);
    assert_int_equal(trial_append(&trial), 0);
    fake_disk_set_faults(trial.fake, &faults); /* write, sync */
    assert_int_equal(trial_append(&trial), -EIO);
    trial.is_in_doubt = false;
    trial_restart(&trial, LOSE_ALL, 0);
    assert_true(trial_open(&trial));
    assert_int_equal(trial.report.torn_bytes, 0);
    trial_end(&trial);
}

TEST(a_full_disk_refuses_and_recovers_at_every_append)
{
    struct trial trial;

    for (unsigned full_at = 0; full_at < tape.count; full_at += sweep_step(3)) {
        trial_begin(&trial, &tape);
        assert_true(trial_open(&trial));
        while (trial.safe < full_at) {
            assert_int_equal(trial_append(&trial), 0);
        }
        const struct fake_faults full = {.capacity_bytes = 1};
        fake_disk_set_faults(trial.fake, &full);
        while (trial.safe < tape.count && trial_append(&trial) == 0) {
            /* the zeros at the end of the file are room for some more */
        }
        if (trial.safe < tape.count) {
            assert_int_equal(trial_append(&trial), -ENOSPC);
            assert_int_equal(trial_append(&trial), -ENOSPC);
        }
        fake_disk_set_faults(trial.fake, NULL);
        assert_true(trial_run(&trial));
        trial_restart(&trial, LOSE_ALL, 0);
        assert_true(trial_open(&trial));
        trial_end(&trial);
    }
}

TEST(a_disk_that_fills_at_any_byte_leaves_the_game_whole)
{
    struct trial trial;

    for (uint64_t bytes = 1; bytes < FILL_BYTES; bytes += sweep_step(5) * FILL_STEP_BYTES) {
        const struct fake_faults full = {.capacity_bytes = bytes};
        trial_begin(&trial, &tape);
        fake_disk_set_faults(trial.fake, &full);
        assert_true(trial_open(&trial));
        trial_run(&trial);
        trial_restart(&trial, LOSE_SOME, bytes);
        assert_goes_on(&trial);
        trial_end(&trial);
    }
}

/*
 * Everything at once, by chance
 */

static struct fake_faults any_faults(struct chance *chance)
{
    static const int errors[] = {EIO, ENOSPC, EROFS};

    return (struct fake_faults){
        .fail_at = chance_percent(chance, 60) ? chance_between(chance, 1, 40) : 0,
        .fail_count = chance_between(chance, 1, 6),
        .fail_errno = errors[chance_below(chance, 3)],
        .failed_sync = (enum fake_loss)chance_below(chance, FAKE_LOSSES),
        .short_at = chance_percent(chance, 20) ? chance_between(chance, 1, 40) : 0,
        .cut_at = chance_percent(chance, 40) ? chance_between(chance, 1, 60) : 0,
        .seed = chance_next(chance),
    };
}

static void live_through(struct trial *trial, struct chance *chance)
{
    struct fake_faults faults = any_faults(chance);

    fake_disk_set_faults(trial->fake, &faults);
    if (!trial_open(trial)) {
        trial_restart(trial, (enum fake_loss)chance_below(chance, FAKE_LOSSES),
                      chance_next(chance));
        return;
    }
    for (unsigned tries = chance_below(chance, 12); tries > 0; tries--) {
        if (trial->safe == tape.count || (trial_append(trial) && chance_percent(chance, 30))) {
            break;
        }
    }
    if (chance_percent(chance, 50) || fake_disk_is_off(trial->fake)) {
        trial_restart(trial, (enum fake_loss)chance_below(chance, FAKE_LOSSES),
                      chance_next(chance));
    } else {
        trial_close(trial);
        fake_disk_set_faults(trial->fake, NULL);
    }
}

TEST(nothing_is_lost_in_a_campaign_of_crashes_and_failures)
{
    const char *wish = getenv("SHIPAHOY_SEED");
    uint64_t first = wish ? strtoull(wish, NULL, 0) : 1;

    for (uint64_t seed = first; seed < first + CAMPAIGN_DISKS; seed += sweep_step(5)) {
        struct chance chance = {seed};
        struct trial trial;
        print_message("campaign with SHIPAHOY_SEED=%llu\n", (unsigned long long)seed);
        trial_begin(&trial, &tape);
        for (unsigned i = 0; i < CAMPAIGN_ROUNDS && trial.safe < tape.count; i++) {
            live_through(&trial, &chance);
        }
        assert_goes_on(&trial);
        trial_end(&trial);
    }
}
