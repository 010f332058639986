/* The situations that the rulebook itself describes, played through. */
#include "tests/support/table.h"

static void three_points_move_three_ships_one_knot_each(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 3", "move red-1 1", "move red-2 1", "move red-3 1");
    then(state, "piece-moved piece=red-3 knots=1 cost=1 left=0 M4");
}

static void three_points_move_one_ship_two_knots_and_another_one(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 3", "move red-1 2", "move red-2 1");
    then(state, "piece-moved piece=red-2 knots=1 cost=1 left=0 M4");
    given(state, "phase moving");
    when(state, "roll-move 3", "move red-1 1", "move red-2 2");
    then(state, "piece-moved piece=red-2 knots=2 cost=2 left=0 M4");
}

static void three_points_move_one_ship_three_knots(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 3", "move red-2 3");
    then(state, "piece-moved piece=red-2 knots=3 cost=3 left=0 M4");
}

static void three_points_do_not_move_two_ships_two_knots(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 3", "move red-1 2", "move red-2 2");
    then(state, "refused not-enough-points M5");
}

static void a_ball_that_sticks_in_the_barrel_may_be_shot_again(void **state)
{
    given(state, "players 4");
    when(state, "aim red-1");
    then(state, "aimed piece=red-1 S1");
    when(state, "@30000ms aim red-1", "@40000ms ball-left");
    then(state, "shot-fired shooter=red-1 S2", "deadline 43000ms");
}

static void a_shot_that_hits_without_toppling_is_still_the_shot_of_the_turn(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@90ms hit blue-tower", "@3000ms window-over");
    then(state, "shot-over pieces=blue-tower S6", "phase-started phase=moving G3");
    when(state, "@4000ms ball-left");
    then(state, "foul S8");
}

static void a_ship_that_arrives_next_to_another_may_start_a_close_combat(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 2", "move red-1 2", "end-phase", "engage red-1 blue-2");
    then(state, "combat-started attacker=red-1 target=blue-2 C1");
    when(state, "roll-combat red-1 blue-2 swords");
    then(state, "combat-rolled attacker=red-1 target=blue-2 value=swords C2");
    when(state, "end-phase", "end-phase", "end-phase", "roll-combat blue-2 red-1 flag");
    then(state, "combat-rolled attacker=blue-2 target=red-1 value=flag C2",
         "piece-captured piece=red-1 with=blue-2 by=2 how=combat C2",
         "combat-ended attacker=red-1 target=blue-2 C6");
}

static void a_ship_that_stands_next_to_another_need_not_have_moved(void **state)
{
    given(state, "players 4");
    when(state, "end-phase", "end-phase", "engage red-1 blue-2");
    then(state, "combat-started attacker=red-1 target=blue-2 C1");
}

static void the_red_ship_in_the_blue_harbour_attacks_the_tower(void **state)
{
    given(state, "phase moving");
    when(state, "roll-move 3", "move red-1 3", "end-phase", "engage red-1 blue-tower",
         "roll-combat red-1 blue-tower flag");
    then(state, "combat-rolled attacker=red-1 target=blue-tower value=flag C2",
         "piece-captured piece=blue-tower with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-tower C6");
    now(state, "score red 2", "towers blue 0");
}

static void a_damaged_ship_is_raised_at_the_end_of_its_owners_turn(void **state)
{
    given(state, "advanced", "red-1 flat", "phase moving", "die 2");
    when(state, "move red-1 1");
    then(state, "refused flat M2");
    when(state, "end-phase", "end-phase", "raised red-1");
    then(state, "piece-repaired piece=red-1 A3");
    now(state, "red-1 standing", "red-1 undisturbed");
}

static void a_damaged_ship_is_taken_without_a_roll(void **state)
{
    given(state, "advanced", "blue-1 flat", "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat A4",
         "combat-ended attacker=red-1 target=blue-1 C6");
}

static void the_chest_is_lost_to_whom_the_ship_surrenders_to(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    when(state, "take-chest red-1", "end-phase", "engage red-1 blue-1",
         "roll-combat red-1 blue-1 swords", "end-phase", "end-phase", "end-phase",
         "roll-combat blue-1 red-1 flag");
    then(state, "combat-rolled attacker=blue-1 target=red-1 value=flag C2",
         "piece-captured piece=red-1 with=blue-1 by=2 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6", "chest-moved piece=red-1 to=blue-1 TI2");
    now(state, "blue-1 has chest");
}

static void a_ship_that_surrenders_to_the_pirate_is_nobodys(void **state)
{
    given(state, "scenario pirate-ship", "phase moving");
    when(state, "roll-move 1", "move pirate 1", "end-phase", "engage pirate green-2",
         "roll-combat pirate green-2 flag");
    then(state, "combat-rolled attacker=pirate target=green-2 value=flag C2",
         "piece-lost piece=green-2 with=pirate PS3",
         "combat-ended attacker=pirate target=green-2 C6");
    now(state, "score red 0", "green-2 lost");
}

static void the_monster_dies_of_its_second_topple(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "fire", "topple monster");
    then(state, "piece-toppled piece=monster SM3", "monster-wounded lives=1 SM3",
         "deadline 3000ms");
    when(state, "raise monster", "end-phase", "end-phase", "end-phase", "@60000ms fire",
         "topple monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=2 SM3", "deadline 63000ms");
    now(state, "monster lost", "score blue 0");
}

static void a_ship_in_the_wind_gets_one_step_more(void **state)
{
    given(state, "scenario heavy-wind", "phase moving");
    when(state, "roll-move 3", "catch-wind red-1", "move red-1 4");
    then(state, "piece-moved piece=red-1 knots=4 cost=4 left=0 M4");
}

static void a_barrel_brought_to_its_harbour_is_worth_two(void **state)
{
    given(state, "scenario merchant", "barrel red to green", "phase moving");
    when(state, "load-barrel red-1 red", "deliver-barrel red-1 green");
    then(state, "barrel-delivered piece=red-1 harbour=green by=1 ME3");
    now(state, "score red 2");
}

static void a_ship_that_beats_the_kraken_is_free_and_sends_it_three_knots_away(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "phase combat");
    when(state, "engage red-1 kraken", "roll-combat red-1 kraken flag");
    then(state, "combat-rolled attacker=red-1 target=kraken value=flag C2",
         "combat-ended attacker=red-1 target=kraken KR4", "ship-released piece=red-1 KR4");
    when(state, "move kraken 3");
    then(state, "piece-moved piece=kraken knots=3 cost=3 left=0 KR4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_points_move_three_ships_one_knot_each),
        cmocka_unit_test(three_points_move_one_ship_two_knots_and_another_one),
        cmocka_unit_test(three_points_move_one_ship_three_knots),
        cmocka_unit_test(three_points_do_not_move_two_ships_two_knots),
        cmocka_unit_test(a_ball_that_sticks_in_the_barrel_may_be_shot_again),
        cmocka_unit_test(a_shot_that_hits_without_toppling_is_still_the_shot_of_the_turn),
        cmocka_unit_test(a_ship_that_arrives_next_to_another_may_start_a_close_combat),
        cmocka_unit_test(a_ship_that_stands_next_to_another_need_not_have_moved),
        cmocka_unit_test(the_red_ship_in_the_blue_harbour_attacks_the_tower),
        cmocka_unit_test(a_damaged_ship_is_raised_at_the_end_of_its_owners_turn),
        cmocka_unit_test(a_damaged_ship_is_taken_without_a_roll),
        cmocka_unit_test(the_chest_is_lost_to_whom_the_ship_surrenders_to),
        cmocka_unit_test(a_ship_that_surrenders_to_the_pirate_is_nobodys),
        cmocka_unit_test(the_monster_dies_of_its_second_topple),
        cmocka_unit_test(a_ship_in_the_wind_gets_one_step_more),
        cmocka_unit_test(a_barrel_brought_to_its_harbour_is_worth_two),
        cmocka_unit_test(a_ship_that_beats_the_kraken_is_free_and_sends_it_three_knots_away),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
