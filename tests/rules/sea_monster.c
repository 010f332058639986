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

static void SM1_monster_waits_for_the_die(void **state)
{
    given(state, "scenario sea-monster", "phase moving");
    when(state, "move monster 1");
    then(state, "refused not-rolled M1");
}

static void SM1_other_scenarios_have_no_monster(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move monster 1");
    then(state, "refused not-in-scenario");
}

static void SM2_monster_attacks_in_the_turn_it_was_moved(void **state)
{
    given(state, "scenario sea-monster", "phase moving", "die 3");
    when(state, "move monster 1", "end-phase", "engage monster blue-1");
    then(state, "combat-started attacker=monster target=blue-1 C1");
}

static void SM2_monster_that_was_not_moved_does_not_attack(void **state)
{
    given(state, "scenario sea-monster", "phase combat");
    when(state, "engage monster blue-1");
    then(state, "refused not-yours SM2");
}

static void SM2_monster_does_not_attack_friends_of_its_mover(void **state)
{
    given(state, "teams", "scenario sea-monster", "monster moved", "phase combat");
    when(state, "engage monster red-1");
    then(state, "refused not-an-enemy C1");
    when(state, "engage monster green-tower");
    then(state, "refused not-an-enemy C1");
}

static void SM2_monster_is_never_attacked_in_close_combat(void **state)
{
    given(state, "scenario sea-monster", "phase combat");
    when(state, "engage red-1 monster");
    then(state, "refused not-an-enemy SM2");
    when(state, "engage red-tower monster");
    then(state, "refused not-an-enemy SM2");
}

static void SM2_monster_never_shoots(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "aim monster");
    then(state, "refused not-yours S1");
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

static void SM2_flat_piece_is_lost_to_the_monster_without_a_roll(void **state)
{
    given(state, "advanced", "scenario sea-monster", "blue-1 flat", "monster moved",
          "phase combat");
    when(state, "engage monster blue-1");
    then(state, "combat-started attacker=monster target=blue-1 C1",
         "piece-lost piece=blue-1 with=monster SM2",
         "combat-ended attacker=monster target=blue-1 C6");
}

static void SM2_losing_the_last_piece_puts_a_player_out(void **state)
{
    given(state, "players 3", "scenario sea-monster", "blue-2+blue-3+blue-tower lost",
          "red-2 captured by green", "monster fights blue-1 for red", "phase combat");
    when(state, "roll-combat monster blue-1 flag");
    then(state, "combat-rolled attacker=monster target=blue-1 value=flag C2",
         "piece-lost piece=blue-1 with=monster SM2",
         "combat-ended attacker=monster target=blue-1 C6", "player-out out=2 E1",
         "game-over ranking=3:1,1:0,2:0 winners=3 E3");
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

static void SM3_wounded_monster_is_stood_up(void **state)
{
    given(state, "scenario sea-monster", "monster wounded");
    when(state, "raised monster");
    then(state, "piece-restored piece=monster S7");
    now(state, "monster lives 1", "monster undisturbed");
}

static void SM3_raising_that_was_undone_can_be_said_again(void **state)
{
    given(state, "scenario sea-monster", "monster wounded");
    when(state, "raised monster", "undo", "raise monster");
    then(state, "piece-restored piece=monster S7");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
}

static void SM3_monster_that_stands_needs_no_raising(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "raise monster");
    then(state, "refused nothing-there");
}

static void SM3_second_topple_kills_the_monster_and_is_no_trophy(void **state)
{
    given(state, "scenario sea-monster", "monster wounded");
    when(state, "raised monster", "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
    now(state, "monster lost", "monster lives 0", "score red 0");
}

static void SM3_both_topples_may_happen_in_one_shot_window(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "ball-left", "toppled monster", "raised monster", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-killed by=1 SM3", "deadline 3000ms");
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

static void SM3_fall_without_a_shot_costs_no_life(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "toppled monster");
    then(state, "disturbance pieces=monster S7");
    now(state, "monster lives 2");
}

static void SM3_bump_costs_no_life(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "ball-left", "knocked monster+red-1");
    then(state, "disturbance pieces=red-1+monster S7", "deadline 3000ms");
    now(state, "monster lives 2");
}

static void SM3_dead_monster_is_out_of_play(void **state)
{
    given(state, "scenario sea-monster", "monster lives 1", "phase shooting");
    when(state, "ball-left", "toppled monster", "@3000ms window-over", "roll-move 3",
         "move monster 1");
    then(state, "refused out-of-play");
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

static void SM3_undone_wound_gives_the_life_back(void **state)
{
    given(state, "scenario sea-monster");
    when(state, "ball-left", "topple monster", "undo");
    then(state, "undone from=5 to=6", "deadline 3000ms");
    now(state, "monster lives 2", "monster undisturbed");
}

static void SM3_undone_kill_brings_the_monster_and_its_combat_back(void **state)
{
    given(state, "scenario sea-monster", "monster lives 1", "monster fights blue-1 for red",
          "turn green");
    when(state, "ball-left", "topple monster", "undo");
    then(state, "undone from=5 to=7", "deadline 3000ms");
    now(state, "monster standing", "monster lives 1", "monster fights blue-1");
}

static void SM4_owner_of_the_ship_cannot_roll_against_the_monster(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue",
          "phase combat");
    when(state, "roll-combat blue-1 monster flag");
    then(state, "refused not-an-enemy SM2");
}

static void SM4_owner_of_the_ship_may_end_the_step(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue",
          "phase combat");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "monster fights blue-1");
}

static void SM4_ship_in_its_grip_neither_shoots_nor_moves(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue");
    when(state, "aim blue-1");
    then(state, "refused in-combat C4");
    when(state, "end-phase", "roll-move 3", "move blue-1 1");
    then(state, "refused in-combat M2");
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

static void SM4_third_player_has_no_part_in_the_combat(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn green",
          "phase combat");
    when(state, "roll-combat monster blue-1 flag");
    then(state, "refused not-yours C5");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
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

static void SM4_wounded_monster_holds_on(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue");
    when(state, "ball-left", "toppled monster");
    then(state, "piece-toppled piece=monster SM3", "monster-wounded lives=1 SM3",
         "deadline 3000ms");
    now(state, "monster fights blue-1");
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

static void SM4_undone_move_puts_the_ship_into_its_grip_again(void **state)
{
    given(state, "scenario sea-monster", "monster fights blue-1 for red", "turn blue",
          "phase moving", "die 2");
    when(state, "move monster 1", "undo");
    then(state, "undone from=4 to=5");
    now(state, "monster fights blue-1", "left 2");
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
        cmocka_unit_test(SM1_monster_waits_for_the_die),
        cmocka_unit_test(SM1_other_scenarios_have_no_monster),
        cmocka_unit_test(SM2_monster_attacks_in_the_turn_it_was_moved),
        cmocka_unit_test(SM2_monster_that_was_not_moved_does_not_attack),
        cmocka_unit_test(SM2_monster_does_not_attack_friends_of_its_mover),
        cmocka_unit_test(SM2_monster_is_never_attacked_in_close_combat),
        cmocka_unit_test(SM2_monster_never_shoots),
        cmocka_unit_test(SM2_what_surrenders_to_the_monster_is_lost_for_all),
        cmocka_unit_test(SM2_flat_piece_is_lost_to_the_monster_without_a_roll),
        cmocka_unit_test(SM2_losing_the_last_piece_puts_a_player_out),
        cmocka_unit_test(SM3_first_topple_wounds_the_monster),
        cmocka_unit_test(SM3_monster_on_its_side_cannot_be_toppled_again),
        cmocka_unit_test(SM3_wounded_monster_is_stood_up),
        cmocka_unit_test(SM3_raising_that_was_undone_can_be_said_again),
        cmocka_unit_test(SM3_monster_that_stands_needs_no_raising),
        cmocka_unit_test(SM3_second_topple_kills_the_monster_and_is_no_trophy),
        cmocka_unit_test(SM3_both_topples_may_happen_in_one_shot_window),
        cmocka_unit_test(SM3_advanced_rules_wound_and_kill_alike),
        cmocka_unit_test(SM3_fall_without_a_shot_costs_no_life),
        cmocka_unit_test(SM3_bump_costs_no_life),
        cmocka_unit_test(SM3_dead_monster_is_out_of_play),
        cmocka_unit_test(SM3_house_decides_how_many_lives_it_has),
        cmocka_unit_test(SM3_undone_wound_gives_the_life_back),
        cmocka_unit_test(SM3_undone_kill_brings_the_monster_and_its_combat_back),
        cmocka_unit_test(SM4_owner_of_the_ship_cannot_roll_against_the_monster),
        cmocka_unit_test(SM4_owner_of_the_ship_may_end_the_step),
        cmocka_unit_test(SM4_ship_in_its_grip_neither_shoots_nor_moves),
        cmocka_unit_test(SM4_who_attacked_with_it_rolls_in_later_turns),
        cmocka_unit_test(SM4_third_player_has_no_part_in_the_combat),
        cmocka_unit_test(SM4_killed_monster_frees_the_ship),
        cmocka_unit_test(SM4_wounded_monster_holds_on),
        cmocka_unit_test(SM4_owner_frees_the_ship_by_moving_the_monster_away),
        cmocka_unit_test(SM4_any_player_frees_all_ships_by_moving_the_monster_away),
        cmocka_unit_test(SM4_undone_move_puts_the_ship_into_its_grip_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
