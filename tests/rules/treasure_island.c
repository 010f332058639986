/* TI: treasure island. */
#include "tests/support/table.h"

static void TI1_own_ship_takes_the_chest_in_the_moving_step(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    when(state, "take-chest red-1");
    then(state, "chest-taken piece=red-1 TI1");
    now(state, "red-1 has chest");
}

static void TI1_chest_is_taken_in_no_other_step(void **state)
{
    given(state, "scenario treasure-island", "phase combat");
    when(state, "take-chest red-1");
    then(state, "refused not-in-phase G3");
    now(state, "chest on island");
}

static void TI1_chest_is_taken_once(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest", "phase moving");
    when(state, "take-chest red-1");
    then(state, "refused nothing-there TI1");
    now(state, "blue-1 has chest");
}

static void TI1_carrier_cannot_take_the_chest_again(void **state)
{
    given(state, "scenario treasure-island", "red-1 has chest", "phase moving");
    when(state, "take-chest red-1");
    then(state, "refused nothing-there TI1");
}

static void TI1_others_ships_and_towers_do_not_take_it(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    when(state, "take-chest blue-1");
    then(state, "refused not-yours M1");
    when(state, "take-chest red-tower");
    then(state, "refused bad-value M2");
}

static void TI1_team_mates_ship_does_not_take_it(void **state)
{
    given(state, "teams", "scenario treasure-island", "phase moving");
    when(state, "take-chest green-1");
    then(state, "refused not-yours M1");
}

static void TI1_ship_that_may_not_move_does_not_take_it(void **state)
{
    given(state, "advanced", "scenario treasure-island", "red-1 flat", "red-2 fights blue-1",
          "red-3 captured by blue", "phase moving");
    when(state, "take-chest red-1");
    then(state, "refused flat M2");
    when(state, "take-chest red-2");
    then(state, "refused in-combat M2");
    when(state, "take-chest red-3");
    then(state, "refused out-of-play");
}

static void TI1_other_scenarios_have_no_chest(void **state)
{
    given(state, "scenario kraken", "phase moving");
    when(state, "take-chest red-1");
    then(state, "refused not-in-scenario");
}

static void TI1_carrier_shoots_moves_and_attacks_like_any_ship(void **state)
{
    given(state, "scenario treasure-island", "red-1 has chest");
    when(state, "aim red-1");
    then(state, "aimed piece=red-1 S1");
    when(state, "end-phase", "roll-move 2", "move red-1 2");
    then(state, "piece-moved piece=red-1 knots=2 cost=2 left=0 M4");
    when(state, "end-phase", "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1");
}

static void TI1_undone_taking_puts_the_chest_back(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    when(state, "take-chest red-1", "undo");
    then(state, "undone from=4 to=4");
    now(state, "chest on island");
    when(state, "take-chest red-2");
    then(state, "chest-taken piece=red-2 TI1");
}

static void TI2_carrier_that_surrenders_loses_the_chest_to_the_winner(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest", "red-1 fights blue-1",
          "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6", "chest-moved piece=blue-1 to=red-1 TI2");
    now(state, "red-1 has chest");
}

static void TI2_carrier_may_lose_the_combat_it_began(void **state)
{
    given(state, "scenario treasure-island", "red-1 has chest", "red-1 fights blue-1", "turn blue",
          "phase combat");
    when(state, "roll-combat blue-1 red-1 flag");
    then(state, "combat-rolled attacker=blue-1 target=red-1 value=flag C2",
         "piece-captured piece=red-1 with=blue-1 by=2 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6", "chest-moved piece=red-1 to=blue-1 TI2");
    now(state, "blue-1 has chest");
}

static void TI2_swords_leave_the_chest_where_it_is(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest", "red-1 fights blue-1",
          "phase combat");
    when(state, "roll-combat red-1 blue-1 swords");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=swords C2");
    now(state, "blue-1 has chest");
}

static void TI2_surrender_of_another_ship_leaves_the_chest(void **state)
{
    given(state, "scenario treasure-island", "blue-2 has chest", "red-1 fights blue-1",
          "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6");
    now(state, "blue-2 has chest");
}

static void TI2_undone_surrender_gives_the_chest_back(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest", "red-1 fights blue-1",
          "phase combat");
    when(state, "roll-combat red-1 blue-1 flag", "undo");
    then(state, "undone from=4 to=7");
    now(state, "blue-1 has chest", "blue-1 standing", "red-1 fights blue-1 due");
}

static void TI3_shot_at_the_carrier_sends_the_chest_to_the_island(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest", "aimed red-1");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3",
         "piece-captured piece=blue-1 with=red-1 by=1 how=shot S3", "chest-moved piece=blue-1 TI3",
         "deadline 3000ms");
    now(state, "chest on island", "red-1 carries nothing");
}

static void TI3_chest_from_a_shot_carrier_can_be_taken_in_the_same_turn(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest");
    when(state, "ball-left", "toppled blue-1", "@3000ms window-over", "take-chest red-1");
    then(state, "chest-taken piece=red-1 TI1");
}

static void TI3_shot_at_another_ship_leaves_the_chest(void **state)
{
    given(state, "scenario treasure-island", "blue-2 has chest");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "deadline 3000ms");
    now(state, "blue-2 has chest");
}

static void TI3_carrier_that_fell_without_a_shot_keeps_the_chest(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest");
    when(state, "toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    now(state, "blue-1 has chest");
}

static void TI3_undone_topple_gives_the_chest_back(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest");
    when(state, "ball-left", "topple blue-1", "undo");
    then(state, "undone from=5 to=7", "deadline 3000ms");
    now(state, "blue-1 has chest", "blue-1 standing", "blue-1 undisturbed");
}

static void TI4_flat_carrier_keeps_the_chest(void **state)
{
    given(state, "advanced", "scenario treasure-island", "blue-1 has chest");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 A1", "deadline 3000ms");
    now(state, "blue-1 has chest");
    when(state, "@3000ms window-over", "take-chest red-1");
    then(state, "refused nothing-there TI1");
}

static void TI4_captured_flat_carrier_loses_the_chest(void **state)
{
    given(state, "advanced", "scenario treasure-island", "blue-1 has chest", "blue-1 flat",
          "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat A4",
         "combat-ended attacker=red-1 target=blue-1 C6", "chest-moved piece=blue-1 to=red-1 TI2");
}

static void TI4_repaired_carrier_still_has_the_chest(void **state)
{
    given(state, "advanced", "scenario treasure-island", "red-1 has chest", "red-1 flat",
          "phase repair");
    when(state, "raised red-1");
    then(state, "piece-repaired piece=red-1 A3");
    now(state, "red-1 has chest");
}

static void TI5_chest_is_worth_three_points_at_the_end(void **state)
{
    given(state, "players 3", "scenario treasure-island", "green-1 has chest",
          "blue-2+blue-3+blue-tower captured by red");
    when(state, "ball-left", "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "player-out out=2 E1", "game-over ranking=1:5,3:3,2:0 winners=1 E3");
    now(state, "score green 3");
}

static void TI5_chest_is_worth_nothing_before_the_end(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    when(state, "take-chest red-1");
    then(state, "chest-taken piece=red-1 TI1");
    now(state, "score red 0");
}

static void TI5_chest_on_the_island_is_worth_nothing_at_the_end(void **state)
{
    given(state, "players 3", "scenario treasure-island", "blue-1 has chest",
          "blue-2+blue-3+blue-tower captured by green");
    when(state, "ball-left", "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "chest-moved piece=blue-1 TI3", "player-out out=2 E1",
         "game-over ranking=3:4,1:1,2:0 winners=3 E3");
}

static void TI5_chest_won_with_the_last_capture_counts(void **state)
{
    given(state, "players 3", "scenario treasure-island", "blue-1 has chest",
          "blue-2+blue-3+blue-tower captured by green", "red-1 fights blue-1", "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6", "chest-moved piece=blue-1 to=red-1 TI2",
         "player-out out=2 E1", "game-over ranking=3:4,1:4,2:0 winners=3 E3");
}

static void TI5_tower_that_won_the_chest_holds_it(void **state)
{
    given(state, "players 3", "scenario treasure-island", "blue-1 has chest",
          "red-tower fights blue-1", "phase combat");
    when(state, "roll-combat red-tower blue-1 flag");
    then(state, "combat-rolled attacker=red-tower target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-tower by=1 how=combat C2",
         "combat-ended attacker=red-tower target=blue-1 C6",
         "chest-moved piece=blue-1 to=red-tower TI2");
    now(state, "red-tower has chest");
}

static void TI5_tower_that_is_shot_gives_the_chest_back_to_the_island(void **state)
{
    given(state, "scenario treasure-island", "blue-tower has chest");
    when(state, "ball-left", "toppled blue-tower");
    then(state, "piece-toppled piece=blue-tower S3",
         "piece-captured piece=blue-tower by=1 how=shot S3", "chest-moved piece=blue-tower TI3",
         "deadline 3000ms");
}

static void TI5_house_decides_what_the_chest_is_worth(void **state)
{
    given(state, "players 3", "scenario treasure-island", "house chest_points=7",
          "green-1 has chest", "blue-2+blue-3+blue-tower captured by red");
    when(state, "ball-left", "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "player-out out=2 E1", "game-over ranking=3:7,1:5,2:0 winners=3 E3");
}

static void TI5_chest_counts_for_the_team(void **state)
{
    given(state, "teams", "scenario treasure-island", "yellow-1 has chest",
          "blue-2+blue-3 captured by red", "blue-tower lost");
    when(state, "ball-left", "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "player-out out=2 E1", "game-over ranking=1:3=2:0=3:0=4:3 winners=1+2+3+4 T2");
}

static void TI5_undone_end_takes_the_points_of_the_chest_back(void **state)
{
    given(state, "players 3", "scenario treasure-island", "green-1 has chest",
          "blue-2+blue-3+blue-tower captured by red");
    when(state, "ball-left", "end-phase", "topple blue-1", "undo");
    then(state, "undone from=7 to=10");
    now(state, "phase moving", "score green 0", "green-1 has chest", "no winners");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TI1_own_ship_takes_the_chest_in_the_moving_step),
        cmocka_unit_test(TI1_chest_is_taken_in_no_other_step),
        cmocka_unit_test(TI1_chest_is_taken_once),
        cmocka_unit_test(TI1_carrier_cannot_take_the_chest_again),
        cmocka_unit_test(TI1_others_ships_and_towers_do_not_take_it),
        cmocka_unit_test(TI1_team_mates_ship_does_not_take_it),
        cmocka_unit_test(TI1_ship_that_may_not_move_does_not_take_it),
        cmocka_unit_test(TI1_other_scenarios_have_no_chest),
        cmocka_unit_test(TI1_carrier_shoots_moves_and_attacks_like_any_ship),
        cmocka_unit_test(TI1_undone_taking_puts_the_chest_back),
        cmocka_unit_test(TI2_carrier_that_surrenders_loses_the_chest_to_the_winner),
        cmocka_unit_test(TI2_carrier_may_lose_the_combat_it_began),
        cmocka_unit_test(TI2_swords_leave_the_chest_where_it_is),
        cmocka_unit_test(TI2_surrender_of_another_ship_leaves_the_chest),
        cmocka_unit_test(TI2_undone_surrender_gives_the_chest_back),
        cmocka_unit_test(TI3_shot_at_the_carrier_sends_the_chest_to_the_island),
        cmocka_unit_test(TI3_chest_from_a_shot_carrier_can_be_taken_in_the_same_turn),
        cmocka_unit_test(TI3_shot_at_another_ship_leaves_the_chest),
        cmocka_unit_test(TI3_carrier_that_fell_without_a_shot_keeps_the_chest),
        cmocka_unit_test(TI3_undone_topple_gives_the_chest_back),
        cmocka_unit_test(TI4_flat_carrier_keeps_the_chest),
        cmocka_unit_test(TI4_captured_flat_carrier_loses_the_chest),
        cmocka_unit_test(TI4_repaired_carrier_still_has_the_chest),
        cmocka_unit_test(TI5_chest_is_worth_three_points_at_the_end),
        cmocka_unit_test(TI5_chest_is_worth_nothing_before_the_end),
        cmocka_unit_test(TI5_chest_on_the_island_is_worth_nothing_at_the_end),
        cmocka_unit_test(TI5_chest_won_with_the_last_capture_counts),
        cmocka_unit_test(TI5_tower_that_won_the_chest_holds_it),
        cmocka_unit_test(TI5_tower_that_is_shot_gives_the_chest_back_to_the_island),
        cmocka_unit_test(TI5_house_decides_what_the_chest_is_worth),
        cmocka_unit_test(TI5_chest_counts_for_the_team),
        cmocka_unit_test(TI5_undone_end_takes_the_points_of_the_chest_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
