/* A disk that is full, read-only or failing: refused, held, told, and made up for. */
#include "stage.h"

#include <errno.h>
#include <stdio.h>

enum { FOR_EVER = 1000000 };

static void break_disk(struct stage *stage, int error)
{
    const struct fake_faults faults = {
        .fail_at = 1, .fail_count = FOR_EVER, .fail_errno = error, .failed_sync = LOSE_ALL};

    fake_disk_set_faults(stage->fake.disk, &faults);
}

static void mend_disk(struct stage *stage)
{
    fake_disk_set_faults(stage->fake.disk, NULL);
}

/* Waits, and compares what is said meanwhile. */
static void wait_ms(struct stage *stage, unsigned ms)
{
    stage->seen = fake_bus_count(stage->fake.bus);
    fake_table_wait(&stage->fake, ms * UINT64_C(1000));
}

static void a_command_that_cannot_be_recorded_is_refused_and_the_fault_told(void **state)
{
    static const struct {
        int error;
        const char *told;
    } faults[] = {{ENOSPC, "space"}, {EIO, "error"}, {EROFS, "Read-only"}};
    struct stage stage;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        stage_begin(&stage, "");
        say(&stage, "new-game");
        break_disk(&stage, faults[i].error);
        say(&stage, "aim red-1");
        then_said(&stage, "reply 'ok':false 'error':'storage' 'rule':null");
        then_retained(&stage, "info", faults[i].told);
        then_retained(&stage, "state", "'seq':3 'shooter':null");
        assert_int_equal(table_game(stage.fake.table)->seq, 3);
        stage_end(&stage);
    }
}

static void the_same_id_may_be_tried_again_after_a_storage_fault(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    break_disk(&stage, EIO);
    then_has(fake_table_say(&stage.fake, "aim red-1", "a"), "'id':'a' 'error':'storage'");
    mend_disk(&stage);
    then_has(fake_table_say(&stage.fake, "aim red-1", "a"), "'id':'a' 'ok':true 'seq':4");
    then_has(fake_table_say(&stage.fake, "aim red-1", "a"), "'id':'a' 'ok':true 'seq':4");
    stage_end(&stage);
}

static void it_recovers_by_itself_when_the_disk_does(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    break_disk(&stage, ENOSPC);
    say(&stage, "aim red-1", "wait 5000");
    then_retained(&stage, "info", "space");
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    then_nothing_said(&stage);
    then_retained(&stage, "info", "'storage':null");
    assert_int_equal(table_deadline_us(stage.fake.table), 0);
    stage_end(&stage);
}

static void what_sensors_see_is_held_in_order_and_recorded_later(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    break_disk(&stage, EIO);
    say(&stage, "ball-left", "toppled blue-1", "hit blue-2", "wait 2000");
    then_nothing_said(&stage);
    then_retained(&stage, "state", "'seq':3");
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    then_said(&stage, "event/shot-fired 'seq':4 'at_us':1000000", "event/piece-toppled",
              "event/piece-captured", "event/shot-hit 'seq':7");
    then_retained(&stage, "info", "'storage':null");
    wait_ms(&stage, 1000);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

static void what_is_held_goes_before_the_next_command(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    break_disk(&stage, EIO);
    say(&stage, "ball-left", "toppled blue-1", "end-phase");
    then_said(&stage, "reply 'error':'storage'");
    mend_disk(&stage);
    say(&stage, "end-phase");
    then_said(&stage, "event/shot-fired 'seq':4", "event/piece-toppled", "event/piece-captured",
              "event/shot-over", "event/phase-started", "reply 'ok':true");
    stage_end(&stage);
}

/* S7: a piece that was held falls alone or with others, but before what people say next. */
static void a_knock_that_is_held_goes_before_the_next_command(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "end-phase");
    break_disk(&stage, EIO);
    say(&stage, "ball-left", "toppled blue-1", "toppled blue-2");
    then_nothing_said(&stage);
    mend_disk(&stage);
    say(&stage, "roll-move 2");
    then_said(&stage, "event/foul", "event/disturbance 'blue-1' 'blue-2'", "event/move-rolled",
              "reply 'ok':true");
    stage_end(&stage);
}

/* S3: however long the disk fails, a topple in the window belongs to the shot. */
static void what_is_held_goes_before_the_end_of_the_window(void **state)
{
    struct stage stage;

    (void)state;
    for (unsigned mended_ms = 1000; mended_ms < 9000; mended_ms += 370) {
        stage_begin(&stage, "");
        say(&stage, "new-game", "ball-left", "wait 700");
        break_disk(&stage, EIO);
        say(&stage, "toppled blue-1");
        fake_table_wait(&stage.fake, mended_ms * UINT64_C(1000));
        mend_disk(&stage);
        stage.seen = fake_bus_count(stage.fake.bus);
        fake_table_wait(&stage.fake, 5 * FAKE_SECOND_US);
        then_said(&stage, "event/piece-toppled 'rule':'S3'", "event/piece-captured",
                  "event/shot-over", "event/phase-started");
        stage_end(&stage);
    }
}

static void a_knock_is_held_as_one(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    break_disk(&stage, EIO);
    say(&stage, "toppled red-1", "toppled red-2", "wait 3000");
    then_nothing_said(&stage);
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    then_said(&stage, "event/disturbance 'pieces':['red-1','red-2']");
    then_retained(&stage, "info", "'storage':null");
    stage_end(&stage);
}

/* A disk that fails once: the knock is first all the same. */
static void a_knock_that_could_not_be_recorded_goes_before_what_comes_after_it(void **state)
{
    const struct fake_faults once = {.fail_at = 1, .fail_errno = EIO};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled red-1", "toppled red-2");
    fake_disk_set_faults(stage.fake.disk, &once);
    say(&stage, "ball-left");
    then_nothing_said(&stage);
    wait_ms(&stage, 1100);
    then_said(&stage, "event/disturbance 'pieces':['red-1','red-2']", "event/shot-fired");
    stage_end(&stage);
}

static void the_window_ends_when_the_disk_works_again(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "wait 1000");
    break_disk(&stage, ENOSPC);
    say(&stage, "wait 10000");
    then_nothing_said(&stage);
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

static void a_new_game_that_cannot_be_recorded_leaves_the_old_one(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "aim red-1");
    break_disk(&stage, ENOSPC);
    then_has(fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}"), "'error':'storage'");
    mend_disk(&stage);
    say(&stage, "undo");
    then_said(&stage, "event/undone 'from':4 'to':4", "reply 'ok':true 'seq':5");
    stage_end(&stage);
}

/*
 * A record whose sync failed may be read after a restart, and yet not be on the disk: nothing is
 * told of it until it is.
 */
static void nothing_is_told_after_a_start_before_it_is_safe(void **state)
{
    const struct fake_faults sync_fails = {
        .fail_at = 3, .fail_count = FOR_EVER, .fail_errno = EIO, .failed_sync = LOSE_ALL};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "wait 1100");               /* the mark is written */
    fake_disk_set_faults(stage.fake.disk, &sync_fails); /* open, write, sync */
    say(&stage, "aim red-1");
    then_said(&stage, "reply 'ok':false 'error':'storage'");
    fake_table_kill(&stage.fake);
    const struct fake_faults read_only = {
        .fail_at = 1, .fail_count = FOR_EVER, .fail_errno = EIO, .reads_go_well = true};
    fake_disk_set_faults(stage.fake.disk, &read_only);
    assert_int_equal(fake_table_start(&stage.fake), 0);
    assert_int_equal(table_game(stage.fake.table)->seq, 4);
    stage.seen = fake_bus_count(stage.fake.bus);
    fake_table_connect(&stage.fake);
    then_nothing_said(&stage);
    then_retained(&stage, "info", "error");
    then_retained(&stage, "state", "'seq':3");
    say(&stage, "history");
    then_said(&stage, "reply 'ok':false 'error':'storage'");
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    then_said(&stage, "event/aimed 'seq':4");
    then_retained(&stage, "state", "'seq':4");
    then_retained(&stage, "info", "'storage':null");
    stage_end(&stage);
}

static void too_much_to_hold_is_lost_and_the_game_goes_on(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    break_disk(&stage, EIO);
    for (unsigned i = 0; i < 300; i++) {
        fake_table_say(&stage.fake, "ball-left", "");
    }
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    assert_int_equal(table_game(stage.fake.table)->seq, 3 + 256);
    then_has(fake_table_say(&stage.fake, "end-phase", ""), "'ok':true");
    stage_end(&stage);
}

static void autostart_waits_for_the_disk(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    break_disk(&stage, ENOSPC);
    stage.fake.config.autostart = true;
    table_configured(stage.fake.table);
    say(&stage, "wait 5000");
    then_nothing_said(&stage);
    then_retained(&stage, "state", "'phase':'lobby'");
    then_retained(&stage, "ready", "'ready':true,'autostart':true");
    mend_disk(&stage);
    wait_ms(&stage, 1100);
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    then_retained(&stage, "ready", "'autostart':false");
    then_retained(&stage, "info", "'storage':null");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_that_cannot_be_recorded_is_refused_and_the_fault_told),
        cmocka_unit_test(the_same_id_may_be_tried_again_after_a_storage_fault),
        cmocka_unit_test(it_recovers_by_itself_when_the_disk_does),
        cmocka_unit_test(what_sensors_see_is_held_in_order_and_recorded_later),
        cmocka_unit_test(what_is_held_goes_before_the_next_command),
        cmocka_unit_test(a_knock_that_is_held_goes_before_the_next_command),
        cmocka_unit_test(what_is_held_goes_before_the_end_of_the_window),
        cmocka_unit_test(a_knock_is_held_as_one),
        cmocka_unit_test(a_knock_that_could_not_be_recorded_goes_before_what_comes_after_it),
        cmocka_unit_test(the_window_ends_when_the_disk_works_again),
        cmocka_unit_test(a_new_game_that_cannot_be_recorded_leaves_the_old_one),
        cmocka_unit_test(nothing_is_told_after_a_start_before_it_is_safe),
        cmocka_unit_test(too_much_to_hold_is_lost_and_the_game_goes_on),
        cmocka_unit_test(autostart_waits_for_the_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
