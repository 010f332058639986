/*
 * What falls and what is raised. The game and the table can disagree: game->lying is what was last
 * seen, the status is what counts. While they disagree the piece is disturbed.
 */
#include "scenario.h"

static void disturb(struct game *game, uint32_t pieces, enum rule rule, struct outcome *out)
{
    emit(game, out, EVENT_DISTURBANCE, rule)->pieces = pieces;
}

/* S3, A1: an enemy piece fell to the shot. */
static int fall_to_shot(struct game *game, enum piece piece, bool was_lying, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    if (is_guest(game, piece) && scenario->guest_toppled) {
        return scenario->guest_toppled(game, was_lying, out);
    }
    if (game->setup.variant == VARIANT_ADVANCED) {
        game->status[piece] = STATUS_FLAT;
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_A1)->piece = piece;
    } else {
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_S3)->piece = piece;
        capture(game, piece, game->player, game->turn.shooter, HOW_SHOT,
                is_guest(game, piece) ? scenario->guest_falls_rule : RULE_S3, out);
    }
    return 0;
}

static int topple(struct game *game, enum piece piece, bool by_shot, struct outcome *out)
{
    bool was_lying = game->lying & bit(piece);

    if (!can_topple(game, piece)) {
        return refuse(out, REFUSED_BAD_VALUE, scenario_of(game)->guest_falls_rule);
    }
    game->lying |= bit(piece);
    if (game->status[piece] == STATUS_FLAT) {
        if (was_lying) {
            return refuse(out, REFUSED_FLAT, RULE_A5);
        }
        emit(game, out, EVENT_PIECE_RESTORED, RULE_A3)->piece = piece;
    } else if (!by_shot || !is_enemy(game, game->player, piece)) {
        if (was_lying) {
            return refuse(out, REFUSED_FLAT, RULE_S7);
        }
        disturb(game, bit(piece), by_shot ? RULE_S5 : RULE_S7, out);
    } else {
        return fall_to_shot(game, piece, was_lying, out);
    }
    return 0;
}

/* S9: a person may say it late; what a person says is this turn's shot, if there was one. */
int declare_topple(struct game *game, const struct input *input, struct outcome *out)
{
    return topple(game, input->piece, game->turn.shot != SHOT_UNFIRED, out);
}

int see_topple(struct game *game, const struct input *input, struct outcome *out)
{
    return topple(game, input->piece, rules_shot_explains(game, input->at_us), out);
}

/* A3: own pieces in the repair step; A6: the pirate ship never. */
static bool may_repair(const struct game *game, enum piece piece)
{
    return game->phase == PHASE_REPAIR && rules_owner(game, piece) == game->player;
}

int raise_piece(struct game *game, const struct input *input, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);
    enum piece piece = input->piece;
    bool was_lying = game->lying & bit(piece);
    /* SM3: the game may wait for this though no sensor saw it lying: its last raise was undone. */
    bool awaited = is_guest(game, piece) && scenario->guest_raised && scenario->guest_raised(game);

    if (!can_topple(game, piece)) {
        return refuse(out, REFUSED_BAD_VALUE, scenario->guest_falls_rule);
    }
    game->lying &= ~bit(piece);
    if (game->status[piece] == STATUS_FLAT && may_repair(game, piece)) {
        game->status[piece] = STATUS_STANDING;
        emit(game, out, EVENT_PIECE_REPAIRED, RULE_A3)->piece = piece;
        return 0;
    }
    if (!was_lying && !awaited) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_NONE);
    }
    if (game->status[piece] == STATUS_FLAT) {
        disturb(game, bit(piece), is_guest(game, piece) ? RULE_A6 : RULE_A3, out);
        return 0;
    }
    emit(game, out, EVENT_PIECE_RESTORED, RULE_S7)->piece = piece;
    return 0;
}

/* S7: the table was bumped, and whatever fell is one disturbance. */
int see_knock(struct game *game, const struct input *input, struct outcome *out)
{
    uint32_t fallen = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (!(input->pieces & bit(piece)) || (game->lying & bit(piece)) ||
            game->status[piece] == STATUS_ABSENT || !can_topple(game, (enum piece)piece)) {
            continue;
        }
        game->lying |= bit(piece);
        if (!rules_in_play(game, (enum piece)piece)) {
            continue; /* as in see_trophy */
        }
        if (game->status[piece] == STATUS_FLAT) {
            emit(game, out, EVENT_PIECE_RESTORED, RULE_A3)->piece = (enum piece)piece;
        } else {
            fallen |= bit(piece);
        }
    }
    if (fallen) {
        disturb(game, fallen, RULE_S7, out);
    }
    return out->count ? 0 : refuse(out, REFUSED_NOTHING_THERE, RULE_S7);
}

/*
 * A trophy is carried about and laid aside, which is nothing to tell. But if its capture is taken
 * back, the piece must be known to lie or to stand, so a change is accepted without an event.
 */
int see_trophy(struct game *game, const struct input *input, struct outcome *out)
{
    uint32_t lying = game->lying;

    if (input->kind == INPUT_TOPPLED) {
        game->lying |= bit(input->piece);
    } else if (input->kind == INPUT_RAISED) {
        game->lying &= ~bit(input->piece);
    }
    return game->lying != lying ? 0 : refuse(out, REFUSED_OUT_OF_PLAY, RULE_NONE);
}
