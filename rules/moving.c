/* M: points from the die, spent by the rope. */
#include "rules_internal.h"

int roll_move(struct game *game, const struct input *input, struct outcome *out)
{
    if (game->turn.die) {
        return refuse(out, REFUSED_ALREADY_ROLLED, RULE_M1);
    }
    if (!input->value) {
        return refuse(out, REFUSED_MISSING_FIELD, RULE_M1);
    }
    if (!die_shows(game->setup.house.move_die, game->setup.house.move_faces, input->value)) {
        return refuse(out, REFUSED_BAD_VALUE, RULE_M1);
    }
    game->turn.die = (uint8_t)input->value;
    game->turn.left = (uint8_t)input->value;
    emit(game, out, EVENT_MOVE_ROLLED, RULE_M1)->value = input->value;
    return 0;
}

/* M1: own ships, and the scenario's neutral piece instead of one (PS1). */
static int check_movable(const struct game *game, enum piece piece, struct outcome *out)
{
    if (is_neutral(game, piece)) {
        return 0;
    }
    if (is_tile(game, piece)) {
        return refuse(out, REFUSED_BAD_VALUE, scenario_of(game)->tile_rule);
    }
    if (rules_owner(game, piece) != game->player) {
        return refuse(out, REFUSED_NOT_YOURS, RULE_M1);
    }
    return rules_is_ship(piece) ? 0 : refuse(out, REFUSED_BAD_VALUE, RULE_M2);
}

int check_mover(const struct game *game, enum piece piece, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);
    bool leaves_combat = is_neutral(game, piece) && scenario->neutral_leaves_combat;
    int refusal = check_movable(game, piece, out);

    if (refusal) {
        return refusal;
    }
    if (game->status[piece] == STATUS_FLAT) {
        return refuse(out, REFUSED_FLAT, RULE_M2);
    }
    if (rules_in_combat(game, piece) && !leaves_combat) {
        return refuse(out, REFUSED_IN_COMBAT, RULE_M2);
    }
    return scenario->check_free ? scenario->check_free(game, piece, out) : 0;
}

int select_piece(struct game *game, const struct input *input, struct outcome *out)
{
    int refusal = check_mover(game, input->piece, out);

    if (refusal) {
        return refusal;
    }
    game->turn.selected = (uint8_t)input->piece;
    game->turn.rope_over = 0;
    struct event *event = emit(game, out, EVENT_PIECE_SELECTED, RULE_M4);
    event->piece = input->piece;
    event->left = rules_knots_left(game, input->piece);
    return 0;
}

unsigned rules_knots_left(const struct game *game, enum piece piece)
{
    const struct scenario *scenario = scenario_of(game);

    if (game->phase == PHASE_COMBAT) {
        return is_neutral(game, piece) && scenario->neutral_knots ? scenario->neutral_knots(game)
                                                                  : 0;
    }
    return game->turn.left + (piece ? game->turn.extra[piece] : 0U);
}

unsigned rules_rope_cost(const struct game *game, int32_t knots_milli)
{
    int32_t charged = knots_milli - game->setup.rope_tolerance_milli;

    return charged > 0 ? ((unsigned)charged + KNOT - 1) / KNOT : 0;
}

bool rules_rope_shown(const struct game *game)
{
    return game->phase == PHASE_MOVING || (game->phase == PHASE_COMBAT && game->turn.selected);
}

/* Before the roll there are no points that the rope could exceed. */
bool rules_rope_is_over(const struct game *game, int32_t knots_milli)
{
    bool rolled = game->turn.die || game->phase != PHASE_MOVING;

    return rules_rope_shown(game) && rolled &&
           rules_rope_cost(game, knots_milli) >
               rules_knots_left(game, (enum piece)game->turn.selected);
}

int measure(const struct game *game, int32_t knots_milli, unsigned *cost, struct outcome *out)
{
    if (knots_milli == 0) {
        return refuse(out, REFUSED_MISSING_FIELD, RULE_M5);
    }
    if (knots_milli < 0 || knots_milli > KNOTS_MILLI_MAX ||
        rules_rope_cost(game, knots_milli) == 0) {
        return refuse(out, REFUSED_BAD_VALUE, RULE_M5);
    }
    *cost = rules_rope_cost(game, knots_milli);
    return 0;
}

/* HW1: the ship's own extra knots first, because no other ship can use them. */
static void pay(struct turn *turn, enum piece piece, unsigned cost)
{
    unsigned own = cost < turn->extra[piece] ? cost : turn->extra[piece];

    turn->extra[piece] = (uint8_t)(turn->extra[piece] - own);
    turn->left = (uint8_t)(turn->left - (cost - own));
}

int move_piece(struct game *game, const struct input *input, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);
    enum piece piece = input->piece;
    unsigned cost = 0;
    int refusal;

    if (!game->turn.die) {
        return refuse(out, REFUSED_NOT_ROLLED, RULE_M1);
    }
    refusal = piece ? check_mover(game, piece, out)
                    : check_any_own(game, rules_is_ship, check_mover, out);
    if (!refusal) {
        refusal = measure(game, input->knots_milli, &cost, out);
    }
    if (refusal) {
        return refusal;
    }
    if (cost > rules_knots_left(game, piece)) {
        return refuse(out, REFUSED_NOT_ENOUGH_POINTS, RULE_M5);
    }
    pay(&game->turn, piece, cost);
    game->turn.rope_over = 0;
    struct event *event = emit(game, out, EVENT_PIECE_MOVED,
                               is_neutral(game, piece) ? scenario->neutral_rule : RULE_M4);
    event->piece = piece;
    event->knots_milli = input->knots_milli;
    event->cost = cost;
    event->left = rules_knots_left(game, piece);
    if (is_neutral(game, piece)) {
        game->turn.neutral_moved = 1;
        if (scenario->neutral_moved) {
            scenario->neutral_moved(game, out);
        }
    }
    return 0;
}

/* M5: reported once per pull, while the rope is still being pulled. */
int note_rope_over(struct game *game, const struct input *input, struct outcome *out)
{
    enum piece piece = game->turn.selected;
    unsigned cost = 0;

    if (!game->turn.die && game->phase == PHASE_MOVING) {
        return refuse(out, REFUSED_NOT_ROLLED, RULE_M1);
    }
    int refusal = measure(game, input->knots_milli, &cost, out);
    if (refusal) {
        return refusal;
    }
    if (game->turn.rope_over || !rules_rope_is_over(game, input->knots_milli)) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_M5);
    }
    game->turn.rope_over = 1;
    struct event *event = emit(game, out, EVENT_ROPE_OVER, RULE_M5);
    event->piece = piece;
    event->knots_milli = input->knots_milli;
    event->left = rules_knots_left(game, piece);
    return 0;
}
