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

static void TI1_others_ships_and_towers_do_not_take_it(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    when(state, "take-chest blue-1");
    then(state, "refused not-yours M1");
    when(state, "take-chest red-tower");
    then(state, "refused bad-value M2");
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

static void TI3_carrier_that_fell_without_a_shot_keeps_the_chest(void **state)
{
    given(state, "scenario treasure-island", "blue-1 has chest");
    when(state, "toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    now(state, "blue-1 has chest");
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

static void TI5_chest_is_worth_three_points_at_the_end(void **state)
{
    given(state, "players 3", "scenario treasure-island", "green-1 has chest",
          "blue-2+blue-3+blue-tower captured by red");
    when(state, "ball-left", "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "player-out out=2 E1", "game-over ranking=1:5,3:3,2:0 winners=1 E3");
    now(state, "score green 3");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TI1_own_ship_takes_the_chest_in_the_moving_step),
        cmocka_unit_test(TI1_chest_is_taken_in_no_other_step),
        cmocka_unit_test(TI1_others_ships_and_towers_do_not_take_it),
        cmocka_unit_test(TI1_ship_that_may_not_move_does_not_take_it),
        cmocka_unit_test(TI2_carrier_that_surrenders_loses_the_chest_to_the_winner),
        cmocka_unit_test(TI2_undone_surrender_gives_the_chest_back),
        cmocka_unit_test(TI3_shot_at_the_carrier_sends_the_chest_to_the_island),
        cmocka_unit_test(TI3_carrier_that_fell_without_a_shot_keeps_the_chest),
        cmocka_unit_test(TI4_flat_carrier_keeps_the_chest),
        cmocka_unit_test(TI4_captured_flat_carrier_loses_the_chest),
        cmocka_unit_test(TI5_chest_is_worth_three_points_at_the_end),
        cmocka_unit_test(TI5_tower_that_won_the_chest_holds_it),
        cmocka_unit_test(TI5_house_decides_what_the_chest_is_worth),
        cmocka_unit_test(TI5_chest_counts_for_the_team),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
