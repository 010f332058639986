/* The rope: its reading, its end, its button. */
#include "stage.h"

static void begin_moving(struct stage *stage)
{
    stage_begin(stage, "");
    say(stage, "new-game", "end-phase", "roll-move 2", "select red-1");
}

static void M4_the_reading_is_shown_with_what_is_left(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "rope 1.62");
    then_nothing_said(&stage);
    then_retained(&stage, "rope",
                  "{'knots':1.62,'piece':'red-1','left':2,'over':false,'counts':0,'invalid':0}");
    stage_end(&stage);
}

static void M5_a_rope_pulled_too_far_is_told_once_a_pull(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "rope 2.2");
    then_nothing_said(&stage);
    say(&stage, "rope 2.201");
    then_said(&stage, "event/rope-over 'piece':'red-1' 'knots':2.201 'left':2 'sensor':'rope.a'");
    then_retained(&stage, "rope", "'knots':2.201 'over':true");
    say(&stage, "rope 3");
    then_nothing_said(&stage);
    say(&stage, "rope 1", "rope 3");
    then_nothing_said(&stage);
    say(&stage, "select red-2", "rope 3");
    then_said(&stage, "event/rope-over 'piece':'red-2'");
    stage_end(&stage);
}

static void M5_what_fell_before_the_pull_is_told_before_it(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "toppled blue-1");
    then_nothing_said(&stage); /* it waits for others that fall with it */
    say(&stage, "rope 3");
    then_said(&stage, "event/disturbance 'pieces':['blue-1']", "event/rope-over 'piece':'red-1'");
    stage_end(&stage);
}

static void M5_a_move_without_knots_costs_the_reading(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "rope 1.1", "move red-1");
    then_said(&stage, "event/piece-moved 'piece':'red-1' 'knots':1.1 'cost':1 'left':1",
              "reply 'ok':true");
    say(&stage, "move red-1");
    then_said(&stage, "reply 'ok':false 'error':'missing-field' 'rule':'M5'");
    stage_end(&stage);
}

static void the_reading_is_zero_after_select_and_after_a_move(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    assert_int_equal(stage.fake.rope_zeroed, 2); /* the first time when the game began */
    say(&stage, "rope 1.1", "select red-2");
    assert_int_equal(stage.fake.rope_zeroed, 3);
    then_retained(&stage, "rope", "'knots':0 'piece':'red-2'");
    say(&stage, "rope 1.1", "move red-2");
    assert_int_equal(stage.fake.rope_zeroed, 4);
    then_retained(&stage, "rope", "'knots':0 'left':1");
    say(&stage, "rope 3.1", "move red-2");
    then_said(&stage, "reply 'ok':false 'error':'not-enough-points' 'rule':'M5'");
    assert_int_equal(stage.fake.rope_zeroed, 4); /* a refused move measures on */
    then_retained(&stage, "rope", "'knots':3.1");
    stage_end(&stage);
}

static void the_rope_button_confirms_the_move_of_the_chosen_ship(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "rope 1.9", "press");
    then_said(&stage, "event/piece-moved 'piece':'red-1' 'cost':2 'left':0 'sensor':'rope.button'",
              "reply {'id':null,'ok':true,");
    say(&stage, "press");
    then_said(&stage, "reply 'ok':false 'error':'missing-field'");
    stage_end(&stage);
}

static void the_rope_button_held_ends_the_step(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "hold");
    then_said(&stage, "event/phase-started 'phase':'combat' 'sensor':'rope.button'",
              "reply 'ok':true");
    stage_end(&stage);
}

static void a_ship_is_no_longer_shown_at_the_rope_when_the_step_is_over(void **state)
{
    struct stage stage;

    (void)state;
    begin_moving(&stage);
    say(&stage, "rope 1", "end-phase", "end-phase");
    then_retained(&stage, "rope", "'piece':null 'left':0 'over':false");
    stage_end(&stage);
}

static void a_rope_that_is_pulled_in_another_step_is_shown_and_no_more(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "rope 9");
    then_retained(&stage, "rope", "'knots':9 'piece':null 'left':0 'over':false");
    say(&stage, "anyway", "rope 9.5");
    then_nothing_said(&stage);
    then_retained(&stage, "rope", "'knots':9.5 'over':false");
    say(&stage, "press");
    then_said(&stage, "reply 'ok':false 'error':'not-in-phase'");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M4_the_reading_is_shown_with_what_is_left),
        cmocka_unit_test(M5_a_rope_pulled_too_far_is_told_once_a_pull),
        cmocka_unit_test(M5_what_fell_before_the_pull_is_told_before_it),
        cmocka_unit_test(M5_a_move_without_knots_costs_the_reading),
        cmocka_unit_test(the_reading_is_zero_after_select_and_after_a_move),
        cmocka_unit_test(the_rope_button_confirms_the_move_of_the_chosen_ship),
        cmocka_unit_test(the_rope_button_held_ends_the_step),
        cmocka_unit_test(a_ship_is_no_longer_shown_at_the_rope_when_the_step_is_over),
        cmocka_unit_test(a_rope_that_is_pulled_in_another_step_is_shown_and_no_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
