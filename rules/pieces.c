/* Pieces: their owners, what they may do, and how they leave play. */
#include "rules_internal.h"

enum harbour rules_harbour_of(enum piece piece)
{
    return piece >= PIECE_RED_1 && piece <= PIECE_YELLOW_TOWER
               ? (enum harbour)(HARBOUR_RED + (piece - PIECE_RED_1) / PIECES_A_HARBOUR)
               : HARBOUR_NONE;
}

bool rules_is_tower(enum piece piece)
{
    return rules_harbour_of(piece) != HARBOUR_NONE &&
           (piece - PIECE_RED_1) % PIECES_A_HARBOUR == PIECES_A_HARBOUR - 1;
}

bool rules_is_ship(enum piece piece)
{
    return piece == PIECE_PIRATE ||
           (rules_harbour_of(piece) != HARBOUR_NONE && !rules_is_tower(piece));
}

unsigned harbour_owner(const struct setup *setup, enum harbour harbour)
{
    for (unsigned player = 1; harbour && player <= setup->players; player++) {
        if (setup->seats[player].harbours & bit(harbour)) {
            return player;
        }
    }
    return PLAYER_NONE;
}

unsigned rules_harbour_owner(const struct game *game, enum harbour harbour)
{
    return harbour_owner(&game->setup, harbour);
}

unsigned rules_owner(const struct game *game, enum piece piece)
{
    return rules_harbour_owner(game, rules_harbour_of(piece));
}

bool rules_in_play(const struct game *game, enum piece piece)
{
    return game->status[piece] == STATUS_STANDING || game->status[piece] == STATUS_FLAT;
}

bool rules_disturbed(const struct game *game, enum piece piece)
{
    bool lies = game->lying & bit(piece);

    return rules_in_play(game, piece) && lies != (game->status[piece] == STATUS_FLAT);
}

bool is_neutral(const struct game *game, enum piece piece)
{
    return piece != PIECE_NONE && piece == scenario_of(game)->neutral;
}

bool is_tile(const struct game *game, enum piece piece)
{
    return piece != PIECE_NONE && piece == scenario_of(game)->tile;
}

bool can_topple(const struct game *game, enum piece piece)
{
    return !is_tile(game, piece) &&
           !(is_neutral(game, piece) && scenario_of(game)->neutral_is_tile);
}

bool is_enemy(const struct game *game, unsigned player, enum piece piece)
{
    unsigned owner = rules_owner(game, piece);
    const struct seat *seats = game->setup.seats;

    if (game->setup.teams && owner) {
        return seats[owner].team != seats[player].team;
    }
    return owner != player && !is_tile(game, piece);
}

int check_armed(const struct game *game, enum piece piece, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    if (game->status[piece] == STATUS_FLAT) {
        return refuse(out, REFUSED_FLAT, RULE_A2);
    }
    return scenario->check_armed ? scenario->check_armed(game, piece, out) : 0;
}

int check_any_own(const struct game *game, bool (*counts)(enum piece), check_fn *check,
                  struct outcome *out)
{
    /* A player in the game always has a piece, but not always a ship to move. */
    int first_refusal = REFUSED_NOTHING_THERE;
    enum rule first_rule = RULE_M1;
    bool found = false;

    for (enum piece piece = PIECE_RED_1; piece <= PIECE_YELLOW_TOWER; piece++) {
        if (rules_owner(game, piece) != game->player || !rules_in_play(game, piece) ||
            (counts && !counts(piece))) {
            continue;
        }
        int refusal = check(game, piece, out);
        if (!refusal) {
            return 0;
        }
        if (!found) {
            first_refusal = refusal;
            first_rule = out->rule;
            found = true;
        }
    }
    return refuse(out, (enum refusal)first_refusal, first_rule);
}

bool die_shows(const uint8_t *faces, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++) {
        if (faces[i] == value) {
            return true;
        }
    }
    return false;
}

/* C6: its close combats end; E1: a player without pieces ends the game. */
static void leave_play(struct game *game, enum piece piece, enum piece winner, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    end_combats_of(game, piece, RULE_C6, out);
    if (scenario->left_play) {
        scenario->left_play(game, piece, winner, out);
    }
    end_game_if_out(game, out);
}

void capture(struct game *game, enum piece piece, unsigned by, enum piece winner, enum how how,
             enum rule rule, struct outcome *out)
{
    game->status[piece] = STATUS_CAPTURED;
    game->captured_by[piece] = (uint8_t)by;
    struct event *event = emit(game, out, EVENT_PIECE_CAPTURED, rule);
    event->piece = piece;
    event->by = by;
    event->other = winner;
    event->how = how;
    leave_play(game, piece, how == HOW_COMBAT ? winner : PIECE_NONE, out);
}

void lose(struct game *game, enum piece piece, enum piece winner, enum rule rule,
          struct outcome *out)
{
    game->status[piece] = STATUS_LOST;
    struct event *event = emit(game, out, EVENT_PIECE_LOST, rule);
    event->piece = piece;
    event->other = winner;
    leave_play(game, piece, winner, out);
}
