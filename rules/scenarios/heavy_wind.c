/* HW: ships near the wind tile move further, and players may move the tile. */
#include "../rules_internal.h"

static void reset_wind(struct game *game)
{
    game->scenario.wind = (struct wind){0};
}

/* HW1: players declare that the ship is near the tile; no sensor sees it. */
static int catch_wind(struct game *game, const struct input *input, struct outcome *out)
{
    enum piece piece = input->piece;
    int refusal = check_mover(game, piece, out);

    if (refusal) {
        return refusal;
    }
    if (game->scenario.wind.caught[piece]) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_HW1);
    }
    game->scenario.wind.caught[piece] = 1;
    game->turn.extra[piece] = game->setup.house.wind_bonus;
    struct event *event = emit(game, out, EVENT_WIND_CAUGHT, RULE_HW1);
    event->piece = piece;
    event->left = rules_knots_left(game, piece);
    return 0;
}

static int move_wind(struct game *game, const struct input *input, struct outcome *out)
{
    (void)input;
    if (!game->turn.die) {
        return refuse(out, REFUSED_NOT_ROLLED, RULE_M1);
    }
    if (game->scenario.wind.moved) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_HW2);
    }
    if (game->turn.left < 1) {
        return refuse(out, REFUSED_NOT_ENOUGH_POINTS, RULE_HW2);
    }
    game->scenario.wind.moved = 1;
    game->turn.left--;
    emit(game, out, EVENT_WIND_MOVED, RULE_HW2)->left = game->turn.left;
    return 0;
}

static const char *violation(const struct game *game)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (game->turn.extra[piece] && (!game->scenario.wind.caught[piece] ||
                                        rules_owner(game, (enum piece)piece) != game->player)) {
            return "only a ship of the current player that caught the wind has extra knots";
        }
    }
    return 0;
}

static step_fn *const steps[PHASE_COUNT][INPUT_COUNT] = {
    [PHASE_MOVING] = {[INPUT_CATCH_WIND] = catch_wind, [INPUT_MOVE_WIND] = move_wind},
};

const struct scenario scenario_heavy_wind = {
    .tile = PIECE_WIND,
    .tile_rule = RULE_HW2,
    .steps = steps,
    .begin_turn = reset_wind,
    .violation = violation,
};
