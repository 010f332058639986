/* ME: ships carry barrels from harbour to harbour. */
#include "../rules_internal.h"

/* ME1: a barrel at every harbour in play, for another harbour in play. */
static bool draw_fits(const struct setup *setup)
{
    for (enum harbour harbour = HARBOUR_RED; harbour < HARBOUR_COUNT; harbour++) {
        enum harbour to = setup->barrels[harbour];
        if (harbour_owner(setup, harbour) &&
            (to >= HARBOUR_COUNT || to == harbour || !harbour_owner(setup, to))) {
            return false;
        }
    }
    return true;
}

static void begin_game(struct game *game)
{
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (rules_harbour_owner(game, (enum harbour)harbour)) {
            game->scenario.merchant.barrels[harbour].destination = game->setup.barrels[harbour];
        }
    }
}

enum harbour rules_barrel_of(const struct game *game, enum piece piece)
{
    for (unsigned harbour = 1; game->setup.scenario == SCENARIO_MERCHANT && piece != PIECE_NONE &&
                               harbour < HARBOUR_COUNT;
         harbour++) {
        if (game->scenario.merchant.barrels[harbour].carrier == piece) {
            return (enum harbour)harbour;
        }
    }
    return HARBOUR_NONE;
}

static bool lies_at_harbour(const struct barrel *barrel)
{
    return barrel->destination && !barrel->carrier && !barrel->delivered_by;
}

static int load_barrel(struct game *game, const struct input *input, struct outcome *out)
{
    struct barrel *barrel = &game->scenario.merchant.barrels[input->harbour];
    int refusal = check_mover(game, input->piece, out);

    if (refusal) {
        return refusal;
    }
    if (rules_barrel_of(game, input->piece)) {
        return refuse(out, REFUSED_ALREADY_CARRYING, RULE_ME2);
    }
    if (!lies_at_harbour(barrel)) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_ME2);
    }
    barrel->carrier = (uint8_t)input->piece;
    struct event *event = emit(game, out, EVENT_BARREL_LOADED, RULE_ME2);
    event->piece = input->piece;
    event->harbour = input->harbour;
    event->barrel = barrel->destination;
    return 0;
}

static int deliver_barrel(struct game *game, const struct input *input, struct outcome *out)
{
    int refusal = check_mover(game, input->piece, out);

    if (refusal) {
        return refusal;
    }
    enum harbour origin = rules_barrel_of(game, input->piece);
    if (!origin) {
        return refuse(out, REFUSED_NOTHING_THERE, RULE_ME3);
    }
    struct barrel *barrel = &game->scenario.merchant.barrels[origin];
    if (barrel->destination != input->harbour) {
        return refuse(out, REFUSED_WRONG_HARBOUR, RULE_ME3);
    }
    barrel->carrier = PIECE_NONE;
    barrel->delivered_by = game->player;
    struct event *event = emit(game, out, EVENT_BARREL_DELIVERED, RULE_ME3);
    event->piece = input->piece;
    event->harbour = input->harbour;
    event->by = game->player;
    return 0;
}

static int check_armed_hook(const struct game *game, enum piece piece, struct outcome *out)
{
    return rules_barrel_of(game, piece) ? refuse(out, REFUSED_CARRIES_BARREL, RULE_ME4) : 0;
}

/*
 * ME5. The winning ship carries no barrel, because a carrier cannot attack (ME4). The close combats
 * of the piece have ended already, so any that the winner is in now is another one.
 */
static void left_play(struct game *game, enum piece piece, enum piece winner, struct outcome *out)
{
    enum harbour origin = rules_barrel_of(game, piece);

    if (!origin) {
        return;
    }
    struct barrel *barrel = &game->scenario.merchant.barrels[origin];
    struct event *event = emit(game, out, EVENT_BARREL_MOVED, RULE_ME5);
    event->piece = piece;
    event->barrel = barrel->destination;
    if (rules_is_ship(winner) && !rules_in_combat(game, winner)) {
        barrel->carrier = (uint8_t)winner;
        event->other = winner;
    } else {
        barrel->carrier = PIECE_NONE;
        event->harbour = origin;
    }
}

unsigned rules_barrels_delivered(const struct game *game, unsigned player)
{
    unsigned delivered = 0;

    for (unsigned harbour = 1; game->setup.scenario == SCENARIO_MERCHANT && harbour < HARBOUR_COUNT;
         harbour++) {
        delivered += game->scenario.merchant.barrels[harbour].delivered_by == player;
    }
    return delivered;
}

static int points(const struct game *game, unsigned player)
{
    return (int)rules_barrels_delivered(game, player) * game->setup.house.barrel_points;
}

static const char *violation(const struct game *game)
{
    uint32_t carriers = 0;

    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        const struct barrel *barrel = &game->scenario.merchant.barrels[harbour];
        if (barrel->carrier && barrel->delivered_by) {
            return "a barrel is in one place";
        }
        if (barrel->carrier && (!rules_in_play(game, (enum piece)barrel->carrier) ||
                                !rules_is_ship((enum piece)barrel->carrier))) {
            return "a barrel is carried by a ship in play";
        }
        if (barrel->carrier && (carriers & bit(barrel->carrier))) {
            return "a ship carries one barrel";
        }
        carriers |= barrel->carrier ? bit(barrel->carrier) : 0;
    }
    for (unsigned i = 0; i < game->combat_count; i++) {
        if ((carriers & bit(game->combats[i].attacker)) &&
            (carriers & bit(game->combats[i].target))) {
            return "two loaded ships never fight each other (ME5)";
        }
    }
    return 0;
}

static step_fn *const steps[PHASE_COUNT][INPUT_COUNT] = {
    [PHASE_MOVING] = {[INPUT_LOAD_BARREL] = load_barrel, [INPUT_DELIVER_BARREL] = deliver_barrel},
};

const struct scenario scenario_merchant = {
    .draw_fits = draw_fits,
    .draw_rule = RULE_ME1,
    .steps = steps,
    .begin_game = begin_game,
    .check_armed = check_armed_hook,
    .left_play = left_play,
    .points = points,
    .violation = violation,
};
