/* E, T: points, the end, and who has won. */
#include "rules_internal.h"

static unsigned count_in_play(const struct game *game, unsigned player, bool towers)
{
    unsigned count = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        count += rules_in_play(game, (enum piece)piece) &&
                 rules_owner(game, (enum piece)piece) == player &&
                 rules_is_tower((enum piece)piece) == towers;
    }
    return count;
}

unsigned rules_ships(const struct game *game, unsigned player)
{
    return count_in_play(game, player, false);
}

unsigned rules_towers(const struct game *game, unsigned player)
{
    return count_in_play(game, player, true);
}

/* E1: not while a shot is open, because one ball may topple the last pieces of several players. */
bool rules_is_out(const struct game *game, unsigned player)
{
    return !rules_ships(game, player) && !rules_towers(game, player) &&
           game->turn.shot != SHOT_OPEN;
}

void end_game_if_out(struct game *game, struct outcome *out)
{
    bool ends = false;

    for (unsigned player = 1; player <= game->setup.players; player++) {
        if (rules_is_out(game, player)) {
            emit(game, out, EVENT_PLAYER_OUT, RULE_E1)->by = player;
            ends = true;
        }
    }
    if (!ends) {
        return;
    }
    leave_phase(game);
    game->phase = PHASE_OVER;
    struct event *event = emit(game, out, EVENT_GAME_OVER, game->setup.teams ? RULE_T2 : RULE_E3);
    rules_ranking(game, event->ranking);
    event->winners = rules_winners(game);
}

/* E2 */
static int trophy_points(const struct house *house, enum piece piece)
{
    if (piece == PIECE_PIRATE) {
        return house->pirate_points;
    }
    return rules_is_tower(piece) ? house->tower_points : house->ship_points;
}

int rules_score(const struct game *game, unsigned player)
{
    const struct scenario *scenario = scenario_of(game);
    int score = scenario->points ? scenario->points(game, player) : 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (game->captured_by[piece] == player) {
            score += trophy_points(&game->setup.house, (enum piece)piece);
        }
    }
    return score;
}

static unsigned captured_towers(const struct game *game, unsigned player)
{
    unsigned count = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        count += game->captured_by[piece] == player && rules_is_tower((enum piece)piece);
    }
    return count;
}

/* The keys of the ranking: out or not (E4), points, towers (E3); a team's are added up (T2). */
struct standing {
    bool out;
    int points;
    unsigned towers;
};

static struct standing standing_of(const struct game *game, unsigned player)
{
    const struct seat *seats = game->setup.seats;
    struct standing sum = {.out = !game->setup.teams && rules_is_out(game, player)};

    for (unsigned other = 1; other <= game->setup.players; other++) {
        if (other == player || (game->setup.teams && seats[other].team == seats[player].team)) {
            sum.points += rules_score(game, other);
            sum.towers += captured_towers(game, other);
        }
    }
    return sum;
}

static bool is_better(struct standing one, struct standing two)
{
    if (one.out != two.out) {
        return two.out;
    }
    return one.points != two.points ? one.points > two.points : one.towers > two.towers;
}

/* A place is one more than the number of better players, so tied players share a place. */
static void place_players(const struct game *game, unsigned places[PLAYER_COUNT])
{
    struct standing standings[PLAYER_COUNT];

    for (unsigned player = 1; player <= game->setup.players; player++) {
        standings[player] = standing_of(game, player);
    }
    for (unsigned player = 1; player <= game->setup.players; player++) {
        places[player] = 1;
        for (unsigned other = 1; other <= game->setup.players; other++) {
            places[player] += is_better(standings[other], standings[player]);
        }
    }
}

unsigned rules_ranking(const struct game *game, struct rank ranking[PLAYERS_MAX])
{
    unsigned places[PLAYER_COUNT];
    unsigned count = 0;

    place_players(game, places);
    for (unsigned place = 1; place <= game->setup.players; place++) {
        for (unsigned player = 1; player <= game->setup.players; player++) {
            if (places[player] == place) {
                ranking[count++] = (struct rank){
                    .player = (uint8_t)player,
                    .place = (uint8_t)place,
                    .towers = (uint8_t)captured_towers(game, player),
                    .points = rules_score(game, player),
                };
            }
        }
    }
    return count;
}

uint32_t rules_winners(const struct game *game)
{
    unsigned places[PLAYER_COUNT];
    uint32_t winners = 0;

    if (game->phase != PHASE_OVER) {
        return 0;
    }
    place_players(game, places);
    for (unsigned player = 1; player <= game->setup.players; player++) {
        winners |= places[player] == 1 ? bit(player) : 0;
    }
    return winners;
}
