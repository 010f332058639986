/* C: close combat. */
#include "tests/support/table.h"

static void C5_step_cannot_end_while_a_combat_is_due(void **state)
{
    given(state, "players 4", "red-1 fights blue-1", "turn blue", "phase combat");
    when(state, "end-phase");
    then(state, "refused combat-due C5");
    now(state, "phase combat", "red-1 fights blue-1 due");
}

static void C5_step_ends_once_every_combat_is_rolled(void **state)
{
    given(state, "players 4", "red-1 fights blue-1", "turn blue", "phase combat");
    when(state, "roll-combat blue-1 red-1 swords", "end-phase");
    then(state, "turn-started G2", "phase-started phase=shooting G3");
    now(state, "turn green", "red-1 fights blue-1 not due");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C5_step_cannot_end_while_a_combat_is_due),
        cmocka_unit_test(C5_step_ends_once_every_combat_is_rolled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
