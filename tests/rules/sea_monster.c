/* SM: the sea monster. */
#include "tests/support/table.h"

static void SM1_points_may_be_spent_on_the_monster(void **state)
{
    given(state, "scenario sea-monster", "phase moving", "die 3");
    when(state, "move monster 2");
    then(state, "piece-moved piece=monster knots=2 cost=2 left=1 SM1");
    when(state, "move monster 2");
    then(state, "refused not-enough-points M5");
}

static void SM2_monster_attacks_in_the_turn_it_was_moved(void **state)
{
    given(state, "scenario sea-monster", "phase moving", "die 3");
    when(state, "move monster 1", "end-phase", "engage monster blue-1");
    then(state, "combat-started attacker=monster target=blue-1 C1");
}

static void SM2_monster_is_never_attacked_in_close_combat(void **state)
{
    given(state, "scenario sea-monster", "phase combat");
    when(state, "engage red-1 monster");
    then(state, "refused not-an-enemy SM2");
    when(state, "engage red-tower monster");
    then(state, "refused not-an-enemy SM2");
}

static void SM2_what_surrenders_to_the_monster_is_lost_for_all(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-tower for red", "phase combat");
    when(state, "roll-combat monster blue-tower flag");
    then(state, "combat-rolled attacker=monster target=blue-tower value=flag C2",
         "piece-lost piece=blue-tower with=monster SM2",
         "combat-ended attacker=monster target=blue-tower C6");
    now(state, "blue-tower lost", "score red 0");
}

static void SM3_first_topple_wounds_the_monster(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-wounded lives=1 SM3",
         "deadline 3000ms");
    now(state, "monster standing", "monster lives 1", "monster disturbed", "score red 0");
}

static void SM3_monster_on_its_side_cannot_be_toppled_again(void **state)
{
    given(state, "scenario sea-monster", "monster wounded");
    when(state, "ball-left", "toppled monster");
    then(state, "refused flat SM3");
    now(state, "monster lives 1");
}

static void SM3_raising_that_was_undone_can_be_said_again(void **state)
{
    given(state, "scenario sea-monster", "monster wounded");
    when(state, "raised monster", "undo", "raise monster");
    then(state, "piece-restored piece=monster S7");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
}

static void SM3_second_topple_kills_the_monster_and_is_no_trophy(void **state)
{
    given(state, "scenario sea-monster", "monster wounded");
    when(state, "raised monster", "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
    now(state, "monster lost", "monster lives 0", "score red 0");
}

static void SM3_advanced_rules_wound_and_kill_alike(void **state)
{
    given(state, "advanced", "scenario sea-monster");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-wounded lives=1 SM3",
         "deadline 3000ms");
    now(state, "monster standing");
    when(state, "raised monster", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
}

static void SM3_house_decides_how_many_lives_it_has(void **state)
{
    given(state, "scenario sea-monster", "house monster_lives=1");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
    given(state, "scenario sea-monster", "house monster_lives=3");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-wounded lives=2 SM3",
         "deadline 3000ms");
}

static void SM4_owner_of_the_ship_may_end_the_step(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue",
          "phase combat");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "monster fights blue-1");
}

static void SM4_who_attacked_with_it_rolls_in_later_turns(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "phase combat");
    when(state, "end-phase");
    then(state, "refused combat-due C5");
    when(state, "roll-combat monster blue-1 swords", "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "monster fights blue-1");
}

static void SM4_killed_monster_frees_the_ship(void **state)
{
    given(state, "scenario sea-monster", "monster lives 1", "monster fights blue-1 for red",
          "turn blue");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=2 SM3",
         "combat-ended attacker=monster target=blue-1 SM4", "deadline 3000ms");
    now(state, "blue-1 fights nobody");
}

static void SM4_owner_frees_the_ship_by_moving_the_monster_away(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue",
          "phase moving", "die 2");
    when(state, "move monster 1");
    then(state, "piece-moved piece=monster knots=1 cost=1 left=1 SM1",
         "combat-ended attacker=monster target=blue-1 SM4");
    when(state, "move blue-1 1");
    then(state, "piece-moved piece=blue-1 knots=1 cost=1 left=0 M4");
}

static void SM4_any_player_frees_all_ships_by_moving_the_monster_away(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red",
          "monster fights yellow-1 for red", "turn green", "phase moving", "die 2");
    when(state, "move monster 2");
    then(state, "piece-moved piece=monster knots=2 cost=2 left=0 SM1",
         "combat-ended attacker=monster target=blue-1 SM4",
         "combat-ended attacker=monster target=yellow-1 SM4");
}

/* Its sensor has seen it upright, whatever was taken back since. */
static void SM3_topple_counts_after_the_raise_was_undone(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "ball-left", "toppled monster", "raised monster", "undo", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SM3_topple_counts_after_the_raise_was_undone),
        cmocka_unit_test(SM1_points_may_be_spent_on_the_monster),
        REFUSAL(SM1_monster_waits_for_the_die, "move monster 1", "refused not-rolled M1",
                "scenario sea-monster", "phase moving"),
        cmocka_unit_test(SM2_monster_attacks_in_the_turn_it_was_moved),
        REFUSAL(SM2_monster_that_was_not_moved_does_not_attack, "engage monster blue-1",
                "refused not-yours SM2", "scenario sea-monster", "phase combat"),
        cmocka_unit_test(SM2_monster_is_never_attacked_in_close_combat),
        REFUSAL(SM2_monster_never_shoots, "aim monster", "refused not-yours S1",
                "scenario sea-monster"),
        cmocka_unit_test(SM2_what_surrenders_to_the_monster_is_lost_for_all),
        cmocka_unit_test(SM3_first_topple_wounds_the_monster),
        cmocka_unit_test(SM3_monster_on_its_side_cannot_be_toppled_again),
        cmocka_unit_test(SM3_raising_that_was_undone_can_be_said_again),
        REFUSAL(SM3_monster_that_stands_needs_no_raising, "raise monster", "refused nothing-there",
                "scenario sea-monster"),
        cmocka_unit_test(SM3_second_topple_kills_the_monster_and_is_no_trophy),
        cmocka_unit_test(SM3_advanced_rules_wound_and_kill_alike),
        cmocka_unit_test(SM3_house_decides_how_many_lives_it_has),
        REFUSAL(SM4_owner_of_the_ship_cannot_roll_against_the_monster,
                "roll-combat blue-1 monster flag", "refused not-an-enemy SM2",
                "scenario sea-monster", "monster fights blue-1 for red", "turn blue",
                "phase combat"),
        cmocka_unit_test(SM4_owner_of_the_ship_may_end_the_step),
        cmocka_unit_test(SM4_who_attacked_with_it_rolls_in_later_turns),
        cmocka_unit_test(SM4_killed_monster_frees_the_ship),
        cmocka_unit_test(SM4_owner_frees_the_ship_by_moving_the_monster_away),
        cmocka_unit_test(SM4_any_player_frees_all_ships_by_moving_the_monster_away),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
