/* M: points from the die, spent by the rope. */
#include "tests/support/table.h"

static void M1_the_die_gives_the_points(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 3");
    then(state, "move-rolled value=3 M1");
    now(state, "die 3", "left 3");
}

static void M1_four_is_not_on_the_die(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 4");
    then(state, "refused bad-value M1");
    now(state, "die 0");
}

static void M1_the_die_is_rolled_once(void **state)
{
    given(state, "phase moving", "die 1");
    when(state, "roll-move 3");
    then(state, "refused already-rolled M1");
    now(state, "left 1");
}

static void M1_only_own_ships_move(void **state)
{
    given(state, "teams", "phase moving", "die 3");
    when(state, "move blue-1 1");
    then(state, "refused not-yours M1");
    when(state, "move green-1 1");
    then(state, "refused not-yours M1");
    now(state, "left 3");
}

static void M2_ships_in_close_combat_cannot_move(void **state)
{
    given(state, "phase moving", "die 3", "red-1 fights blue-1", "blue-2 fights red-2");
    when(state, "move red-1 1");
    then(state, "refused in-combat M2");
    when(state, "move red-2 1");
    then(state, "refused in-combat M2");
    when(state, "select red-2");
    then(state, "refused in-combat M2");
    when(state, "move red-3 1");
    then(state, "piece-moved piece=red-3 knots=1 cost=1 left=2 M4");
}

static void M3_points_may_be_left_over(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move red-1 1", "end-phase");
    then(state, "phase-started phase=combat G3");
}

static void M3_left_over_points_are_gone_with_the_step(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "end-phase", "move red-1 1");
    then(state, "refused not-in-phase G3");
}

static void M4_points_are_knot_distances(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=2 M4");
    when(state, "move red-2 2");
    then(state, "piece-moved piece=red-2 knots=2 cost=2 left=0 M4");
}

static void M4_the_rope_measures_the_selected_piece(void **state)
{
    given(state, "phase moving", "die 3", "left 2");
    when(state, "select red-2");
    then(state, "piece-selected piece=red-2 left=2 M4");
    now(state, "selected red-2");
}

static void M4_an_unnamed_ship_must_be_able_to_move(void **state)
{
    given(state, "phase moving", "die 3", "red-2+red-3 captured by blue", "red-1 fights blue-1");
    when(state, "move knots=1");
    then(state, "refused in-combat M2");
    given(state, "phase moving", "die 3", "red-1+red-2+red-3 captured by blue");
    when(state, "move knots=1");
    then(state, "refused nothing-there M1");
}

static void M4_a_selection_ends_with_the_step(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "select red-1", "end-phase");
    then(state, "phase-started phase=combat G3");
    now(state, "nothing selected");
}

static void M5_the_tolerance_is_in_the_players_favour(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move red-1 1.2");
    then(state, "piece-moved piece=red-1 knots=1.2 cost=1 left=2 M4");
}

static void M5_beyond_the_tolerance_costs_the_next_knot(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move red-1 1.201");
    then(state, "piece-moved piece=red-1 knots=1.201 cost=2 left=1 M4");
}

static void M5_the_tolerance_can_be_set(void **state)
{
    given(state, "phase moving", "die 3", "tolerance 0");
    when(state, "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=2 M4");
    when(state, "move red-1 1.001");
    then(state, "piece-moved piece=red-1 knots=1.001 cost=2 left=0 M4");
    given(state, "phase moving", "die 3", "tolerance 0.5");
    when(state, "move red-1 2.5");
    then(state, "piece-moved piece=red-1 knots=2.5 cost=2 left=1 M4");
}

static void M5_a_reading_beyond_the_points_is_refused_and_spends_nothing(void **state)
{
    given(state, "phase moving", "die 2");
    when(state, "move red-1 2.201");
    then(state, "refused not-enough-points M5");
    now(state, "left 2");
    when(state, "move red-1 2.2");
    then(state, "piece-moved piece=red-1 knots=2.2 cost=2 left=0 M4");
}

static void M5_a_rope_too_far_out_is_reported_while_it_is_pulled(void **state)
{
    given(state, "phase moving", "die 1");
    when(state, "select red-1", "rope-over 1.3");
    then(state, "rope-over piece=red-1 knots=1.3 left=1 M5");
    now(state, "left 1");
}

static void M5_it_is_told_once_a_pull(void **state)
{
    given(state, "phase moving", "die 2");
    when(state, "rope-over 2.3", "rope-over 2.4");
    then(state, "refused nothing-there M5");
    when(state, "select red-1", "rope-over 2.3");
    then(state, "rope-over piece=red-1 knots=2.3 left=2 M5");
    when(state, "move red-1 1", "rope-over 1.3");
    then(state, "rope-over piece=red-1 knots=1.3 left=1 M5");
}

static void M6_a_ship_may_move_several_times(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move red-1 1", "move red-1 1", "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=0 M4");
}

static void M6_not_without_points(void **state)
{
    given(state, "phase moving", "die 1");
    when(state, "move red-1 1", "move red-1 1");
    then(state, "refused not-enough-points M5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M1_the_die_gives_the_points),
        cmocka_unit_test(M1_four_is_not_on_the_die),
        cmocka_unit_test(M1_the_die_is_rolled_once),
        REFUSAL(M1_the_roll_says_what_the_die_shows, "roll-move", "refused missing-field M1",
                "phase moving"),
        REFUSAL(M1_nothing_moves_before_the_roll, "move red-1 1", "refused not-rolled M1",
                "phase moving"),
        cmocka_unit_test(M1_only_own_ships_move),
        cmocka_unit_test(M2_ships_in_close_combat_cannot_move),
        cmocka_unit_test(M3_points_may_be_left_over),
        cmocka_unit_test(M3_left_over_points_are_gone_with_the_step),
        cmocka_unit_test(M4_points_are_knot_distances),
        cmocka_unit_test(M4_the_rope_measures_the_selected_piece),
        REFUSAL(M4_nobody_selects_a_strange_ship, "select blue-1", "refused not-yours M1",
                "phase moving", "die 3"),
        cmocka_unit_test(M4_an_unnamed_ship_must_be_able_to_move),
        cmocka_unit_test(M4_a_selection_ends_with_the_step),
        cmocka_unit_test(M5_the_tolerance_is_in_the_players_favour),
        cmocka_unit_test(M5_beyond_the_tolerance_costs_the_next_knot),
        REFUSAL(M5_a_pull_within_the_tolerance_is_no_move, "move red-1 0.2", "refused bad-value M5",
                "phase moving", "die 1"),
        cmocka_unit_test(M5_the_tolerance_can_be_set),
        cmocka_unit_test(M5_a_reading_beyond_the_points_is_refused_and_spends_nothing),
        cmocka_unit_test(M5_a_rope_too_far_out_is_reported_while_it_is_pulled),
        cmocka_unit_test(M5_it_is_told_once_a_pull),
        REFUSAL(M5_a_rope_within_the_points_is_not_too_far_out, "rope-over 2.2",
                "refused nothing-there M5", "phase moving", "die 2"),
        REFUSAL(M5_the_rope_is_not_too_far_out_before_the_roll, "rope-over 1",
                "refused not-rolled M1", "phase moving"),
        cmocka_unit_test(M6_a_ship_may_move_several_times),
        cmocka_unit_test(M6_not_without_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
