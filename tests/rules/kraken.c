/* KR: the kraken, which holds the ship it lies under and is fought by it. */
#include "tests/support/table.h"

static void KR1_points_may_be_spent_on_the_kraken(void **state)
{
    given(state, "scenario kraken", "phase moving", "die 3");
    when(state, "move kraken 2");
    then(state, "piece-moved piece=kraken knots=2 cost=2 left=1 KR1");
    when(state, "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=0 M4");
}

static void KR2_moved_kraken_entangles_a_ship(void **state)
{
    given(state, "scenario kraken", "phase moving", "die 3");
    when(state, "move kraken 1", "entangle blue-1");
    then(state, "ship-entangled piece=blue-1 KR2");
    now(state, "kraken holds blue-1");
}

static void KR2_own_ship_is_entangled_too(void **state)
{
    given(state, "scenario kraken", "kraken moved", "phase moving", "die 3");
    when(state, "entangle red-1");
    then(state, "ship-entangled piece=red-1 KR2");
    when(state, "move red-1 1");
    then(state, "refused entangled KR2");
}

static void KR2_kraken_holds_one_ship_at_a_time(void **state)
{
    given(state, "scenario kraken", "kraken moved", "phase moving", "die 3");
    when(state, "entangle blue-1", "entangle green-1");
    then(state, "refused nothing-there KR2");
    now(state, "kraken holds blue-1");
}

static void KR2_kraken_must_lie_under_the_ship_in_the_moving_step(void **state)
{
    given(state, "scenario kraken", "kraken moved", "phase moving", "die 3");
    when(state, "end-phase", "entangle blue-1");
    then(state, "refused nothing-there KR2");
}

static void KR2_towers_and_captured_ships_are_not_entangled(void **state)
{
    given(state, "scenario kraken", "kraken moved", "blue-1 captured by red", "phase moving");
    when(state, "entangle blue-tower");
    then(state, "refused bad-value KR2");
    when(state, "entangle blue-1");
    then(state, "refused out-of-play");
}

static void KR2_entangled_ship_cannot_move(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "phase moving", "die 3");
    when(state, "move red-1 1");
    then(state, "refused entangled KR2");
    when(state, "select red-1");
    then(state, "refused entangled KR2");
    when(state, "move red-2 1");
    then(state, "piece-moved piece=red-2 knots=1 cost=1 left=2 M4");
}

static void KR2_entangled_ship_may_shoot(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1");
    when(state, "aim red-1");
    then(state, "aimed piece=red-1 S1");
}

static void KR2_moving_the_kraken_away_frees_the_ship(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "phase moving", "die 3");
    when(state, "move kraken 1");
    then(state, "piece-moved piece=kraken knots=1 cost=1 left=2 KR1",
         "ship-released piece=red-1 KR2");
    when(state, "move red-1 2");
    then(state, "piece-moved piece=red-1 knots=2 cost=2 left=0 M4");
}

static void KR2_moved_kraken_may_entangle_the_same_ship_again(void **state)
{
    given(state, "scenario kraken", "kraken holds blue-1", "phase moving", "die 3");
    when(state, "move kraken 1", "entangle blue-1");
    then(state, "ship-entangled piece=blue-1 KR2");
}

static void KR2_ship_that_leaves_play_is_held_no_longer(void **state)
{
    given(state, "scenario kraken", "kraken holds blue-1", "blue-1 fights kraken");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "combat-ended attacker=blue-1 target=kraken C6", "deadline 3000ms");
    now(state, "kraken holds nobody");
}

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

static void KR3_kraken_cannot_be_shot(void **state)
{
    given(state, "scenario kraken");
    when(state, "ball-left", "topple kraken");
    then(state, "refused bad-value KR3");
}

static void KR3_kraken_does_not_attack(void **state)
{
    given(state, "scenario kraken", "kraken moved", "phase moving", "die 3");
    when(state, "entangle blue-1", "end-phase", "engage kraken blue-1");
    then(state, "refused not-yours KR3");
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

static void KR4_kraken_in_its_next_combat_does_not_use_the_free_knots(void **state)
{
    given(state, "scenario kraken", "kraken free 3", "phase combat");
    when(state, "move kraken 1", "entangle red-2", "engage red-2 kraken",
         "roll-combat red-2 kraken swords", "move kraken 1");
    then(state, "refused in-combat M2");
    now(state, "kraken holds red-2", "red-2 fights kraken");
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
        cmocka_unit_test(KR1_points_may_be_spent_on_the_kraken),
        REFUSAL(KR1_kraken_goes_no_further_than_the_points, "move kraken 2",
                "refused not-enough-points M5", "scenario kraken", "phase moving", "die 1"),
        cmocka_unit_test(KR2_moved_kraken_entangles_a_ship),
        cmocka_unit_test(KR2_own_ship_is_entangled_too),
        cmocka_unit_test(KR2_kraken_holds_one_ship_at_a_time),
        cmocka_unit_test(KR2_kraken_must_lie_under_the_ship_in_the_moving_step),
        cmocka_unit_test(KR2_towers_and_captured_ships_are_not_entangled),
        cmocka_unit_test(KR2_entangled_ship_cannot_move),
        cmocka_unit_test(KR2_entangled_ship_may_shoot),
        cmocka_unit_test(KR2_moving_the_kraken_away_frees_the_ship),
        cmocka_unit_test(KR2_moved_kraken_may_entangle_the_same_ship_again),
        cmocka_unit_test(KR2_ship_that_leaves_play_is_held_no_longer),
        cmocka_unit_test(KR4_rope_measures_the_beaten_kraken),
        cmocka_unit_test(KR3_entangled_ship_fights_the_kraken),
        cmocka_unit_test(KR3_no_other_piece_fights_the_kraken),
        cmocka_unit_test(KR3_kraken_cannot_be_shot),
        cmocka_unit_test(KR3_kraken_does_not_attack),
        cmocka_unit_test(KR4_flag_frees_the_ship),
        cmocka_unit_test(KR4_swords_hold_the_ship),
        REFUSAL(KR4_owner_of_the_ship_must_roll_in_each_turn, "end-phase", "refused combat-due C5",
                "scenario kraken", "kraken holds red-1", "red-1 fights kraken", "phase combat"),
        cmocka_unit_test(KR4_beaten_kraken_is_moved_three_knots_without_points),
        cmocka_unit_test(KR4_beaten_kraken_goes_no_further_than_three_knots),
        cmocka_unit_test(KR4_beaten_kraken_entangles_the_next_ship),
        cmocka_unit_test(KR4_kraken_in_its_next_combat_does_not_use_the_free_knots),
        cmocka_unit_test(KR4_free_knots_are_gone_with_the_step),
        cmocka_unit_test(KR4_house_decides_how_far_the_beaten_kraken_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
