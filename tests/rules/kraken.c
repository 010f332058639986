/* KR1, KR2: where the kraken goes and what it holds; kraken_combat.c has the rest. */
#include "tests/support/table.h"

static void KR1_points_may_be_spent_on_the_kraken(void **state)
{
    given(state, "scenario kraken", "phase moving", "die 3");
    when(state, "move kraken 2");
    then(state, "piece-moved piece=kraken knots=2 cost=2 left=1 KR1");
    when(state, "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=0 M4");
}

static void KR1_kraken_goes_no_further_than_the_points(void **state)
{
    given(state, "scenario kraken", "phase moving", "die 1");
    when(state, "move kraken 2");
    then(state, "refused not-enough-points M5");
}

static void KR1_kraken_waits_for_the_die(void **state)
{
    given(state, "scenario kraken", "phase moving");
    when(state, "move kraken 1");
    then(state, "refused not-rolled M1");
}

static void KR1_other_scenarios_have_no_kraken(void **state)
{
    given(state, "scenario pirate-ship", "phase moving", "die 3");
    when(state, "move kraken 1");
    then(state, "refused not-in-scenario");
    when(state, "entangle blue-1");
    then(state, "refused not-in-scenario");
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

static void KR2_kraken_that_was_not_moved_entangles_nothing(void **state)
{
    given(state, "scenario kraken", "phase moving", "die 3");
    when(state, "entangle blue-1");
    then(state, "refused nothing-there KR2");
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

static void KR2_unnamed_move_needs_a_ship_that_is_free(void **state)
{
    given(state, "scenario kraken", "red-2+red-3 captured by blue", "kraken holds red-1",
          "phase moving", "die 3");
    when(state, "move knots=1");
    then(state, "refused entangled KR2");
}

static void KR2_entangled_ship_may_shoot(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1");
    when(state, "aim red-1");
    then(state, "aimed piece=red-1 S1");
}

static void KR2_entangled_ship_that_fights_the_kraken_cannot_shoot(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "red-1 fights kraken");
    when(state, "aim red-1");
    then(state, "refused in-combat C4");
}

static void KR2_entangled_ship_may_fight_other_enemies(void **state)
{
    given(state, "scenario kraken", "kraken holds red-1", "phase combat");
    when(state, "engage red-1 blue-1");
    then(state, "combat-started attacker=red-1 target=blue-1 C1");
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

static void KR2_kraken_that_fights_cannot_be_moved(void **state)
{
    given(state, "scenario kraken", "kraken holds blue-1", "blue-1 fights kraken", "phase moving",
          "die 3");
    when(state, "move kraken 1");
    then(state, "refused in-combat M2");
}

static void KR2_ship_that_leaves_play_is_held_no_longer(void **state)
{
    given(state, "scenario kraken", "kraken holds blue-1", "blue-1 fights kraken");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "combat-ended attacker=blue-1 target=kraken C6", "deadline 3000ms");
    now(state, "kraken holds nobody");
}

static void KR2_flat_ship_stays_entangled(void **state)
{
    given(state, "advanced", "scenario kraken", "kraken holds blue-1");
    when(state, "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 A1", "deadline 3000ms");
    now(state, "kraken holds blue-1");
}

static void KR2_undone_entangling_lets_the_ship_go(void **state)
{
    given(state, "scenario kraken", "kraken moved", "phase moving", "die 3");
    when(state, "entangle blue-1", "undo");
    then(state, "undone from=4 to=4");
    now(state, "kraken holds nobody");
    when(state, "entangle green-1");
    then(state, "ship-entangled piece=green-1 KR2");
}

static void KR2_undone_move_puts_the_kraken_back_under_its_ship(void **state)
{
    given(state, "scenario kraken", "kraken holds blue-1", "phase moving", "die 3");
    when(state, "move kraken 1", "undo");
    then(state, "undone from=4 to=5");
    now(state, "kraken holds blue-1", "left 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(KR1_points_may_be_spent_on_the_kraken),
        cmocka_unit_test(KR1_kraken_goes_no_further_than_the_points),
        cmocka_unit_test(KR1_kraken_waits_for_the_die),
        cmocka_unit_test(KR1_other_scenarios_have_no_kraken),
        cmocka_unit_test(KR2_moved_kraken_entangles_a_ship),
        cmocka_unit_test(KR2_own_ship_is_entangled_too),
        cmocka_unit_test(KR2_kraken_that_was_not_moved_entangles_nothing),
        cmocka_unit_test(KR2_kraken_holds_one_ship_at_a_time),
        cmocka_unit_test(KR2_kraken_must_lie_under_the_ship_in_the_moving_step),
        cmocka_unit_test(KR2_towers_and_captured_ships_are_not_entangled),
        cmocka_unit_test(KR2_entangled_ship_cannot_move),
        cmocka_unit_test(KR2_unnamed_move_needs_a_ship_that_is_free),
        cmocka_unit_test(KR2_entangled_ship_may_shoot),
        cmocka_unit_test(KR2_entangled_ship_that_fights_the_kraken_cannot_shoot),
        cmocka_unit_test(KR2_entangled_ship_may_fight_other_enemies),
        cmocka_unit_test(KR2_moving_the_kraken_away_frees_the_ship),
        cmocka_unit_test(KR2_moved_kraken_may_entangle_the_same_ship_again),
        cmocka_unit_test(KR2_kraken_that_fights_cannot_be_moved),
        cmocka_unit_test(KR2_ship_that_leaves_play_is_held_no_longer),
        cmocka_unit_test(KR2_flat_ship_stays_entangled),
        cmocka_unit_test(KR2_undone_entangling_lets_the_ship_go),
        cmocka_unit_test(KR2_undone_move_puts_the_kraken_back_under_its_ship),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
