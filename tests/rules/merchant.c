/* ME: the merchant. In the tests a barrel goes to the next harbour: red, blue, green, yellow. */
#include "tests/support/table.h"

static void ME1_every_harbour_in_play_has_a_barrel(void **state)
{
    given(state, "lobby", "players 3", "scenario merchant");
    when(state, "new-game");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
    now(state, "barrel lies at red", "barrel lies at blue", "barrel lies at green");
}

static void ME2_ship_loads_the_barrel_of_a_harbour(void **state)
{
    given(state, "scenario merchant", "phase moving");
    when(state, "load-barrel red-1 red");
    then(state, "barrel-loaded piece=red-1 harbour=red barrel=blue ME2");
    now(state, "red-1 loaded at red");
}

static void ME2_ship_carries_one_barrel(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red", "phase moving");
    when(state, "load-barrel red-1 blue");
    then(state, "refused already-carrying ME2");
    when(state, "load-barrel red-2 blue");
    then(state, "barrel-loaded piece=red-2 harbour=blue barrel=green ME2");
}

static void ME2_others_ships_and_towers_load_nothing(void **state)
{
    given(state, "teams", "scenario merchant", "phase moving");
    when(state, "load-barrel blue-1 red");
    then(state, "refused not-yours M1");
    when(state, "load-barrel green-1 red");
    then(state, "refused not-yours M1");
    when(state, "load-barrel red-tower red");
    then(state, "refused bad-value M2");
}

static void ME3_delivered_barrel_is_worth_two_points(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red", "phase moving");
    when(state, "deliver-barrel red-1 blue");
    then(state, "barrel-delivered piece=red-1 harbour=blue by=1 ME3");
    now(state, "score red 2", "red-1 carries nothing");
}

static void ME3_barrel_may_be_delivered_at_home(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at yellow", "phase moving");
    when(state, "deliver-barrel red-1 red");
    then(state, "barrel-delivered piece=red-1 harbour=red by=1 ME3");
}

static void ME3_barrel_goes_to_the_harbour_of_its_colour(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red", "phase moving");
    when(state, "deliver-barrel red-1 green");
    then(state, "refused wrong-harbour ME3");
    when(state, "deliver-barrel red-1 red");
    then(state, "refused wrong-harbour ME3");
    now(state, "red-1 loaded at red", "score red 0");
}

static void ME3_barrel_is_delivered_once(void **state)
{
    given(state, "scenario merchant", "red delivered from red", "phase moving");
    when(state, "load-barrel red-1 red");
    then(state, "refused nothing-there ME2");
    when(state, "deliver-barrel red-1 blue");
    then(state, "refused nothing-there ME3");
    now(state, "score red 2");
}

static void ME3_ship_may_deliver_one_barrel_after_another(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red", "phase moving");
    when(state, "deliver-barrel red-1 blue", "load-barrel red-1 blue",
         "deliver-barrel red-1 green");
    then(state, "barrel-delivered piece=red-1 harbour=green by=1 ME3");
    now(state, "score red 4");
}

static void ME3_ship_that_may_not_move_delivers_nothing(void **state)
{
    given(state, "advanced", "scenario merchant", "red-1 loaded at red", "red-1 flat",
          "red-2 loaded at blue", "blue-1 fights red-2", "phase moving");
    when(state, "deliver-barrel red-1 blue");
    then(state, "refused flat M2");
    when(state, "deliver-barrel red-2 green");
    then(state, "refused in-combat M2");
}

static void ME3_house_decides_what_a_barrel_is_worth(void **state)
{
    given(state, "scenario merchant", "house barrel_points=5", "red-1 loaded at red",
          "phase moving");
    when(state, "deliver-barrel red-1 blue");
    then(state, "barrel-delivered piece=red-1 harbour=blue by=1 ME3");
    now(state, "score red 5");
}

static void ME3_barrels_count_for_the_team(void **state)
{
    given(state, "teams", "scenario merchant", "blue-2+blue-3+blue-tower captured by red",
          "blue delivered from red", "yellow delivered from blue", "yellow delivered from green");
    when(state, "ball-left", "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "player-out out=2 E1", "game-over ranking=2:2=4:4,1:5=3:0 winners=2+4 T2");
}

static void ME4_ship_with_a_barrel_cannot_shoot(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red");
    when(state, "aim red-1");
    then(state, "refused carries-barrel ME4");
    when(state, "aim red-2");
    then(state, "aimed piece=red-2 S1");
}

static void ME4_ship_with_a_barrel_moves(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red", "phase moving", "die 3");
    when(state, "move red-1 3");
    then(state, "piece-moved piece=red-1 knots=3 cost=3 left=0 M4");
}

static void ME5_ship_that_is_in_another_combat_takes_no_barrel(void **state)
{
    given(state, "scenario merchant", "blue-1 loaded at blue", "red-1 fights blue-1",
          "red-1 fights blue-2", "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6",
         "barrel-moved piece=blue-1 to_harbour=blue barrel=green ME5");
    now(state, "red-1 carries nothing", "red-1 fights blue-2 due");
}

static void ME5_carrier_that_surrenders_loses_the_barrel_to_the_ship(void **state)
{
    given(state, "scenario merchant", "blue-1 loaded at blue", "red-1 fights blue-1",
          "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6",
         "barrel-moved piece=blue-1 to=red-1 barrel=green ME5");
    now(state, "red-1 loaded at blue", "score red 1");
    when(state, "engage red-1 blue-2");
    then(state, "refused carries-barrel ME4");
}

static void ME5_tower_that_wins_sends_the_barrel_to_its_harbour(void **state)
{
    given(state, "scenario merchant", "blue-1 loaded at green", "red-tower fights blue-1",
          "phase combat");
    when(state, "roll-combat red-tower blue-1 flag");
    then(state, "combat-rolled attacker=red-tower target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-tower by=1 how=combat C2",
         "combat-ended attacker=red-tower target=blue-1 C6",
         "barrel-moved piece=blue-1 to_harbour=green barrel=yellow ME5");
    now(state, "barrel lies at green", "red-tower carries nothing");
}

static void ME5_shot_at_the_carrier_sends_the_barrel_to_its_harbour(void **state)
{
    given(state, "scenario merchant", "blue-1 loaded at red");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "barrel-moved piece=blue-1 to_harbour=red barrel=blue ME5", "deadline 3000ms");
    when(state, "@3000ms window-over", "load-barrel red-1 red");
    then(state, "barrel-loaded piece=red-1 harbour=red barrel=blue ME2");
}

static void ME5_flat_carrier_keeps_the_barrel(void **state)
{
    given(state, "advanced", "scenario merchant", "blue-1 loaded at blue");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 A1", "deadline 3000ms");
    now(state, "blue-1 loaded at blue");
}

static void ME5_captured_flat_carrier_loses_the_barrel_to_the_ship(void **state)
{
    given(state, "advanced", "scenario merchant", "blue-1 loaded at blue", "blue-1 flat",
          "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat A4",
         "combat-ended attacker=red-1 target=blue-1 C6",
         "barrel-moved piece=blue-1 to=red-1 barrel=green ME5");
}

static void ME5_captured_ship_without_a_barrel_moves_none(void **state)
{
    given(state, "scenario merchant", "blue-2 loaded at blue");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "deadline 3000ms");
    now(state, "blue-2 loaded at blue");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ME1_every_harbour_in_play_has_a_barrel),
        REFUSAL(ME1_harbour_out_of_play_has_no_barrel, "load-barrel red-1 yellow",
                "refused nothing-there ME2", "players 3", "scenario merchant", "phase moving"),
        cmocka_unit_test(ME2_ship_loads_the_barrel_of_a_harbour),
        cmocka_unit_test(ME2_ship_carries_one_barrel),
        cmocka_unit_test(ME2_others_ships_and_towers_load_nothing),
        cmocka_unit_test(ME3_delivered_barrel_is_worth_two_points),
        cmocka_unit_test(ME3_barrel_may_be_delivered_at_home),
        cmocka_unit_test(ME3_barrel_goes_to_the_harbour_of_its_colour),
        REFUSAL(ME3_ship_without_a_barrel_delivers_nothing, "deliver-barrel red-1 blue",
                "refused nothing-there ME3", "scenario merchant", "red-2 loaded at red",
                "phase moving"),
        cmocka_unit_test(ME3_barrel_is_delivered_once),
        cmocka_unit_test(ME3_ship_may_deliver_one_barrel_after_another),
        cmocka_unit_test(ME3_ship_that_may_not_move_delivers_nothing),
        cmocka_unit_test(ME3_house_decides_what_a_barrel_is_worth),
        cmocka_unit_test(ME3_barrels_count_for_the_team),
        cmocka_unit_test(ME4_ship_with_a_barrel_cannot_shoot),
        cmocka_unit_test(ME4_ship_with_a_barrel_moves),
        cmocka_unit_test(ME5_carrier_that_surrenders_loses_the_barrel_to_the_ship),
        cmocka_unit_test(ME5_ship_that_is_in_another_combat_takes_no_barrel),
        cmocka_unit_test(ME5_tower_that_wins_sends_the_barrel_to_its_harbour),
        cmocka_unit_test(ME5_shot_at_the_carrier_sends_the_barrel_to_its_harbour),
        cmocka_unit_test(ME5_flat_carrier_keeps_the_barrel),
        cmocka_unit_test(ME5_captured_flat_carrier_loses_the_barrel_to_the_ship),
        cmocka_unit_test(ME5_captured_ship_without_a_barrel_moves_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
