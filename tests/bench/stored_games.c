#include "stored_games.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    SEATS = 4,
    HIT_PERCENT = 40,
    SHIPS = 9, /* of the three others */
    BEGAN = 1735732800,
    PERIOD_S = 1800,
    EVENT_S = 5,
    TURN_EVENTS_MAX = 12,
    TEXT_SIZE = 64,
};

static const char *const colours[SEATS] = {"red", "blue", "green", "yellow"};
static const char *const scenarios[] = {"none", "kraken", "merchant", "pirate-ship"};

struct making {
    unsigned number;
    uint64_t random;
    char id[STORED_ID_SIZE];
    json_t *replies;
    json_t *events; /* of the last reply */
    json_t *states;
    json_t *state; /* after the last step */
    unsigned seq;
    unsigned turn;
    unsigned seat; /* from 1 */
    unsigned captured[SEATS];
    unsigned fallen;
};

/* xorshift: the games are the same on each machine. */
static unsigned draw(struct making *making, unsigned below)
{
    making->random ^= making->random << 13;
    making->random ^= making->random >> 7;
    making->random ^= making->random << 17;
    return (unsigned)(making->random % below);
}

static void write_time(unsigned number, unsigned seq, const char *format, char text[TEXT_SIZE])
{
    time_t at = (time_t)BEGAN + (time_t)number * PERIOD_S + (time_t)seq * EVENT_S;
    struct tm parts;

    strftime(text, TEXT_SIZE, format, gmtime_r(&at, &parts));
}

void stored_id(unsigned number, char id[STORED_ID_SIZE])
{
    char began[TEXT_SIZE];

    write_time(number, 0, "%Y%m%d-%H%M%S", began);
    snprintf(id, STORED_ID_SIZE, "%.15s-%04x", began, number & 0xffff);
}

void stored_player(unsigned number, char name[STORED_ID_SIZE])
{
    snprintf(name, STORED_ID_SIZE, "Player %u", number % STORED_PLAYERS);
}

/* Neighbours differ in their opponents. */
static unsigned player_at(unsigned game, unsigned seat)
{
    return game * (seat + 1) + seat * 7;
}

/*
 * Steps
 */

static void begin_reply(struct making *making)
{
    making->events = json_array();
    making->states = json_array();
    json_array_append_new(making->replies, json_pack("{s:o, s:o}", "events", making->events,
                                                     "states", making->states));
}

/* An event; the fields become its own. */
static void add_event(struct making *making, const char *type, json_t *fields)
{
    char at[TEXT_SIZE];

    write_time(making->number, ++making->seq, "%Y-%m-%dT%H:%M:%S.125Z", at);
    json_t *event =
        json_pack("{s:i, s:s, s:i, s:s, s:s, s:i, s:i, s:s, s:s+}", "v", 1, "game", making->id,
                  "seq", (int)making->seq, "at", at, "event_type", type, "turn", (int)making->turn,
                  "player", (int)making->seat, "rule", "S3", "message", "Player 12: ", type);
    json_object_update(event, fields);
    json_decref(fields);
    json_array_append_new(making->events, event);
}

/* The state after a step: complete at the beginning of a reply, else what has changed. */
static void add_state(struct making *making, json_t *changes)
{
    json_object_set_new(changes, "seq", json_integer((json_int_t)making->seq));
    json_object_update_recursive(making->state, changes);
    bool is_first = json_array_size(making->states) == 0;
    json_array_append_new(
        making->states, is_first
                            ? json_pack("{s:i, s:o}", "seq", (int)making->seq, "state",
                                        json_deep_copy(making->state))
                            : json_pack("{s:i, s:O}", "seq", (int)making->seq, "changes", changes));
    json_decref(changes);
    if (json_array_size(making->events) + TURN_EVENTS_MAX > STORED_PAGE &&
        making->seq < STORED_EVENTS) {
        begin_reply(making);
    }
}

static json_t *make_state(const struct making *making)
{
    json_t *players = json_array();
    json_t *pieces = json_object();
    const char *scenario = scenarios[making->number % (sizeof scenarios / sizeof scenarios[0])];

    for (unsigned seat = 0; seat < SEATS; seat++) {
        char name[STORED_ID_SIZE];
        stored_player(player_at(making->number, seat), name);
        json_array_append_new(
            players,
            json_pack("{s:i, s:s, s:[s], s:n, s:i, s:i, s:i, s:b, s:[], s:i, s:b}", "id",
                      (int)seat + 1, "name", name, "harbours", colours[seat], "team", "score", 0,
                      "ships", 3, "towers", 1, "out", 0, "trophies", "barrels", 0, "chest", 0));
        for (unsigned ship = 1; ship <= SEATS; ship++) {
            char piece[TEXT_SIZE];
            snprintf(piece, sizeof piece, ship == SEATS ? "%s-tower" : "%s-%u", colours[seat],
                     ship);
            json_object_set_new(pieces, piece,
                                json_pack("{s:i, s:s, s:n, s:n, s:b, s:b, s:n}", "owner",
                                          (int)seat + 1, "status", "standing", "by", "cargo",
                                          "disturbed", 0, "entangled", 0, "lives"));
        }
    }
    return json_pack("{s:i, s:s, s:s, s:i, s:s, s:i, s:i, s:s, s:s, s:b, s:s, s:n, s:i, s:s, s:n, "
                     "s:n, s:o, s:o, s:[], s:[]}",
                     "v", 1, "table", "bench", "game", making->id, "seq", 0, "phase", "shooting",
                     "turn", 0, "player", 1, "rules", "basic", "scenario", scenario, "teams", 0,
                     "dice", "table", "die", "left", 0, "shot", "none", "shooter", "selected",
                     "players", players, "pieces", pieces, "combats", "winners");
}

/* The next ship of the others falls. */
static void hit(struct making *making)
{
    char piece[TEXT_SIZE];
    unsigned owner = (making->seat + making->fallen % (SEATS - 1)) % SEATS;

    snprintf(piece, sizeof piece, "%s-%u", colours[owner], making->fallen / (SEATS - 1) + 1);
    making->fallen++;
    making->captured[making->seat - 1]++;
    add_event(making, "piece-toppled", json_pack("{s:s}", "piece", piece));
    add_event(making, "piece-captured",
              json_pack("{s:s, s:n, s:i, s:s}", "piece", piece, "with", "by", (int)making->seat,
                        "how", "shot"));
    json_t *players = json_deep_copy(json_object_get(making->state, "players"));
    json_object_set_new(json_array_get(players, making->seat - 1), "score",
                        json_integer((json_int_t)making->captured[making->seat - 1]));
    json_t *whole =
        json_deep_copy(json_object_get(json_object_get(making->state, "pieces"), piece));
    json_object_set_new(whole, "status", json_string("captured"));
    json_object_set_new(whole, "by", json_integer((json_int_t)making->seat));
    add_state(making, json_pack("{s:o, s:{s:o}}", "players", players, "pieces", piece, whole));
}

static void add_turn(struct making *making)
{
    making->turn++;
    making->seat = (making->turn - 1) % SEATS + 1;
    add_event(making, "turn-started", json_object());
    add_event(making, "phase-started", json_pack("{s:s}", "phase", "shooting"));
    add_state(making, json_pack("{s:s, s:i, s:i}", "phase", "shooting", "turn", (int)making->turn,
                                "player", (int)making->seat));
    add_event(making, "shot-fired",
              json_pack("{s:n, s:f}", "shooter", "speed_mps", 2 + draw(making, 4000) / 1000.0));
    add_state(making, json_pack("{s:s}", "shot", "open"));
    if (making->fallen < SHIPS && draw(making, 100) < HIT_PERCENT) {
        hit(making);
    }
    add_event(making, "shot-over", json_pack("{s:[]}", "pieces"));
    add_event(making, "phase-started", json_pack("{s:s}", "phase", "moving"));
    add_state(making, json_pack("{s:s, s:s}", "phase", "moving", "shot", "done"));
    add_event(making, "move-rolled", json_pack("{s:i}", "value", 2));
    add_state(making, json_pack("{s:i, s:i}", "die", 2, "left", 2));
    add_event(making, "piece-moved",
              json_pack("{s:s, s:f, s:i, s:i}", "piece", "red-1", "knots",
                        draw(making, 2000) / 1000.0, "cost", 2, "left", 0));
    add_state(making, json_pack("{s:i}", "left", 0));
    add_event(making, "phase-started", json_pack("{s:s}", "phase", "combat"));
    add_state(making, json_pack("{s:s}", "phase", "combat"));
}

/* The seat with the most ships wins; the order of the others is that of the seats. */
static void end_game(struct making *making)
{
    json_t *ranking = json_array();
    unsigned best = 0;

    for (unsigned seat = 1; seat < SEATS; seat++) {
        best = making->captured[seat] > making->captured[best] ? seat : best;
    }
    for (unsigned place = 0; place < SEATS; place++) {
        unsigned seat = (best + place) % SEATS;
        json_array_append_new(ranking, json_pack("{s:i, s:i, s:i, s:i}", "player", (int)seat + 1,
                                                 "place", (int)place + 1, "points",
                                                 (int)making->captured[seat], "towers", 1));
    }
    while (making->seq < STORED_EVENTS - 1) {
        add_event(making, "aimed", json_pack("{s:s}", "piece", "red-1"));
    }
    add_event(making, "game-over", json_pack("{s:o}", "ranking", ranking));
    add_state(making, json_pack("{s:s}", "phase", "over"));
}

json_t *stored_replies(unsigned number)
{
    struct making making = {.number = number,
                            .random = 88172645463325252U + number * 2654435761U,
                            .replies = json_array(),
                            .seat = 1};

    stored_id(number, making.id);
    making.state = make_state(&making);
    begin_reply(&making);
    add_event(&making, "game-started", json_pack("{s:i}", "first", 1));
    add_state(&making, json_object());
    while (making.seq + TURN_EVENTS_MAX < STORED_EVENTS) {
        add_turn(&making);
    }
    end_game(&making);
    json_decref(making.state);
    return making.replies;
}
