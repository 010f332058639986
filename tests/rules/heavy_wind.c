/* HW: heavy wind. */
#include "tests/support/table.h"

static void HW1_ship_near_the_wind_goes_one_knot_further(void **state)
{
    given(state, "scenario heavy-wind", "phase moving", "die 2");
    when(state, "catch-wind red-1");
    then(state, "wind-caught piece=red-1 left=3 HW1");
    when(state, "move red-1 3");
    then(state, "piece-moved piece=red-1 knots=3 cost=3 left=0 M4");
}

static void HW1_bonus_is_for_that_ship_only(void **state)
{
    given(state, "scenario heavy-wind", "phase moving", "die 2");
    when(state, "catch-wind red-1", "move red-2 3");
    then(state, "refused not-enough-points M5");
    now(state, "red-1 may go 3", "red-2 may go 2");
}

static void HW1_ship_catches_the_wind_once_a_turn(void **state)
{
    given(state, "scenario heavy-wind", "phase moving", "die 2");
    when(state, "catch-wind red-1", "catch-wind red-1");
    then(state, "refused nothing-there HW1");
    when(state, "move red-1 3", "catch-wind red-1");
    then(state, "refused nothing-there HW1");
}

static void HW1_ship_catches_the_wind_again_in_its_next_turn(void **state)
{
    given(state, "players 2", "scenario heavy-wind", "red-1 caught wind", "phase moving");
    when(state, "end-phase", "end-phase", "end-phase", "end-phase", "end-phase", "end-phase",
         "catch-wind red-1");
    then(state, "wind-caught piece=red-1 left=1 HW1");
}

static void HW1_bonus_that_was_not_used_is_gone_with_the_turn(void **state)
{
    given(state, "players 2", "scenario heavy-wind", "red-1 caught wind", "phase moving");
    when(state, "end-phase", "end-phase", "end-phase", "end-phase", "end-phase", "end-phase",
         "roll-move 1", "move red-1 2");
    then(state, "refused not-enough-points M5");
}

static void HW1_house_decides_how_strong_the_wind_is(void **state)
{
    given(state, "scenario heavy-wind", "house wind_bonus=2", "phase moving", "die 1");
    when(state, "catch-wind red-1");
    then(state, "wind-caught piece=red-1 left=3 HW1");
    when(state, "move red-1 3");
    then(state, "piece-moved piece=red-1 knots=3 cost=3 left=0 M4");
}

static void HW2_wind_moves_for_one_point(void **state)
{
    given(state, "scenario heavy-wind", "phase moving", "die 3");
    when(state, "move-wind");
    then(state, "wind-moved left=2 HW2");
    now(state, "left 2");
}

static void HW2_wind_moves_once_a_turn(void **state)
{
    given(state, "scenario heavy-wind", "wind moved", "phase moving", "die 3");
    when(state, "move-wind");
    then(state, "refused nothing-there HW2");
    now(state, "left 3");
}

static void HW2_next_player_may_move_the_wind(void **state)
{
    given(state, "scenario heavy-wind", "wind moved", "phase moving", "die 3");
    when(state, "end-phase", "end-phase", "end-phase", "roll-move 1", "move-wind");
    then(state, "wind-moved left=0 HW2");
    now(state, "turn blue");
}

static void HW2_wind_does_not_move_without_a_point(void **state)
{
    given(state, "scenario heavy-wind", "phase moving", "die 1");
    when(state, "move red-1 1", "move-wind");
    then(state, "refused not-enough-points HW2");
}

static void HW2_extra_knots_of_a_ship_do_not_move_the_wind(void **state)
{
    given(state, "scenario heavy-wind", "red-1 caught wind", "phase moving", "die 1");
    when(state, "move red-2 1", "move-wind");
    then(state, "refused not-enough-points HW2");
    now(state, "red-1 may go 1");
}

static void HW2_wind_is_not_measured_like_a_ship(void **state)
{
    given(state, "scenario heavy-wind", "phase moving", "die 3");
    when(state, "move wind 1");
    then(state, "refused bad-value HW2");
    when(state, "select wind");
    then(state, "refused bad-value HW2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HW1_ship_near_the_wind_goes_one_knot_further),
        cmocka_unit_test(HW1_bonus_is_for_that_ship_only),
        cmocka_unit_test(HW1_ship_catches_the_wind_once_a_turn),
        cmocka_unit_test(HW1_ship_catches_the_wind_again_in_its_next_turn),
        cmocka_unit_test(HW1_bonus_that_was_not_used_is_gone_with_the_turn),
        cmocka_unit_test(HW1_house_decides_how_strong_the_wind_is),
        cmocka_unit_test(HW2_wind_moves_for_one_point),
        cmocka_unit_test(HW2_wind_moves_once_a_turn),
        cmocka_unit_test(HW2_next_player_may_move_the_wind),
        REFUSAL(HW2_wind_waits_for_the_die, "move-wind", "refused not-rolled M1",
                "scenario heavy-wind", "phase moving"),
        cmocka_unit_test(HW2_wind_does_not_move_without_a_point),
        cmocka_unit_test(HW2_extra_knots_of_a_ship_do_not_move_the_wind),
        cmocka_unit_test(HW2_wind_is_not_measured_like_a_ship),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
