/* KR3, KR4: who fights the kraken, and what a flag is good for. */
#include "tests/support/table.h"

static void KR3_entangled_ship_fights_the_kraken(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "phase combat");
    when(state, "engage red-1 kraken");
    then(state, "combat-started attacker=red-1 target=kraken C1");
}

static void KR3_no_other_piece_fights_the_kraken(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "phase combat");
    when(state, "engage red-2 kraken");
    then(state, "refused not-an-enemy KR3");
    when(state, "engage red-tower kraken");
    then(state, "refused not-an-enemy KR3");
}

static void KR3_team_mate_does_not_fight_for_the_entangled_ship(void **state)
{
    given(state, "teams", "scenario kraken", "kraken holds green-1", "phase combat");
    when(state, "engage red-1 kraken");
    then(state, "refused not-an-enemy KR3");
    when(state, "engage green-1 kraken");
    then(state, "refused not-yours C1");
}

static void KR3_kraken_cannot_be_shot(void **state)
{
    given(state, "scenario kraken");
    when(state, "ball-left", "topple kraken");
    then(state, "refused bad-value KR3");
}

static void KR3_bump_does_not_topple_the_kraken(void **state)
{
    given(state, "scenario kraken");
    when(state, "knocked kraken");
    then(state, "refused nothing-there S7");
}

static void KR3_kraken_does_not_attack(void **state)
{
    given(state, "scenario kraken", "kraken moved", "phase moving", "die 3");
    when(state, "entangle blue-1", "end-phase", "engage kraken blue-1");
    then(state, "refused not-yours KR3");
}

static void KR3_flat_ship_does_not_fight_the_kraken(void **state)
{
    given(state, "advanced", "scenario kraken", "kraken holds red-1", "red-1 fights kraken",
          "red-1 flat", "phase combat");
    when(state, "roll-combat red-1 kraken flag");
    then(state, "refused flat A2");
    when(state, "end-phase");
    then(state, "phase-started phase=repair G3");
}

static void KR4_flag_frees_the_ship(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat");
    when(state, "roll-combat red-1 kraken flag");
    then(state, "combat-rolled attacker=red-1 target=kraken value=flag C2",
         "combat-ended attacker=red-1 target=kraken KR4", "ship-released piece=red-1 KR4");
    now(state, "kraken holds nobody", "kraken standing", "score red 0");
}

static void KR4_swords_hold_the_ship(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat");
    when(state, "roll-combat red-1 kraken swords");
    then(state, "combat-rolled attacker=red-1 target=kraken value=swords C2");
    when(state, "move kraken 1");
    then(state, "refused not-in-phase G3");
    now(state, "kraken holds red-1", "red-1 fights kraken");
}

static void KR4_owner_of_the_ship_must_roll_in_each_turn(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat");
    when(state, "end-phase");
    then(state, "refused combat-due C5");
}

static void KR4_nobody_rolls_for_the_kraken(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "turn blue",
          "phase combat");
    when(state, "roll-combat kraken red-1 flag");
    then(state, "refused not-yours C5");
    when(state, "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
}

static void KR4_beaten_kraken_is_moved_three_knots_without_points(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat",
          "left 1");
    when(state, "roll-combat red-1 kraken flag", "move kraken 3");
    then(state, "piece-moved piece=kraken knots=3 cost=3 left=0 KR4");
    now(state, "left 1");
}

static void KR4_beaten_kraken_goes_no_further_than_three_knots(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "move kraken 3.2");
    then(state, "piece-moved piece=kraken knots=3.2 cost=3 left=0 KR4");
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "move kraken 3.3");
    then(state, "refused not-enough-points KR4");
}

static void KR4_free_knots_may_be_used_in_several_pieces(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "move kraken 1", "move kraken 1");
    then(state, "piece-moved piece=kraken knots=1 cost=1 left=1 KR4");
    when(state, "move knots=1");
    then(state, "piece-moved piece=kraken knots=1 cost=1 left=0 KR4");
    when(state, "move kraken 1");
    then(state, "refused not-in-phase G3");
}

static void KR4_beaten_kraken_entangles_the_next_ship(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "entangle blue-1");
    then(state, "refused nothing-there KR2");
    when(state, "move kraken 2", "entangle blue-1");
    then(state, "ship-entangled piece=blue-1 KR2");
    when(state, "move kraken 1");
    then(state, "piece-moved piece=kraken knots=1 cost=1 left=0 KR4",
         "ship-released piece=blue-1 KR2");
}

static void KR4_ships_do_not_move_on_the_free_knots(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat", "die 3");
    when(state, "move red-1 1");
    then(state, "refused not-in-phase G3");
}

static void KR4_kraken_in_its_next_combat_does_not_use_the_free_knots(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "move kraken 1", "entangle red-2", "engage red-2 kraken",
         "roll-combat red-2 kraken swords", "move kraken 1");
    then(state, "refused in-combat M2");
    now(state, "kraken holds red-2", "red-2 fights kraken");
}

static void KR4_free_move_says_how_far(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "move kraken");
    then(state, "refused missing-field M5");
}

static void KR4_free_knots_are_gone_with_the_step(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "end-phase", "end-phase", "end-phase", "move kraken 1");
    then(state, "refused not-in-phase G3");
    now(state, "turn blue", "phase combat");
}

static void KR4_house_decides_how_far_the_beaten_kraken_goes(void **state)
{
    given(state, "scenario kraken", "house kraken_knots=1", "kraken holds red-1",
          "red-1 fights kraken", "phase combat");
    when(state, "roll-combat red-1 kraken flag", "move kraken 2");
    then(state, "refused not-enough-points KR4");
}

static void KR4_undone_flag_puts_the_ship_back_into_its_arms(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat");
    when(state, "roll-combat red-1 kraken flag", "undo");
    then(state, "undone from=4 to=6");
    now(state, "kraken holds red-1", "red-1 fights kraken due");
}

static void KR4_rope_measures_the_beaten_kraken(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat");
    when(state, "rope-over knots=3.5");
    then(state, "refused not-in-phase G3");
    when(state, "roll-combat red-1 kraken flag", "rope-over knots=3.5");
    then(state, "rope-over piece=kraken knots=3.5 left=3 M5");
    when(state, "rope-over knots=4");
    then(state, "refused nothing-there M5");
    when(state, "move kraken 2", "rope-over knots=1.5");
    then(state, "rope-over piece=kraken knots=1.5 left=1 M5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(KR4_rope_measures_the_beaten_kraken),
        cmocka_unit_test(KR3_entangled_ship_fights_the_kraken),
        cmocka_unit_test(KR3_no_other_piece_fights_the_kraken),
        cmocka_unit_test(KR3_team_mate_does_not_fight_for_the_entangled_ship),
        cmocka_unit_test(KR3_kraken_cannot_be_shot),
        cmocka_unit_test(KR3_bump_does_not_topple_the_kraken),
        cmocka_unit_test(KR3_kraken_does_not_attack),
        cmocka_unit_test(KR3_flat_ship_does_not_fight_the_kraken),
        cmocka_unit_test(KR4_flag_frees_the_ship),
        cmocka_unit_test(KR4_swords_hold_the_ship),
        cmocka_unit_test(KR4_owner_of_the_ship_must_roll_in_each_turn),
        cmocka_unit_test(KR4_nobody_rolls_for_the_kraken),
        cmocka_unit_test(KR4_beaten_kraken_is_moved_three_knots_without_points),
        cmocka_unit_test(KR4_beaten_kraken_goes_no_further_than_three_knots),
        cmocka_unit_test(KR4_free_knots_may_be_used_in_several_pieces),
        cmocka_unit_test(KR4_beaten_kraken_entangles_the_next_ship),
        cmocka_unit_test(KR4_ships_do_not_move_on_the_free_knots),
        cmocka_unit_test(KR4_kraken_in_its_next_combat_does_not_use_the_free_knots),
        cmocka_unit_test(KR4_free_move_says_how_far),
        cmocka_unit_test(KR4_free_knots_are_gone_with_the_step),
        cmocka_unit_test(KR4_house_decides_how_far_the_beaten_kraken_goes),
        cmocka_unit_test(KR4_undone_flag_puts_the_ship_back_into_its_arms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
