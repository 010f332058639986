/* TI: the chest on the island is worth points to the player who holds it at the end. */
#include "../rules_internal.h"

static int take_chest(struct game *game, const struct input *input, struct outcome *out)
{
    int refusal = check_mover(game, input->piece, out);

    if (refusal) {
        return refusal;
    }
    if (game->scenario.treasure.holder) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_TI1);
    }
    game->scenario.treasure.holder = (uint8_t)input->piece;
    emit(game, out, EVENT_CHEST_TAKEN, RULE_TI1)->piece = input->piece;
    return 0;
}

/* TI2: to the winner of a close combat; TI3: a shot sends it back to the island. */
static void left_play(struct game *game, enum piece piece, enum piece winner, struct outcome *out)
{
    if (game->scenario.treasure.holder != piece) {
        return;
    }
    game->scenario.treasure.holder = (uint8_t)winner;
    struct event *event = emit(game, out, EVENT_CHEST_MOVED, winner ? RULE_TI2 : RULE_TI3);
    event->piece = piece;
    event->other = winner;
}

bool rules_has_chest(const struct game *game, enum piece piece)
{
    return game->setup.scenario == SCENARIO_TREASURE_ISLAND && piece != PIECE_NONE &&
           game->scenario.treasure.holder == piece;
}

/* TI5: at the end, and not before. */
static int points(const struct game *game, unsigned player)
{
    return game->phase == PHASE_OVER &&
                   rules_owner(game, (enum piece)game->scenario.treasure.holder) == player
               ? game->setup.house.chest_points
               : 0;
}

static const char *violation(const struct game *game)
{
    enum piece holder = game->scenario.treasure.holder;

    if (holder && (!rules_in_play(game, holder) || !rules_owner(game, holder))) {
        return "the chest is on the island or with a player's piece in play";
    }
    return 0;
}

static step_fn *const steps[PHASE_COUNT][INPUT_COUNT] = {
    [PHASE_MOVING] = {[INPUT_TAKE_CHEST] = take_chest},
};

const struct scenario scenario_treasure_island = {
    .steps = steps,
    .left_play = left_play,
    .points = points,
    .violation = violation,
};
