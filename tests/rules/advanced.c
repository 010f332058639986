/* A: advanced rules, where what topples is damaged and can be raised again. */
#include "tests/support/table.h"

static void A1_toppled_enemy_lies_flat_and_is_nobodys_trophy(void **state)
{
    given(state, "advanced");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 A1", "deadline 3000ms");
    now(state, "blue-1 flat", "ships blue 3", "score red 0");
}

static void A1_toppled_tower_is_damaged_like_a_ship(void **state)
{
    given(state, "advanced");
    when(state, "ball-left", "toppled blue-tower");
    then(state, "piece-toppled piece=blue-tower A1", "deadline 3000ms");
    now(state, "blue-tower flat", "towers blue 1", "score red 0");
}

static void A1_own_piece_that_fell_is_not_damaged(void **state)
{
    given(state, "advanced");
    when(state, "ball-left", "toppled red-2");
    then(state, "disturbance pieces=red-2 S5", "deadline 3000ms");
    now(state, "red-2 standing", "red-2 disturbed");
}

static void A1_player_with_flat_pieces_only_is_not_out(void **state)
{
    given(state, "advanced", "blue-1+blue-2+blue-3 flat");
    when(state, "ball-left", "toppled blue-tower");
    then(state, "piece-toppled piece=blue-tower A1", "deadline 3000ms");
    now(state, "phase shooting", "ships blue 3", "towers blue 1");
}

static void A2_standing_piece_shoots_for_a_player_with_flat_ones(void **state)
{
    given(state, "advanced", "red-1+red-2+red-3 flat");
    when(state, "fire");
    then(state, "shot-fired S2", "deadline 3000ms");
}

static void A2_flat_ship_cannot_move(void **state)
{
    given(state, "advanced", "red-1 flat", "phase moving", "die 3");
    when(state, "move red-1 1");
    then(state, "refused flat M2");
    when(state, "move red-2 1");
    then(state, "piece-moved piece=red-2 knots=1 cost=1 left=2 M4");
}

static void A3_raising_in_the_repair_step_repairs(void **state)
{
    given(state, "advanced", "red-1+red-tower flat", "phase repair");
    when(state, "raised red-1");
    then(state, "piece-repaired piece=red-1 A3");
    when(state, "raise red-tower");
    then(state, "piece-repaired piece=red-tower A3");
    now(state, "red-1+red-tower standing", "red-1+red-tower undisturbed");
}

static void A3_raising_in_another_step_is_a_disturbance(void **state)
{
    given(state, "advanced", "red-1 flat", "phase combat");
    when(state, "raised red-1");
    then(state, "disturbance pieces=red-1 A3");
    now(state, "red-1 flat", "red-1 disturbed");
    when(state, "toppled red-1");
    then(state, "piece-restored piece=red-1 A3");
    now(state, "red-1 flat", "red-1 undisturbed");
}

static void A3_piece_raised_too_early_lies_flat_again_after_a_bump(void **state)
{
    given(state, "advanced", "red-1+red-2 flat", "red-1 disturbed", "phase combat");
    when(state, "knocked red-1+red-2+blue-1");
    then(state, "piece-restored piece=red-1 A3", "disturbance pieces=blue-1 S7");
    now(state, "red-1+red-2 flat", "red-1+red-2 undisturbed", "blue-1 standing");
}

static void A3_others_pieces_are_not_repaired(void **state)
{
    given(state, "advanced", "blue-1 flat", "phase repair");
    when(state, "raised blue-1");
    then(state, "disturbance pieces=blue-1 A3");
    now(state, "blue-1 flat");
}

static void A4_flat_piece_is_captured_without_a_roll(void **state)
{
    given(state, "advanced", "blue-1 flat", "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1",
         "piece-captured piece=blue-1 with=red-1 by=1 how=combat A4",
         "combat-ended attacker=red-1 target=blue-1 C6");
    now(state, "blue-1 captured by red", "score red 1", "combats 0");
}

static void A4_standing_piece_takes_a_roll(void **state)
{
    given(state, "advanced", "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1");
    when(state, "roll-combat red-1 blue-1");
    then(state, "refused missing-field C2");
}

static void A5_flat_piece_cannot_be_toppled_again(void **state)
{
    given(state, "advanced", "blue-1 flat");
    when(state, "ball-left", "toppled blue-1");
    then(state, "refused flat A5");
    when(state, "topple blue-1");
    then(state, "refused flat A5");
}

static void A5_combat_goes_on_when_one_side_is_toppled(void **state)
{
    given(state, "advanced", "red-1 fights blue-1");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 A1", "deadline 3000ms");
    now(state, "red-1 fights blue-1 due");
}

static void A5_flat_side_need_not_and_cannot_roll(void **state)
{
    given(state, "advanced", "red-1 fights blue-1", "blue-1 flat", "turn blue", "phase combat");
    now(state, "red-1 fights blue-1 not due");
    when(state, "roll-combat blue-1 red-1 flag");
    then(state, "refused flat A2");
    when(state, "end-phase");
    then(state, "phase-started phase=repair G3");
    now(state, "red-1 fights blue-1");
}

static void A5_standing_side_wins_in_its_turn_without_a_roll(void **state)
{
    given(state, "advanced", "red-1 fights blue-1", "red-1 flat", "turn blue", "phase combat");
    when(state, "end-phase");
    then(state, "refused combat-due C5");
    when(state, "roll-combat blue-1 red-1");
    then(state, "piece-captured piece=red-1 with=blue-1 by=2 how=combat A4",
         "combat-ended attacker=red-1 target=blue-1 C6");
    now(state, "red-1 captured by blue", "combats 0");
}

/* Swords in this turn, and then somebody declares late that the shot had toppled the target. */
static void A5_side_that_has_rolled_waits_for_its_next_turn(void **state)
{
    given(state, "advanced", "red-1 fights blue-1");
    when(state, "ball-left", "end-phase", "end-phase", "roll-combat red-1 blue-1 swords",
         "topple blue-1", "engage red-1 blue-1");
    then(state, "refused already-rolled C8");
    when(state, "roll-combat red-1 blue-1");
    then(state, "refused already-rolled C8");
}

static void A5_two_flat_sides_wait_for_a_repair(void **state)
{
    given(state, "advanced", "red-1 fights blue-1", "red-1+blue-1 flat", "phase combat");
    when(state, "end-phase", "raised red-1");
    then(state, "piece-repaired piece=red-1 A3");
    now(state, "red-1 fights blue-1 due");
}

static void A6_flat_pirate_is_repaired_by_nobody(void **state)
{
    given(state, "advanced", "scenario pirate-ship", "pirate flat", "phase repair");
    when(state, "raised pirate");
    then(state, "disturbance pieces=pirate A6");
    now(state, "pirate flat", "pirate disturbed");
}

static void A6_flat_pirate_stays_until_it_is_captured(void **state)
{
    given(state, "advanced", "scenario pirate-ship", "pirate flat", "phase combat");
    when(state, "engage red-1 pirate");
    then(state, "combat-started attacker=red-1 target=pirate C1",
         "piece-captured piece=pirate with=red-1 by=1 how=combat A4",
         "combat-ended attacker=red-1 target=pirate C6");
    now(state, "score red 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A1_toppled_enemy_lies_flat_and_is_nobodys_trophy),
        cmocka_unit_test(A1_toppled_tower_is_damaged_like_a_ship),
        cmocka_unit_test(A1_own_piece_that_fell_is_not_damaged),
        cmocka_unit_test(A1_player_with_flat_pieces_only_is_not_out),
        REFUSAL(A2_flat_piece_cannot_shoot, "aim red-1", "refused flat A2", "advanced",
                "red-1 flat"),
        cmocka_unit_test(A2_standing_piece_shoots_for_a_player_with_flat_ones),
        cmocka_unit_test(A2_flat_ship_cannot_move),
        REFUSAL(A2_flat_piece_cannot_attack, "engage red-1 blue-1", "refused flat A2", "advanced",
                "red-1 flat", "phase combat"),
        cmocka_unit_test(A3_raising_in_the_repair_step_repairs),
        cmocka_unit_test(A3_raising_in_another_step_is_a_disturbance),
        cmocka_unit_test(A3_piece_raised_too_early_lies_flat_again_after_a_bump),
        cmocka_unit_test(A3_others_pieces_are_not_repaired),
        cmocka_unit_test(A4_flat_piece_is_captured_without_a_roll),
        cmocka_unit_test(A4_standing_piece_takes_a_roll),
        cmocka_unit_test(A5_flat_piece_cannot_be_toppled_again),
        cmocka_unit_test(A5_combat_goes_on_when_one_side_is_toppled),
        cmocka_unit_test(A5_flat_side_need_not_and_cannot_roll),
        cmocka_unit_test(A5_standing_side_wins_in_its_turn_without_a_roll),
        cmocka_unit_test(A5_side_that_has_rolled_waits_for_its_next_turn),
        cmocka_unit_test(A5_two_flat_sides_wait_for_a_repair),
        cmocka_unit_test(A6_flat_pirate_is_repaired_by_nobody),
        cmocka_unit_test(A6_flat_pirate_stays_until_it_is_captured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
