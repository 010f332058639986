/* C: close combat. */
#include "tests/support/table.h"

static void C1_a_piece_may_attack_an_enemy_next_to_it(void **state)
{
    given(state, "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1");
    now(state, "red-1 fights blue-1 due");
}

static void C1_own_pieces_are_no_enemies(void **state)
{
    given(state, "players 2", "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "refused not-an-enemy C1");
    when(state, "engage red-1 red-1");
    then(state, "refused not-an-enemy C1");
}

static void C2_a_flag_means_surrender(void **state)
{
    given(state, "phase combat", "red-1 fights blue-1");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6");
    now(state, "blue-1 captured by red", "score red 1", "red-1 fights nobody");
}

static void C2_swords_mean_that_it_goes_on(void **state)
{
    given(state, "phase combat", "red-1 fights blue-1");
    when(state, "roll-combat red-1 blue-1 swords");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=swords C2");
    now(state, "red-1 fights blue-1 not due", "blue-1 standing");
}

static void C3_a_tower_may_attack_and_be_attacked(void **state)
{
    given(state, "phase combat");
    when(state, "engage red-tower blue-1");
    then(state, "combat-started attacker=red-tower target=blue-1 C1");
    when(state, "engage red-1 blue-tower", "roll-combat red-1 blue-tower flag");
    then(state, "combat-rolled attacker=red-1 target=blue-tower value=flag C2",
         "piece-captured piece=blue-tower with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-tower C6");
    now(state, "score red 2");
}

static void C4_a_piece_in_close_combat_neither_shoots_nor_moves(void **state)
{
    given(state, "red-1 fights blue-1", "turn blue");
    when(state, "aim blue-1");
    then(state, "refused in-combat C4");
    when(state, "end-phase", "roll-move 3", "move blue-1 1");
    then(state, "refused in-combat M2");
}

static void C4_it_shoots_and_moves_again_when_the_combat_is_over(void **state)
{
    given(state, "phase combat", "red-1 fights blue-1", "turn red");
    when(state, "roll-combat red-1 blue-1 flag", "end-phase", "end-phase", "end-phase", "end-phase",
         "end-phase", "end-phase", "end-phase", "end-phase", "end-phase", "end-phase", "aim red-1");
    then(state, "aimed piece=red-1 S1");
    when(state, "end-phase", "roll-move 1", "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=0 M4");
}

static void C5_step_cannot_end_while_a_combat_is_due(void **state)
{
    given(state, "players 4", "red-1 fights blue-1", "turn blue", "phase combat");
    when(state, "end-phase");
    then(state, "refused combat-due C5");
    now(state, "phase combat", "red-1 fights blue-1 due");
}

static void C5_step_ends_once_every_combat_is_rolled(void **state)
{
    given(state, "red-1 fights blue-1", "blue-2 fights green-1", "turn blue", "phase combat");
    when(state, "roll-combat blue-1 red-1 swords", "end-phase");
    then(state, "refused combat-due C5");
    when(state, "roll-combat blue-2 green-1 swords", "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "turn green", "red-1 fights blue-1 not due", "blue-2 fights green-1 due");
}

static void C5_both_sides_can_win_each_in_its_own_turn(void **state)
{
    given(state, "red-1 fights blue-1", "turn blue", "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=blue-1 target=red-1 value=flag C2",
         "piece-captured piece=red-1 with=blue-1 by=2 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6");
    now(state, "score blue 1", "blue-1 standing");
}

static void C5_a_third_player_has_no_roll(void **state)
{
    given(state, "teams", "red-1 fights blue-1", "turn green", "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "refused not-yours C5");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
}

static void C5_no_roll_is_due_from_a_piece_that_may_not_attack(void **state)
{
    given(state, "scenario merchant", "red-1 loaded at red", "blue-1 fights red-1", "phase combat");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "refused carries-barrel ME4");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "blue-1 fights red-1 due");
}

static void C6_a_piece_may_be_in_several_close_combats(void **state)
{
    given(state, "phase combat", "red-1 fights blue-1");
    when(state, "engage red-1 blue-2", "engage red-2 blue-1");
    then(state, "combat-started attacker=red-2 target=blue-1 C1");
    now(state, "combats 3");
}

static void C6_all_of_them_end_when_the_piece_surrenders(void **state)
{
    given(state, "phase combat", "red-1 fights blue-1", "green-1 fights blue-1",
          "blue-1 fights yellow-tower", "red-1 fights green-1");
    when(state, "roll-combat red-1 blue-1 flag");
    then(state, "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=red-1 target=blue-1 C6",
         "combat-ended attacker=green-1 target=blue-1 C6",
         "combat-ended attacker=blue-1 target=yellow-tower C6");
    now(state, "combats 1", "red-1 fights green-1 due", "yellow-tower fights nobody");
}

static void C6_a_ring_of_three_is_rolled_by_each_for_both_neighbours(void **state)
{
    given(state, "players 3", "phase combat", "red-1 fights blue-1", "blue-1 fights green-1",
          "green-1 fights red-1");
    when(state, "roll-combat red-1 blue-1 swords", "end-phase");
    then(state, "refused combat-due C5");
    when(state, "roll-combat blue-1 green-1 flag");
    then(state, "refused not-yours C5");
    when(state, "roll-combat red-1 green-1 flag");
    then(state, "combat-rolled attacker=red-1 target=green-1 value=flag C2",
         "piece-captured piece=green-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=blue-1 target=green-1 C6",
         "combat-ended attacker=green-1 target=red-1 C6");
    now(state, "red-1 fights blue-1 not due", "combats 1");
}

static void C7_nobody_leaves_a_close_combat(void **state)
{
    given(state, "phase moving", "die 3", "blue-1 fights red-1");
    when(state, "move red-1 3");
    then(state, "refused in-combat M2");
    when(state, "end-phase", "end-phase");
    then(state, "refused combat-due C5");
}

static void C7_a_referee_can_take_it_back(void **state)
{
    given(state, "phase combat");
    when(state, "engage red-1 blue-1", "undo");
    then(state, "undone from=4 to=4");
    now(state, "combats 0");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
}

static void C8_a_combat_started_this_turn_is_rolled_in_this_turn(void **state)
{
    given(state, "phase combat");
    when(state, "engage red-1 blue-1", "end-phase");
    then(state, "refused combat-due C5");
}

static void C8_only_once_in_a_turn(void **state)
{
    given(state, "phase combat");
    when(state, "engage red-1 blue-1", "roll-combat red-1 blue-1 swords",
         "roll-combat red-1 blue-1 flag");
    then(state, "refused already-rolled C8");
    when(state, "engage red-1 blue-1");
    then(state, "refused in-combat C8");
    now(state, "combats 1", "blue-1 standing");
}

static void C8_the_next_turn_has_its_own_roll(void **state)
{
    given(state, "phase combat", "red-1 fought blue-1");
    when(state, "end-phase", "end-phase", "end-phase", "engage blue-1 red-1");
    then(state, "refused in-combat C8");
    when(state, "roll-combat blue-1 red-1 swords");
    then(state, "combat-rolled attacker=blue-1 target=red-1 value=swords C2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C1_a_piece_may_attack_an_enemy_next_to_it),
        cmocka_unit_test(C1_own_pieces_are_no_enemies),
        cmocka_unit_test(C2_a_flag_means_surrender),
        cmocka_unit_test(C2_swords_mean_that_it_goes_on),
        REFUSAL(C2_nobody_rolls_without_a_close_combat, "roll-combat red-1 blue-2 flag",
                "refused not-fighting C2", "phase combat", "red-1 fights blue-1"),
        REFUSAL(C2_the_house_may_have_another_die, "roll-combat red-1 blue-1 flag",
                "refused bad-value C2", "phase combat", "red-1 fights blue-1",
                "house combat_die=swords"),
        cmocka_unit_test(C3_a_tower_may_attack_and_be_attacked),
        REFUSAL(C3_a_flat_piece_cannot_attack, "engage red-1 blue-1", "refused flat A2", "advanced",
                "phase combat", "red-1 flat"),
        cmocka_unit_test(C4_a_piece_in_close_combat_neither_shoots_nor_moves),
        cmocka_unit_test(C4_it_shoots_and_moves_again_when_the_combat_is_over),
        cmocka_unit_test(C5_step_cannot_end_while_a_combat_is_due),
        cmocka_unit_test(C5_step_ends_once_every_combat_is_rolled),
        cmocka_unit_test(C5_both_sides_can_win_each_in_its_own_turn),
        cmocka_unit_test(C5_a_third_player_has_no_roll),
        cmocka_unit_test(C5_no_roll_is_due_from_a_piece_that_may_not_attack),
        cmocka_unit_test(C6_a_piece_may_be_in_several_close_combats),
        cmocka_unit_test(C6_all_of_them_end_when_the_piece_surrenders),
        cmocka_unit_test(C6_a_ring_of_three_is_rolled_by_each_for_both_neighbours),
        cmocka_unit_test(C7_nobody_leaves_a_close_combat),
        cmocka_unit_test(C7_a_referee_can_take_it_back),
        cmocka_unit_test(C8_a_combat_started_this_turn_is_rolled_in_this_turn),
        cmocka_unit_test(C8_only_once_in_a_turn),
        cmocka_unit_test(C8_the_next_turn_has_its_own_roll),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
