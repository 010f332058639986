/* What is kept beside the open game: finished games, and how far the broker has followed. */
#include "journal_trial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { GAMES = 6, GAME_LENGTH = 5 };

static struct recording tape;

static int play(void **state)
{
    (void)state;
    for (unsigned game = 1; game <= GAMES; game++) {
        recording_add_game(&tape, game, GAME_LENGTH);
    }
    return 0;
}

static struct journal *open_journal(struct trial *test, uint32_t games_max, uint64_t bytes_max)
{
    const struct journal_limits limits = {.games_max = games_max, .bytes_max = bytes_max};
    struct journal *journal;

    assert_int_equal(
        journal_open(&journal, &test->disk, &limits, ignore_records, NULL, &test->report), 0);
    assert_string_equal(test->report.problem, "");
    assert_int_equal(test->report.unsure, 0);
    return journal;
}

static void prune(struct trial *test, uint32_t games_max, uint64_t bytes_max, uint32_t before)
{
    const struct journal_limits limits = {.games_max = games_max, .bytes_max = bytes_max};
    struct journal_loss loss = {0};

    assert_int_equal(journal_prune(&test->disk, &limits, before, GAMES, &loss), 0);
    assert_int_equal(loss.games, 0);
}

/* A journal that has nothing yet. */
static void with_journal(void (*run)(struct trial *test))
{
    struct trial test;

    trial_begin(&test, &tape);
    test.journal = open_journal(&test, 100, UINT64_MAX);
    run(&test);
    trial_end(&test);
}

#define JOURNAL_TEST(claim) TEST_OF(struct trial *test, claim, with_journal)

/* All games are played, and the last is still open. */
static void with_games(void (*run)(struct trial *test))
{
    struct trial test;

    trial_begin(&test, &tape);
    test.journal = open_journal(&test, 100, UINT64_MAX);
    assert_true(trial_run(&test));
    run(&test);
    trial_end(&test);
}

#define GAMES_TEST(claim) TEST_OF(struct trial *test, claim, with_games)

static void acknowledge(const struct trial *test, unsigned game, uint32_t seq)
{
    struct journal_mark mark = {.number = game, .seq = seq};

    snprintf(mark.game, sizeof mark.game, "game-%u", game);
    journal_acknowledge(test->journal, &mark);
}

static bool is_kept(const struct trial *test, const char *name)
{
    size_t size;

    return fake_disk_get(test->fake, name, &size) != NULL;
}

TEST_ALL(play, NULL)

GAMES_TEST(the_oldest_finished_games_go_when_there_are_too_many)
{
    assert_int_equal(fake_disk_count(test->fake, ".journal"), GAMES - 1);
    prune(test, 2, UINT64_MAX, GAMES);
    assert_int_equal(fake_disk_count(test->fake, ".journal"), 2);
    assert_true(is_kept(test, "game-4.journal"));
    assert_true(is_kept(test, "game-5.journal"));
}

/* It may be the open game under its second name, on the way to the next one. */
GAMES_TEST(no_game_goes_that_was_not_finished_when_the_pruning_began)
{
    prune(test, 0, 0, 4);
    assert_int_equal(fake_disk_count(test->fake, ".journal"), 2);
    assert_true(is_kept(test, "game-4.journal"));
    assert_true(is_kept(test, "game-5.journal"));
}

GAMES_TEST(lower_limits_hold_from_the_next_start)
{
    assert_int_equal(fake_disk_count(test->fake, ".journal"), GAMES - 1);
    acknowledge(test, GAMES, 1);
    journal_close(test->journal);
    test->journal = open_journal(test, 1, UINT64_MAX);
    assert_int_equal(fake_disk_count(test->fake, ".journal"), 1);
    assert_true(is_kept(test, "game-5.journal"));
}

GAMES_TEST(files_that_are_no_journals_are_left_alone)
{
    fake_disk_put(test->fake, "notes.journal", "dear diary", 10);
    fake_disk_put(test->fake, "notes.txt", "dear diary", 10);
    journal_close(test->journal);
    test->journal = open_journal(test, 0, 0);
    assert_int_equal(fake_disk_count(test->fake, ".journal"), 1);
    assert_true(is_kept(test, "notes.journal"));
    assert_true(is_kept(test, "notes.txt"));
}

GAMES_TEST(a_game_id_is_used_once_and_is_a_file_name)
{
    struct record record = tape.records[0];

    assert_int_equal(journal_append(test->journal, &record), -EEXIST); /* a finished game */
    memcpy(record.game, "game-6", sizeof "game-6");
    assert_int_equal(journal_append(test->journal, &record), -EEXIST); /* the open game */
    memcpy(record.game, "../etc", sizeof "../etc");
    assert_int_equal(journal_append(test->journal, &record), -EINVAL);
    record.game[0] = '\0';
    assert_int_equal(journal_append(test->journal, &record), -EINVAL);
}

JOURNAL_TEST(nothing_is_recorded_before_a_game_begins)
{
    assert_int_equal(journal_append(test->journal, &tape.records[1]), -ENOENT);
    assert_int_equal(journal_visit(test->journal, refuse_records, NULL), 0);
    assert_int_equal(fake_disk_count(test->fake, ""), 0);
}

GAMES_TEST(what_cannot_be_recorded_is_refused_and_costs_nothing)
{
    const struct record incomplete = {.input = {.kind = INPUT_AIM}};

    unsigned syncs = fake_disk_syncs(test->fake);
    assert_int_equal(journal_append(test->journal, &incomplete), -EINVAL);
    assert_int_equal(fake_disk_syncs(test->fake), syncs);
}

JOURNAL_TEST(an_append_is_one_sync)
{
    assert_int_equal(trial_append(test), 0);
    for (unsigned i = 1; i < GAME_LENGTH; i++) {
        unsigned syncs = fake_disk_syncs(test->fake);
        assert_int_equal(trial_append(test), 0);
        assert_int_equal(fake_disk_syncs(test->fake), syncs + 1);
    }
}

/*
 * The mark
 */

static void then_mark(const struct journal *journal, const char *game, uint32_t seq)
{
    assert_string_equal(journal_acknowledged(journal)->game, game);
    assert_int_equal(journal_acknowledged(journal)->seq, seq);
}

GAMES_TEST(the_mark_never_goes_back)
{
    acknowledge(test, 5, 9);
    acknowledge(test, 6, 3);
    acknowledge(test, 6, 2);
    acknowledge(test, 5, 10);
    then_mark(test->journal, "game-6", 3);
}

GAMES_TEST(the_mark_is_written_at_once_and_synced_by_whoever_may_wait)
{
    acknowledge(test, 6, 160);
    assert_false(journal_mark_is_safe(test->journal));
    assert_int_equal(journal_sync_mark(&test->disk), 0);
    journal_mark_synced(test->journal, journal_acknowledged(test->journal));
    assert_true(journal_mark_is_safe(test->journal));
    acknowledge(test, 6, 161);
    struct journal *survivor = open_journal(test, 100, UINT64_MAX); /* without a close */
    then_mark(survivor, "game-6", 161);
    journal_close(survivor);
    /* Closing syncs the mark; with the power gone it cannot. */
    const struct fake_faults cut = {.cut_at = 1};
    fake_disk_set_faults(test->fake, &cut);
    journal_close(test->journal);
    fake_disk_restart(test->fake, LOSE_ALL, 0);
    test->journal = open_journal(test, 100, UINT64_MAX);
    then_mark(test->journal, "game-6", 160);
}
