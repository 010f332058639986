/* G: the game, its players and the steps of a turn. */
#include "tests/support/table.h"

static void G1_three_players_use_three_harbours(void **state)
{
    given(state, "players 3");
    now(state, "ships red 3", "ships blue 3", "ships green 3", "towers green 1");
    when(state, "aim yellow-1");
    then(state, "refused unknown-piece G1");
}

static void G1_two_players_control_two_harbours_each(void **state)
{
    given(state, "players 2");
    now(state, "ships red 6", "towers red 2", "ships blue 6", "ships yellow 6", "towers green 2");
    when(state, "aim red-1", "aim blue-tower");
    then(state, "aimed piece=blue-tower S1");
    when(state, "aim green-1");
    then(state, "refused not-yours S1");
}

static void G2_the_named_player_begins(void **state)
{
    given(state, "lobby", "first 3");
    when(state, "new-game");
    then(state, "game-started first=3 G2", "turn-started G2", "phase-started phase=shooting G3");
    now(state, "turn green", "turn number 1", "phase shooting", "seq 3");
}

static void G2_turns_go_clockwise_and_round(void **state)
{
    given(state, "players 3", "turn blue", "phase combat");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "turn green", "turn number 2");
    when(state, "end-phase", "end-phase", "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "turn red", "turn number 3");
}

static void G3_a_turn_is_shooting_moving_combat_and_each_may_be_passed(void **state)
{
    given(state, "players 4");
    when(state, "end-phase");
    then(state, "phase-started phase=moving G3");
    when(state, "end-phase");
    then(state, "phase-started phase=combat G3");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
}

static void G3_advanced_rules_end_the_turn_with_repairing(void **state)
{
    given(state, "advanced", "phase combat");
    when(state, "end-phase");
    then(state, "phase-started phase=repair G3");
    now(state, "turn red");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "turn blue");
}

static void G3_a_step_does_not_wait_for_its_turn(void **state)
{
    given(state, "phase moving");
    when(state, "aim red-1");
    then(state, "refused not-in-phase G3");
    when(state, "engage red-1 blue-1");
    then(state, "refused not-in-phase G3");
}

static void G4_a_player_with_nothing_to_do_still_gets_every_step(void **state)
{
    given(state, "red-1+red-2+red-3 captured by blue", "blue-1 fought red-tower");
    when(state, "end-phase");
    then(state, "phase-started phase=moving G3");
    when(state, "end-phase");
    then(state, "phase-started phase=combat G3");
}

static void G4_a_step_without_anything_to_do_is_ended_by_the_player(void **state)
{
    given(state, "advanced", "phase repair");
    now(state, "phase repair", "turn red");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
}

static void a_running_game_is_not_replaced_by_accident(void **state)
{
    given(state, "players 3", "phase moving", "die 2");
    when(state, "new-game");
    then(state, "refused game-running");
    now(state, "phase moving", "die 2");
}

static void a_running_game_can_be_abandoned(void **state)
{
    given(state, "players 3", "phase moving", "die 2", "red-1 captured by blue");
    when(state, "new-game abandon");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
    now(state, "red-1 standing", "score blue 0", "die 0", "seq 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(G1_three_players_use_three_harbours),
        cmocka_unit_test(G1_two_players_control_two_harbours_each),
        REFUSAL(G1_five_players_are_too_many, "new-game", "refused bad-value G1", "lobby",
                "players 5"),
        cmocka_unit_test(G2_the_named_player_begins),
        REFUSAL(G2_nobody_outside_the_game_begins, "new-game", "refused bad-value G2", "lobby",
                "players 3", "first 4"),
        cmocka_unit_test(G2_turns_go_clockwise_and_round),
        cmocka_unit_test(G3_a_turn_is_shooting_moving_combat_and_each_may_be_passed),
        cmocka_unit_test(G3_advanced_rules_end_the_turn_with_repairing),
        cmocka_unit_test(G3_a_step_does_not_wait_for_its_turn),
        cmocka_unit_test(G4_a_player_with_nothing_to_do_still_gets_every_step),
        cmocka_unit_test(G4_a_step_without_anything_to_do_is_ended_by_the_player),
        cmocka_unit_test(a_running_game_is_not_replaced_by_accident),
        cmocka_unit_test(a_running_game_can_be_abandoned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
