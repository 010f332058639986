#include "sensible.h"

#include "deal.h"

#include <string.h>

/*
 * Pieces
 */

typedef bool fits_fn(const struct game *game, enum piece piece);

static bool is_own(const struct game *game, enum piece piece)
{
    return rules_in_play(game, piece) && rules_owner(game, piece) == game->player;
}

static bool is_own_ship(const struct game *game, enum piece piece)
{
    return is_own(game, piece) && rules_is_ship(piece);
}

static bool is_own_flat(const struct game *game, enum piece piece)
{
    return is_own(game, piece) && game->status[piece] == STATUS_FLAT;
}

static bool is_carrier(const struct game *game, enum piece piece)
{
    return is_own(game, piece) && rules_barrel_of(game, piece);
}

static bool is_other(const struct game *game, enum piece piece)
{
    return rules_in_play(game, piece) && rules_owner(game, piece) != game->player;
}

static bool is_lying(const struct game *game, enum piece piece)
{
    return rules_in_play(game, piece) && (game->lying & (UINT32_C(1) << piece));
}

/* Whose last report was a command. */
static bool is_declared(const struct game *game, enum piece piece)
{
    return game->declared & (UINT32_C(1) << piece);
}

static bool is_neutral(const struct game *game, enum piece piece)
{
    return rules_in_play(game, piece) && !rules_owner(game, piece);
}

static unsigned pieces_of(const struct game *game, unsigned player)
{
    return rules_ships(game, player) + rules_towers(game, player);
}

/*
 * Whoever has fewest pieces is hunted, so that the game comes to an end; and then the next one, if
 * the shot that took the last of them is still open (E1).
 */
static bool is_prey(const struct game *game, enum piece piece)
{
    unsigned prey = game->player % game->setup.players + 1;

    for (unsigned player = 1; player <= game->setup.players; player++) {
        if (player != game->player && pieces_of(game, player) > 0 &&
            (pieces_of(game, prey) == 0 || pieces_of(game, player) < pieces_of(game, prey))) {
            prey = player;
        }
    }
    return rules_in_play(game, piece) && rules_owner(game, piece) == prey;
}

/* One of the pieces that fit, or any piece when none does. */
static enum piece pick(struct inventor *inventor, const struct game *game, fits_fn *fits)
{
    unsigned start = draw(inventor, 0, PIECE_COUNT - 2);

    for (unsigned i = 0; i < PIECE_COUNT - 1; i++) {
        enum piece piece = (enum piece)(1 + (start + i) % (PIECE_COUNT - 1));
        if (fits(game, piece)) {
            return piece;
        }
    }
    return (enum piece)(1 + start);
}

static enum piece pick_target(struct inventor *inventor, const struct game *game)
{
    return pick(inventor, game, toss(inventor, 50) ? is_prey : is_other);
}

static enum piece pick_mover(struct inventor *inventor, const struct game *game)
{
    return pick(inventor, game, toss(inventor, 30) ? is_neutral : is_own_ship);
}

/*
 * What players and sensors would say, step by step
 */

static struct input say(enum input_kind kind)
{
    return (struct input){.kind = kind};
}

static struct input say_piece(enum input_kind kind, enum piece piece)
{
    return (struct input){.kind = kind, .piece = piece};
}

static struct input new_game(struct inventor *inventor)
{
    struct input input = {.kind = INPUT_NEW_GAME, .setup = &inventor->setup};

    deal_setup(&inventor->chance, inventor->round, &inventor->setup);
    if (toss(inventor, 20)) {
        deal_spoil(&inventor->chance, &inventor->setup);
    }
    return input;
}

/* Around the end of the shot window every microsecond matters. */
static void wait_for_window(struct inventor *inventor, const struct game *game)
{
    uint64_t at_us = rules_deadline(game) + draw(inventor, 0, 2) - 1;

    if (at_us > inventor->now_us) {
        inventor->now_us = at_us;
    }
}

static struct input shoot(struct inventor *inventor, const struct game *game)
{
    unsigned what = draw(inventor, 0, 99);

    if (game->turn.shot == SHOT_UNFIRED) {
        if (what < 25) {
            return say_piece(INPUT_AIM, pick(inventor, game, what < 5 ? is_neutral : is_own));
        }
        return say(what < 50 ? INPUT_FIRE : what < 90 ? INPUT_BALL_LEFT : INPUT_END_PHASE);
    }
    if (what < 45) {
        if (toss(inventor, 10)) {
            wait_for_window(inventor, game);
        }
        enum piece piece = pick_target(inventor, game);
        return say_piece(toss(inventor, 80) ? INPUT_TOPPLED : INPUT_TOPPLE, piece);
    }
    if (what < 60) {
        return say_piece(INPUT_HIT, pick_target(inventor, game));
    }
    if (what < 95) {
        wait_for_window(inventor, game);
        return say(INPUT_WINDOW_OVER);
    }
    return say(what < 97 ? INPUT_END_PHASE : INPUT_BALL_LEFT);
}

static struct input roll(struct inventor *inventor, const struct game *game)
{
    const struct house *house = &game->setup.house;
    struct input input = say(INPUT_ROLL_MOVE);

    input.value = house->move_die[draw(inventor, 0, house->move_faces - 1U)];
    return input;
}

static struct input sail(struct inventor *inventor, const struct game *game)
{
    struct input input = say(toss(inventor, 90) ? INPUT_MOVE : INPUT_ROPE_OVER);

    if (toss(inventor, 90)) {
        input.piece = pick_mover(inventor, game);
    }
    unsigned knots = rules_knots_left(game, input.piece);
    input.knots_milli = (int32_t)draw(inventor, 1, (knots + 1) * KNOT);
    return input;
}

static struct input meet_scenario(struct inventor *inventor, const struct game *game)
{
    struct input input = say_piece(INPUT_SELECT, pick_mover(inventor, game));

    switch (game->setup.scenario) {
    case SCENARIO_TREASURE_ISLAND:
        input.kind = INPUT_TAKE_CHEST;
        break;
    case SCENARIO_HEAVY_WIND:
        input.kind = toss(inventor, 60) ? INPUT_CATCH_WIND : INPUT_MOVE_WIND;
        break;
    case SCENARIO_MERCHANT:
        input.kind = toss(inventor, 50) ? INPUT_LOAD_BARREL : INPUT_DELIVER_BARREL;
        if (input.kind == INPUT_DELIVER_BARREL) {
            input.piece = pick(inventor, game, is_carrier);
        }
        input.harbour = (enum harbour)draw(inventor, HARBOUR_RED, HARBOUR_YELLOW);
        break;
    case SCENARIO_KRAKEN:
        input.kind = INPUT_ENTANGLE;
        input.piece = pick(inventor, game, toss(inventor, 50) ? is_own_ship : is_other);
        break;
    default:
        break;
    }
    return input;
}

static struct input move(struct inventor *inventor, const struct game *game)
{
    unsigned what = draw(inventor, 0, 99);

    if (!game->turn.die && what < 70) {
        return roll(inventor, game);
    }
    if (what < 40) {
        return sail(inventor, game);
    }
    if (what < 65) {
        return meet_scenario(inventor, game);
    }
    if (what < 70) {
        return say_piece(INPUT_SELECT, pick_mover(inventor, game));
    }
    return say(INPUT_END_PHASE);
}

static struct input roll_due(struct inventor *inventor, const struct game *game, unsigned combat)
{
    const struct house *house = &game->setup.house;
    struct input input = {
        .kind = INPUT_ROLL_COMBAT,
        .piece = game->combats[combat].attacker,
        .other = game->combats[combat].target,
        .value = house->combat_die[draw(inventor, 0, house->combat_faces - 1U)],
    };

    return input;
}

static struct input attack(struct inventor *inventor, const struct game *game)
{
    struct input input = say(INPUT_ENGAGE);

    input.piece = pick(inventor, game, toss(inventor, 80) ? is_own : is_neutral);
    input.other = pick_target(inventor, game);
    if (game->setup.scenario == SCENARIO_KRAKEN && game->scenario.kraken.holds &&
        toss(inventor, 60)) {
        input.piece = game->scenario.kraken.holds;
        input.other = PIECE_KRAKEN;
    }
    return input;
}

/* KR4 */
static struct input sail_beaten(struct inventor *inventor, const struct game *game)
{
    struct input input = say_piece(toss(inventor, 80) ? INPUT_MOVE : INPUT_ROPE_OVER, PIECE_KRAKEN);

    input.knots_milli = (int32_t)draw(inventor, 1, (game->scenario.kraken.free_knots + 2U) * KNOT);
    return input;
}

static struct input fight(struct inventor *inventor, const struct game *game)
{
    unsigned what = draw(inventor, 0, 99);

    if (game->setup.scenario == SCENARIO_KRAKEN && game->scenario.kraken.free_knots && what < 60) {
        return what < 30 ? sail_beaten(inventor, game) : meet_scenario(inventor, game);
    }
    for (unsigned i = 0; i < game->combat_count && what < 75; i++) {
        if (rules_combat_due(game, i)) {
            return roll_due(inventor, game, i);
        }
    }
    return what < 60 ? attack(inventor, game) : say(INPUT_END_PHASE);
}

static struct input repair(struct inventor *inventor, const struct game *game)
{
    if (toss(inventor, 50)) {
        return say(INPUT_END_PHASE);
    }
    enum piece piece = pick(inventor, game, is_own_flat);
    return say_piece(toss(inventor, 50) ? INPUT_RAISE : INPUT_RAISED, piece);
}

struct input sensible_input(struct inventor *inventor, const struct game *game)
{
    switch (game->phase) {
    case PHASE_SHOOTING:
        return shoot(inventor, game);
    case PHASE_MOVING:
        return move(inventor, game);
    case PHASE_COMBAT:
        return fight(inventor, game);
    case PHASE_REPAIR:
        return repair(inventor, game);
    default:
        return new_game(inventor);
    }
}

/* What happens to a table in any step: children, second balls, second thoughts. */
struct input accident(struct inventor *inventor, const struct game *game)
{
    static const enum input_kind falls[] = {INPUT_TOPPLED, INPUT_TOPPLE, INPUT_RAISED, INPUT_RAISE};
    struct input input = {0};
    unsigned what = draw(inventor, 0, 99);

    if (what < 15) {
        input.kind = INPUT_KNOCKED;
        input.pieces = (uint32_t)chance_next(&inventor->chance);
    } else if (what < 35) {
        input.kind = falls[draw(inventor, 0, 1)];
        input.piece = pick(inventor, game, rules_in_play);
    } else if (what < 45) {
        input.piece = pick(inventor, game, is_declared);
        input.kind = (game->lying & (UINT32_C(1) << input.piece)) ? INPUT_TOPPLED : INPUT_RAISED;
    } else if (what < 65) {
        input.kind = falls[draw(inventor, 2, 3)];
        input.piece = pick(inventor, game, is_lying);
    } else if (what < 75) {
        input.kind = INPUT_BALL_LEFT;
        input.speed_mmps = draw(inventor, 0, 9999);
    } else if (what < 80) {
        input.kind = toss(inventor, 50) ? INPUT_SENSOR_FAULT : INPUT_SENSOR_OK;
        input.health = (enum health)draw(inventor, HEALTH_OK, HEALTH_COUNT - 1);
        memcpy(input.sensor, "cannon.beam", sizeof "cannon.beam");
    } else {
        input.kind = INPUT_UNDO;
        inventor->undos = toss(inventor, 20) ? draw(inventor, 1, 40) : 0;
    }
    return input;
}
