/*
 * Pieces that fall and pieces that are raised. game->lying is the state of the table, the status is
 * the state of the game. While they disagree, the piece is disturbed (S7).
 */
#include "rules_internal.h"

static void note_sensed(struct game *game, uint32_t pieces, bool lies)
{
    game->lying = lies ? game->lying | pieces : game->lying & ~pieces;
    game->declared &= ~pieces;
}

/* Referee: a person's declaration holds until a sensor reports the piece. */
static void note_lying(struct game *game, const struct input *input, bool lies)
{
    note_sensed(game, bit(input->piece), lies);
    if (rules_input_source(input->kind) == SOURCE_COMMAND) {
        game->declared |= bit(input->piece);
    }
}

static void disturb(struct game *game, uint32_t pieces, enum rule rule, struct outcome *out)
{
    emit(game, out, EVENT_DISTURBANCE, rule)->pieces = pieces;
}

/* S3, A1, PS3: the shot toppled an enemy piece. */
static int fall_to_shot(struct game *game, enum piece piece, bool was_lying, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    if (is_neutral(game, piece) && scenario->neutral_toppled) {
        return scenario->neutral_toppled(game, was_lying, out);
    }
    if (game->setup.variant == VARIANT_ADVANCED) {
        game->status[piece] = STATUS_FLAT;
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_A1)->piece = piece;
    } else if (is_neutral(game, game->turn.shooter)) {
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_S3)->piece = piece;
        lose(game, piece, game->turn.shooter, scenario->neutral_wins_rule, out);
    } else {
        emit(game, out, EVENT_PIECE_TOPPLED, RULE_S3)->piece = piece;
        capture(game, piece, game->player, game->turn.shooter, HOW_SHOT,
                is_neutral(game, piece) ? scenario->neutral_falls_rule : RULE_S3, out);
    }
    return 0;
}

/* S5, PS3: the rule by which a piece that the shot toppled is only put back, or RULE_NONE. */
static enum rule spared_by(const struct game *game, enum piece piece)
{
    if (is_neutral(game, piece) && piece == game->turn.shooter) {
        return scenario_of(game)->neutral_wins_rule;
    }
    return is_enemy(game, game->player, piece) ? RULE_NONE : RULE_S5;
}

static int topple(struct game *game, const struct input *input, bool by_shot, struct outcome *out)
{
    enum piece piece = input->piece;
    bool was_lying = game->lying & bit(piece);
    enum rule spares = by_shot ? spared_by(game, piece) : RULE_S7;

    if (!can_topple(game, piece)) {
        return refuse(out, REFUSED_BAD_VALUE, scenario_of(game)->neutral_falls_rule);
    }
    note_lying(game, input, true);
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

/* S9: a declared topple counts for this turn's shot at any time in the turn. */
int declare_topple(struct game *game, const struct input *input, struct outcome *out)
{
    return topple(game, input, game->turn.shot != SHOT_UNFIRED, out);
}

int see_topple(struct game *game, const struct input *input, struct outcome *out)
{
    return topple(game, input, rules_shot_explains(game, input->at_us, input->value), out);
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
    /* SM3: the monster may have to be raised although it stands: its last raise was undone. */
    bool awaited =
        is_neutral(game, piece) && scenario->neutral_raised && scenario->neutral_raised(game);

    if (!can_topple(game, piece)) {
        return refuse(out, REFUSED_BAD_VALUE, scenario->neutral_falls_rule);
    }
    note_lying(game, input, false);
    if (game->status[piece] == STATUS_FLAT && may_repair(game, piece)) {
        game->status[piece] = STATUS_STANDING;
        emit(game, out, EVENT_PIECE_REPAIRED, RULE_A3)->piece = piece;
        return 0;
    }
    if (!was_lying && !awaited) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_NONE);
    }
    if (game->status[piece] == STATUS_FLAT) {
        disturb(game, bit(piece), is_neutral(game, piece) ? RULE_A6 : RULE_A3, out);
        return 0;
    }
    emit(game, out, EVENT_PIECE_RESTORED, RULE_S7)->piece = piece;
    return 0;
}

/* The pieces of this game that the input of a tilt sensor reports; none for other inputs. */
static uint32_t sensed_pieces(const struct game *game, const struct input *input)
{
    uint32_t pieces = input->kind == INPUT_KNOCKED ? input->pieces : 0;
    uint32_t sensed = 0;

    if ((input->kind == INPUT_TOPPLED || input->kind == INPUT_RAISED) &&
        (unsigned)input->piece < PIECE_COUNT) {
        pieces = bit(input->piece);
    }
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if ((pieces & bit(piece)) && game->status[piece] != STATUS_ABSENT &&
            can_topple(game, (enum piece)piece)) {
            sensed |= bit(piece);
        }
    }
    return sensed;
}

bool note_tilt_sensor(struct game *game, const struct input *input)
{
    uint32_t lying = game->lying;
    uint32_t declared = game->declared;

    note_sensed(game, sensed_pieces(game, input), input->kind != INPUT_RAISED);
    return game->lying != lying || game->declared != declared;
}

/* S7: somebody bumped the table; everything that fell is one disturbance. */
int see_knocked(struct game *game, const struct input *input, struct outcome *out)
{
    uint32_t fallen = sensed_pieces(game, input) & ~game->lying;
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
    note_tilt_sensor(game, input);
    if (disturbed) {
        disturb(game, disturbed, RULE_S7, out);
    }
    return out->count ? 0 : refuse(out, REFUSED_NOTHING_THERE, RULE_S7);
}
