/*
 * What falls and what is raised. The game and the table can disagree: game->lying is how the table
 * is, the status is what counts. While they disagree the piece is disturbed.
 */
#include "scenario.h"

static void hear_sensor(struct game *game, uint32_t pieces, bool lies)
{
    game->lying = lies ? game->lying | pieces : game->lying & ~pieces;
    game->told &= ~pieces;
}

/* What a person says counts until a sensor sees the piece. */
static void hear(struct game *game, const struct input *input, bool lies)
{
    hear_sensor(game, bit(input->piece), lies);
    if (rules_input_source(input->kind) == SOURCE_COMMAND) {
        game->told |= bit(input->piece);
    }
}

static void disturb(struct game *game, uint32_t pieces, enum rule rule, struct outcome *out)
{
    emit(game, out, EVENT_DISTURBANCE, rule)->pieces = pieces;
}

/* S3, A1, PS3: an enemy piece fell to the shot. */
static int fall_to_shot(struct game *game, enum piece piece, bool was_lying, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    if (is_guest(game, piece) && scenario->guest_toppled) {
        return scenario->guest_toppled(game, was_lying, out);
    }
    if (game->setup.variant == VARIANT_ADVANCED) {
        game->status[piece] = STATUS_FLAT;
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_A1)->piece = piece;
    } else if (is_guest(game, game->turn.shooter)) {
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_S3)->piece = piece;
        lose(game, piece, game->turn.shooter, scenario->guest_wins_rule, out);
    } else {
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_S3)->piece = piece;
        capture(game, piece, game->player, game->turn.shooter, HOW_SHOT,
                is_guest(game, piece) ? scenario->guest_falls_rule : RULE_S3, out);
    }
    return 0;
}

/* S5, PS3: the rule by which what falls to the shot is only put back, or RULE_NONE. */
static enum rule spared_by(const struct game *game, enum piece piece)
{
    if (is_guest(game, piece) && piece == game->turn.shooter) {
        return scenario_of(game)->guest_wins_rule;
    }
    return is_enemy(game, game->player, piece) ? RULE_NONE : RULE_S5;
}

static int topple(struct game *game, const struct input *input, bool by_shot, struct outcome *out)
{
    enum piece piece = input->piece;
    bool was_lying = game->lying & bit(piece);
    enum rule spares = by_shot ? spared_by(game, piece) : RULE_S7;

    if (!can_topple(game, piece)) {
        return refuse(out, REFUSED_BAD_VALUE, scenario_of(game)->guest_falls_rule);
    }
    hear(game, input, true);
    if (game->status[piece] == STATUS_FLAT) {
        if (was_lying) {
            return refuse(out, REFUSED_FLAT, RULE_A5);
        }
        emit(game, out, EVENT_PIECE_RESTORED, RULE_A3)->piece = piece;
    } else if (spares) {
        if (was_lying) {
            return refuse(out, REFUSED_FLAT, RULE_S7);
        }
        disturb(game, bit(piece), spares, out);
    } else {
        return fall_to_shot(game, piece, was_lying, out);
    }
    return 0;
}

/* S9: a person may say it late; what a person says is this turn's shot, if there was one. */
int declare_topple(struct game *game, const struct input *input, struct outcome *out)
{
    return topple(game, input, game->turn.shot != SHOT_UNFIRED, out);
}

int see_topple(struct game *game, const struct input *input, struct outcome *out)
{
    return topple(game, input, rules_shot_explains(game, input->at_us), out);
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
    hear(game, input, false);
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

/* The pieces of this game that a tilt sensor, if it was one, has seen. */
static uint32_t sighted_pieces(const struct game *game, const struct input *input)
{
    uint32_t pieces = input->kind == INPUT_KNOCKED ? input->pieces : 0;
    uint32_t sighted = 0;

    if ((input->kind == INPUT_TOPPLED || input->kind == INPUT_RAISED) &&
        (unsigned)input->piece < PIECE_COUNT) {
        pieces = bit(input->piece);
    }
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if ((pieces & bit(piece)) && game->status[piece] != STATUS_ABSENT &&
            can_topple(game, (enum piece)piece)) {
            sighted |= bit(piece);
        }
    }
    return sighted;
}

bool remember_sighting(struct game *game, const struct input *input)
{
    uint32_t lying = game->lying;
    uint32_t told = game->told;

    hear_sensor(game, sighted_pieces(game, input), input->kind != INPUT_RAISED);
    return game->lying != lying || game->told != told;
}

/* S7: the table was bumped, and whatever fell is one disturbance. */
int see_knock(struct game *game, const struct input *input, struct outcome *out)
{
    uint32_t fallen = sighted_pieces(game, input) & ~game->lying;
    uint32_t disturbed = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (!(fallen & bit(piece)) || !rules_in_play(game, (enum piece)piece)) {
            continue;
        }
        if (game->status[piece] == STATUS_FLAT) {
            emit(game, out, EVENT_PIECE_RESTORED, RULE_A3)->piece = (enum piece)piece;
        } else {
            disturbed |= bit(piece);
        }
    }
    remember_sighting(game, input);
    if (disturbed) {
        disturb(game, disturbed, RULE_S7, out);
    }
    return out->count ? 0 : refuse(out, REFUSED_NOTHING_THERE, RULE_S7);
}
