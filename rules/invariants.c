/* Invariants of every game. Each function checks one subject and returns the broken invariant. */
#include "rules_internal.h"

#include <stddef.h>
#include <string.h>

static const char *turn_violation(const struct game *game)
{
    const struct turn *turn = &game->turn;

    if (game->phase >= PHASE_COUNT) {
        return "the game is in one of its phases";
    }
    if (game->player < 1 || game->player > game->setup.players) {
        return "exactly one player has the turn";
    }
    if (game->phase == PHASE_REPAIR && game->setup.variant != VARIANT_ADVANCED) {
        return "only the advanced game has a repair step (G3)";
    }
    if (turn->shot == SHOT_NONE || turn->shot >= SHOT_COUNT ||
        (turn->shot == SHOT_OPEN && game->phase != PHASE_SHOOTING)) {
        return "a shot is open in the shooting step only (S9)";
    }
    if (turn->left > turn->die) {
        return "no more points are left than were rolled (M1)";
    }
    if (turn->die &&
        !die_shows(game->setup.house.move_die, game->setup.house.move_faces, turn->die)) {
        return "the die shows one of its faces (M1)";
    }
    return NULL;
}

static const char *trophy_violation(const struct game *game, enum piece piece)
{
    unsigned by = game->captured_by[piece];

    if ((by != PLAYER_NONE) != (game->status[piece] == STATUS_CAPTURED)) {
        return "a trophy is a captured piece and has one holder";
    }
    if (by && (by > game->setup.players || !is_enemy(game, by, piece))) {
        return "nobody holds a trophy of their own side";
    }
    return NULL;
}

static const char *piece_violation(const struct game *game)
{
    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++) {
        bool belongs = rules_owner(game, piece) || is_neutral(game, piece) || is_tile(game, piece);
        const char *violation = trophy_violation(game, piece);

        if (violation) {
            return violation;
        }
        if (game->status[piece] >= STATUS_COUNT ||
            belongs != (game->status[piece] != STATUS_ABSENT)) {
            return "every piece of this game, and no other, has a status (G1)";
        }
        if (game->status[piece] == STATUS_FLAT && game->setup.variant != VARIANT_ADVANCED) {
            return "only in the advanced game is a piece flat (A1)";
        }
        if (((game->lying | game->declared) & bit(piece)) && !can_topple(game, piece)) {
            return "tiles do not topple";
        }
    }
    return NULL;
}

static const char *combat_violation(const struct game *game)
{
    if (game->combat_count > COMBATS_MAX) {
        return "close combats fit their table";
    }
    for (unsigned i = 0; i < game->combat_count; i++) {
        const struct combat *combat = &game->combats[i];
        enum piece one = combat->attacker;
        enum piece two = combat->target;

        if (!rules_in_play(game, one) || !rules_in_play(game, two)) {
            return "nobody fights what is out of play (C6)";
        }
        if (combat->began_by < 1 || combat->began_by > game->setup.players ||
            !is_enemy(game, combat->began_by, two) ||
            (!is_neutral(game, one) && rules_owner(game, one) != combat->began_by)) {
            return "whoever begins a close combat attacks an enemy (C1)";
        }
        for (unsigned j = 0; j < i; j++) {
            const struct combat *other = &game->combats[j];
            if ((other->attacker == one && other->target == two) ||
                (other->attacker == two && other->target == one)) {
                return "two pieces are in one close combat with each other";
            }
        }
    }
    return NULL;
}

/* E2, counted from the trophies: every point of a player is a trophy, a barrel or the chest. */
static const char *score_violation(const struct game *game)
{
    const struct house *house = &game->setup.house;
    int points = 0;
    int scores = 0;

    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++) {
        if (game->status[piece] == STATUS_CAPTURED) {
            points += piece == PIECE_PIRATE   ? house->pirate_points
                      : rules_is_tower(piece) ? house->tower_points
                                              : house->ship_points;
        }
        if (rules_has_chest(game, piece) && game->phase == PHASE_OVER) {
            points += house->chest_points;
        }
    }
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (game->setup.scenario == SCENARIO_MERCHANT &&
            game->scenario.merchant.barrels[harbour].delivered_by) {
            points += house->barrel_points;
        }
    }
    for (unsigned player = 1; player <= game->setup.players; player++) {
        if (rules_score(game, player) < 0) {
            return "points are never negative";
        }
        scores += rules_score(game, player);
    }
    return points != scores ? "the scores are what the trophies say (E2)" : NULL;
}

static const char *ending_violation(const struct game *game)
{
    unsigned out = 0;

    for (unsigned player = 1; player <= game->setup.players; player++) {
        out += rules_is_out(game, player);
    }
    if ((out != 0) != (game->phase == PHASE_OVER)) {
        return "the game is over exactly when somebody is out (E1)";
    }
    if ((rules_winners(game) != 0) != (game->phase == PHASE_OVER)) {
        return "somebody has won exactly when the game is over (E3)";
    }
    return NULL;
}

const char *rules_violation(const struct game *game)
{
    static const char *(*const claims[])(const struct game *) = {
        turn_violation, piece_violation, combat_violation, score_violation, ending_violation,
    };
    const struct scenario *scenario = scenario_of(game);

    if (game->phase == PHASE_LOBBY) {
        return game->seq ? "nothing has happened in the lobby" : NULL;
    }
    for (unsigned i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        const char *violation = claims[i](game);
        if (violation) {
            return violation;
        }
    }
    return scenario->violation ? scenario->violation(game) : NULL;
}

/*
 * Over words of eight bytes; the shift carries the high bits of each word down, where the next
 * multiplication spreads them. The struct has no padding, and every machine we run on is
 * little-endian.
 */
uint64_t rules_hash(const struct game *game)
{
    const char *bytes = (const char *)game;
    uint64_t hash = UINT64_C(14695981039346656037);
    uint64_t word;

    _Static_assert(sizeof *game % sizeof word == 0, "a game is made of whole words");
    for (size_t at = 0; at < sizeof *game; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}
