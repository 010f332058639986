#include "ways.h"

#include <stddef.h>

static bool is_running(const struct game *game)
{
    return game->phase != PHASE_LOBBY && game->phase != PHASE_OVER;
}

/* Whether the input is accepted; game is then the game after it. */
static bool leads_on(struct game *game, const struct input *input)
{
    struct outcome out;

    return rules_step(game, input, &out) == 0;
}

/* C5: every close combat that is due can be rolled for, and then the step can be ended. */
static bool can_end_step(struct game game)
{
    const struct house *house = &game.setup.house;
    const struct input end = {.kind = INPUT_END_PHASE, .at_us = game.turn.shot_at_us};

    for (unsigned i = 0; game.phase == PHASE_COMBAT && i < game.combat_count;) {
        struct input roll = {
            .kind = INPUT_ROLL_COMBAT,
            .piece = game.combats[i].attacker,
            .other = game.combats[i].target,
            .value = house->combat_die[0],
        };
        if (!rules_combat_due(&game, i)) {
            i++;
        } else if (!leads_on(&game, &roll)) {
            return false;
        } else {
            i = 0; /* a flag may have ended several */
        }
    }
    return !is_running(&game) || leads_on(&game, &end);
}

/* A piece that is not as the game says can be put right by saying so. */
static bool can_put_right(struct game game, enum piece piece)
{
    bool lies = game.lying & (UINT32_C(1) << piece);
    const struct input input = {.kind = lies ? INPUT_RAISE : INPUT_TOPPLE, .piece = piece};

    return leads_on(&game, &input) && !rules_disturbed(&game, piece);
}

/* SM3: the wounded monster can be stood up. */
static bool can_stand_up(struct game game)
{
    const struct input raise = {.kind = INPUT_RAISE, .piece = PIECE_MONSTER};

    return leads_on(&game, &raise) && !game.scenario.monster.down;
}

/* Whether the step may have changed what can be done about a piece; saves most of the tries. */
static bool is_news(const struct game *before, const struct game *game, enum piece piece)
{
    return before->phase != game->phase ||
           rules_disturbed(before, piece) != rules_disturbed(game, piece);
}

const char *check_ways(const struct game *before, const struct game *game)
{
    if (!is_running(game)) {
        return NULL;
    }
    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++) {
        if (rules_disturbed(game, piece) && is_news(before, game, piece) &&
            !can_put_right(*game, piece)) {
            return "a disturbed piece can be put right";
        }
    }
    if (game->setup.scenario == SCENARIO_SEA_MONSTER && game->scenario.monster.down &&
        !can_stand_up(*game)) {
        return "the wounded monster can be stood up";
    }
    return can_end_step(*game) ? NULL : "the step can be ended, after the rolls that are due";
}
