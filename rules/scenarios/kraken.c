/*
 * KR: the kraken holds the ship it lies under.
 *
 *   moved by a player ──▶ entangle: the ship is held ──▶ moved away: the ship is free (KR2)
 *          ▲                          │
 *          └── free knots (KR4) ◀── flag in close combat: the ship is free
 */
#include "../rules_internal.h"

bool rules_entangled(const struct game *game, enum piece piece)
{
    return game->setup.scenario == SCENARIO_KRAKEN && piece != PIECE_NONE &&
           game->scenario.kraken.holds == piece;
}

static void release(struct game *game, enum rule rule, struct outcome *out)
{
    enum piece ship = game->scenario.kraken.holds;

    if (ship) {
        game->scenario.kraken.holds = PIECE_NONE;
        emit(game, out, EVENT_SHIP_RELEASED, rule)->piece = ship;
    }
}

static void neutral_moved(struct game *game, struct outcome *out)
{
    release(game, RULE_KR2, out);
    game->scenario.kraken.moved = 1;
}

static int entangle(struct game *game, const struct input *input, struct outcome *out)
{
    if (!game->scenario.kraken.moved) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_KR2);
    }
    if (!rules_is_ship(input->piece)) {
        return refuse(out, REFUSED_BAD_VALUE, RULE_KR2);
    }
    game->scenario.kraken.moved = 0;
    game->scenario.kraken.holds = (uint8_t)input->piece;
    emit(game, out, EVENT_SHIP_ENTANGLED, RULE_KR2)->piece = input->piece;
    return 0;
}

static int check_free(const struct game *game, enum piece piece, struct outcome *out)
{
    return rules_entangled(game, piece) ? refuse(out, REFUSED_ENTANGLED, RULE_KR2) : 0;
}

static int check_target(const struct game *game, enum piece attacker, enum piece target,
                        struct outcome *out)
{
    return target == PIECE_KRAKEN && !rules_entangled(game, attacker)
               ? refuse(out, REFUSED_NOT_AN_ENEMY, RULE_KR3)
               : 0;
}

static void neutral_beaten(struct game *game, enum piece attacker, struct outcome *out)
{
    (void)attacker;
    end_combats_of(game, PIECE_KRAKEN, RULE_KR4, out);
    release(game, RULE_KR4, out);
    game->scenario.kraken.free_knots = game->setup.house.kraken_knots;
    game->turn.selected = PIECE_KRAKEN; /* so that the rope measures it at once */
    game->turn.rope_over = 0;
}

static unsigned neutral_knots(const struct game *game)
{
    return game->scenario.kraken.free_knots;
}

static int note_rope(struct game *game, const struct input *input, struct outcome *out)
{
    return game->turn.selected == PIECE_KRAKEN ? note_rope_over(game, input, out)
                                               : refuse(out, REFUSED_NOT_IN_PHASE, RULE_G3);
}

/* KR4: in the close combat step only the kraken moves, by the free knots of the winner. */
static int move_beaten(struct game *game, const struct input *input, struct outcome *out)
{
    struct kraken *kraken = &game->scenario.kraken;
    unsigned cost = 0;

    if (!kraken->free_knots || (input->piece && input->piece != PIECE_KRAKEN)) {
        return refuse(out, REFUSED_NOT_IN_PHASE, RULE_G3);
    }
    /* It may have been laid under another ship that now fights it. */
    int refusal = check_mover(game, PIECE_KRAKEN, out);
    if (!refusal) {
        refusal = measure(game, input->knots_milli, &cost, out);
    }
    if (refusal) {
        return refusal;
    }
    if (cost > kraken->free_knots) {
        return refuse(out, REFUSED_NOT_ENOUGH_POINTS, RULE_KR4);
    }
    kraken->free_knots = (uint8_t)(kraken->free_knots - cost);
    game->turn.rope_over = 0;
    struct event *event = emit(game, out, EVENT_PIECE_MOVED, RULE_KR4);
    event->piece = PIECE_KRAKEN;
    event->knots_milli = input->knots_milli;
    event->cost = cost;
    event->left = kraken->free_knots;
    neutral_moved(game, out);
    return 0;
}

/* KR2, KR4: both end with the step. */
static void end_phase(struct game *game)
{
    game->scenario.kraken.moved = 0;
    game->scenario.kraken.free_knots = 0;
}

static void left_play(struct game *game, enum piece piece, enum piece winner, struct outcome *out)
{
    (void)winner;
    (void)out;
    if (game->scenario.kraken.holds == piece) {
        game->scenario.kraken.holds = PIECE_NONE;
    }
}

static const char *violation(const struct game *game)
{
    const struct kraken *kraken = &game->scenario.kraken;

    if (kraken->holds && (!rules_in_play(game, (enum piece)kraken->holds) ||
                          !rules_is_ship((enum piece)kraken->holds))) {
        return "the kraken holds a ship in play";
    }
    if (kraken->free_knots && game->phase != PHASE_COMBAT) {
        return "the kraken has free knots in the close combat step only";
    }
    for (unsigned i = 0; i < game->combat_count; i++) {
        if (game->combats[i].target == PIECE_KRAKEN && game->combats[i].attacker != kraken->holds) {
            return "only the entangled ship fights the kraken";
        }
    }
    return 0;
}

static step_fn *const steps[PHASE_COUNT][INPUT_COUNT] = {
    [PHASE_MOVING] = {[INPUT_ENTANGLE] = entangle},
    [PHASE_COMBAT] =
        {[INPUT_ENTANGLE] = entangle, [INPUT_MOVE] = move_beaten, [INPUT_ROPE_OVER] = note_rope},
};

const struct scenario scenario_kraken = {
    .neutral = PIECE_KRAKEN,
    .neutral_rule = RULE_KR1,
    .neutral_falls_rule = RULE_KR3,
    .neutral_is_tile = true,
    .neutral_attack_rule = RULE_KR3,
    .steps = steps,
    .end_phase = end_phase,
    .check_free = check_free,
    .check_target = check_target,
    .neutral_knots = neutral_knots,
    .neutral_moved = neutral_moved,
    .neutral_beaten = neutral_beaten,
    .left_play = left_play,
    .violation = violation,
};
