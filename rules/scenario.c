/* The table of hooks of each scenario. */
#include "rules_internal.h"

#define HOOKS_DECLARATION(name, word, hooks) extern const struct scenario scenario_##hooks;
#define HOOKS_ROW(name, word, hooks) [SCENARIO_##name] = &scenario_##hooks,

RULES_SCENARIOS(HOOKS_DECLARATION)

static const struct scenario *const scenarios[SCENARIO_COUNT] = {&scenario_none, /* the lobby */
                                                                 RULES_SCENARIOS(HOOKS_ROW)};

const struct scenario scenario_none = {0};

const struct scenario *scenario_of(const struct game *game)
{
    return scenario_of_setup(&game->setup);
}

const struct scenario *scenario_of_setup(const struct setup *setup)
{
    return scenarios[setup->scenario];
}
