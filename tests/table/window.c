/* S9: the shot window ends by itself, also after an undo and after a restart. */
#include "stage.h"

/* The window of 3 s, and the time a tilt that began in it needs to be known. */
enum { WINDOW_MS = 3000, GRACE_MS = 250 };

static void wait_ms(struct stage *stage, unsigned ms)
{
    stage->seen = fake_bus_count(stage->fake.bus);
    fake_table_wait(&stage->fake, ms * UINT64_C(1000));
}

/* State and rope follow their events after a moment, and the acknowledged mark after a second. */
static void then_nothing_is_due(struct stage *stage)
{
    wait_ms(stage, 1001);
    assert_int_equal(table_deadline_us(stage->fake.table), 0);
}

static void S9_the_step_ends_when_no_tilt_of_the_window_can_come_any_more(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left");
    wait_ms(&stage, WINDOW_MS + GRACE_MS - 1);
    then_nothing_said(&stage);
    wait_ms(&stage, 1);
    then_said(&stage, "event/shot-over", "event/phase-started 'phase':'moving'");
    then_nothing_is_due(&stage);
    stage_end(&stage);
}

static void S9_the_window_is_as_long_as_configured(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[timing]\nshot_window_ms = 1000\ntilt_settle_ms = 50\n");
    say(&stage, "new-game", "fire");
    wait_ms(&stage, 1149);
    then_nothing_said(&stage);
    wait_ms(&stage, 1);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

static void S9_the_player_can_end_it_early_and_then_it_does_not_end_again(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "end-phase");
    then_said(&stage, "event/shot-over", "event/phase-started", "reply 'ok':true");
    then_nothing_is_due(&stage);
    stage_end(&stage);
}

static void the_window_is_open_again_after_the_undo_of_its_end(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "wait 1000", "end-phase", "undo");
    then_has(fake_bus_retained(stage.fake.bus, FAKE_BASE "state"),
             "'shot':'open' 'phase':'shooting'");
    wait_ms(&stage, WINDOW_MS - 1000 + GRACE_MS - 1);
    then_nothing_said(&stage);
    wait_ms(&stage, 1);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

static void a_window_that_was_over_long_ago_ends_at_once_after_an_undo(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "wait 1000", "end-phase", "wait 60000", "undo");
    then_said(&stage, "event/undone", "reply 'ok':true");
    wait_ms(&stage, 0);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

static void no_window_is_open_after_the_undo_of_the_shot(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "undo");
    then_nothing_is_due(&stage);
    then_retained(&stage, "state", "'shot':'none'");
    stage_end(&stage);
}

static void the_window_goes_on_after_a_restart(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "wait 1000", "toppled blue-1");
    stage_restart(&stage);
    wait_ms(&stage, WINDOW_MS - 1000 + GRACE_MS - 1);
    then_nothing_said(&stage);
    wait_ms(&stage, 1);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

/* The clock of the machine begins again, and the time of the table does not. */
static void the_window_goes_on_after_the_machine_has_restarted(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "wait 3600000", "new-game", "ball-left");
    fake_table_cut(&stage.fake, LOSE_ALL, 0);
    assert_int_equal(fake_table_start(&stage.fake), 0);
    fake_table_connect(&stage.fake);
    say(&stage, "wait 1000", "toppled blue-1");
    then_said(&stage, "event/piece-toppled 'rule':'S3'", "event/piece-captured");
    wait_ms(&stage, WINDOW_MS);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

static void a_window_that_was_over_long_ago_ends_at_once_after_a_restart(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "wait 1000", "end-phase", "wait 60000", "undo");
    fake_table_cut(&stage.fake, LOSE_ALL, 0);
    assert_int_equal(fake_table_start(&stage.fake), 0);
    fake_table_connect(&stage.fake);
    wait_ms(&stage, 0);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

/* A tilt is recorded with the time it began, and that may be before a command that came first. */
static void the_time_of_the_table_does_not_go_back_over_a_restart(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left");
    struct fact early = {.kind = FACT_TOPPLED, .at_us = stage.fake.now_us, .piece = PIECE_BLUE_1};
    say(&stage, "wait 2000", "topple blue-2");
    fake_table_fact(&stage.fake, &early);
    stage_restart(&stage);
    wait_ms(&stage, WINDOW_MS - 2000 + GRACE_MS);
    then_said(&stage, "event/shot-over", "event/phase-started");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(S9_the_step_ends_when_no_tilt_of_the_window_can_come_any_more),
        cmocka_unit_test(S9_the_window_is_as_long_as_configured),
        cmocka_unit_test(S9_the_player_can_end_it_early_and_then_it_does_not_end_again),
        cmocka_unit_test(the_window_is_open_again_after_the_undo_of_its_end),
        cmocka_unit_test(a_window_that_was_over_long_ago_ends_at_once_after_an_undo),
        cmocka_unit_test(no_window_is_open_after_the_undo_of_the_shot),
        cmocka_unit_test(the_window_goes_on_after_a_restart),
        cmocka_unit_test(the_window_goes_on_after_the_machine_has_restarted),
        cmocka_unit_test(a_window_that_was_over_long_ago_ends_at_once_after_a_restart),
        cmocka_unit_test(the_time_of_the_table_does_not_go_back_over_a_restart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
