/* The stored games: a list of them, and one with its events and states. */
#include "changes.h"
#include "request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_DEFAULT = 20, EVENTS_A_PAGE = 1000 };

/*
 * Games
 */

/* A row of a list, kept because the next queries need the database. */
static int keep_row(void *context, const char *const *columns)
{
    json_t *entry =
        json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:s, s:o, s:b}", "game",
                  columns[0], "table", column_text(columns[1]), "began", columns[2], "ended",
                  column_text(columns[3]), "seq", column_number(columns[4]), "turns",
                  column_number(columns[5]), "rules", column_text(columns[6]), "scenario",
                  column_text(columns[7]), "teams", columns[8] && columns[8][0] == '1', "number",
                  columns[9], "sheet", column_text(columns[10]), "running", columns[11][0] == '1');

    return json_array_append_new(context, entry) ? -ENOMEM : 0;
}

/* A table has one game at a time: a later one there means that this one was abandoned. */
#define GAME_COLUMNS                                                                               \
    "SELECT game, NULLIF(table_name, ''), began, ended, seq, turns, rules, scenario, teams, "      \
    "number, (SELECT h.name FROM sheet h WHERE h.game = number), CASE WHEN ended IS NULL AND "     \
    "CASE table_name WHEN '' THEN EXISTS (SELECT 1 FROM sheet h WHERE h.game = number AND "        \
    "h.gone_at IS NULL) ELSE NOT EXISTS (SELECT 1 FROM game n WHERE n.table_name = "               \
    "game.table_name AND n.began > game.began) END THEN 1 ELSE 0 END FROM game "

/* name, points and won of each seat. */
static int add_seat(void *context, const char *const *columns)
{
    json_t *entry = context;

    json_array_append_new(json_object_get(entry, "players"), json_string(columns[0]));
    json_array_append_new(json_object_get(entry, "points"), column_number(columns[1]));
    if (columns[2] && columns[2][0] == '1') {
        json_array_append_new(json_object_get(entry, "winners"), json_string(columns[0]));
    }
    return 0;
}

/* The number is ours and not for others. */
static int64_t finish_game_entry(struct request *request, json_t *entry)
{
    int64_t number = strtoll(json_string_value(json_object_get(entry, "number")), NULL, 10);

    json_object_del(entry, "number");
    json_object_set_new(entry, "players", json_array());
    json_object_set_new(entry, "points", json_array());
    json_object_set_new(entry, "winners", json_array());
    REQUEST_RUN(request, add_seat, entry,
                "SELECT s.name, COALESCE(f.points, s.points), CASE WHEN f.won = 1 OR s.place = 1 "
                "THEN 1 ELSE 0 END FROM seat s LEFT JOIN figure f ON f.game = s.game AND f.seat = "
                "s.seat WHERE s.game = $1 ORDER BY s.seat",
                NUMBER(number));
    return number;
}

struct place {
    char began[32];
};

static int take_began(void *context, const char *const *columns)
{
    struct place *place = context;

    snprintf(place->began, sizeof place->began, "%s", columns[0]);
    return 0;
}

/* Finds more than limit, to know whether there are more. */
static void find_games(struct request *request, const char *person, int64_t limit, json_t *rows)
{
    const char *before = request_text(request, "before");
    struct place place = {""};

    if (before) {
        REQUEST_RUN(request, take_began, &place, "SELECT began FROM game WHERE game = $1",
                    TEXT(before));
        if (!place.began[0]) {
            request_refuse(request, "not-found", "before: there is no such game.");
        }
    }
    REQUEST_RUN(request, keep_row, rows,
                GAME_COLUMNS
                "WHERE (CAST($1 AS TEXT) IS NULL OR table_name = $1) AND (CAST($2 AS TEXT) IS NULL "
                "OR number IN (SELECT s.game FROM seat s JOIN person p ON p.person = s.person "
                "WHERE p.root = $2)) AND (CAST($3 AS TEXT) IS NULL OR scenario = $3) AND (CAST($4 "
                "AS TEXT) IS NULL OR began >= $4) AND (CAST($5 AS TEXT) IS NULL OR SUBSTR(began, "
                "1, LENGTH($5)) <= $5) AND (CAST($6 AS TEXT) IS NULL OR began < $6 OR (began = $6 "
                "AND game < $7)) ORDER BY began DESC, game DESC LIMIT $8",
                TEXT(request_text(request, "table")), TEXT(person),
                TEXT(request_text(request, "scenario")), TEXT(request_time(request, "from")),
                TEXT(request_time(request, "to")), TEXT(before ? place.began : NULL), TEXT(before),
                NUMBER(limit + 1));
}

static void answer_games(struct request *request)
{
    char person[PERSON_SIZE];
    bool has_player = request_player(request, person);
    int64_t limit = request_number(request, "limit", REQUEST_LIST_MAX, GAMES_DEFAULT);
    json_t *rows = json_array();
    size_t at;
    json_t *row;

    request_begin_list(request, "games");
    find_games(request, has_player ? person : NULL, limit, rows);
    json_array_foreach(rows, at, row)
    {
        if ((int64_t)at == limit) {
            request->is_full = true;
        }
        if (request_goes_on(request) && !request->is_full) {
            finish_game_entry(request, row);
            request_add(request, json_incref(row));
        }
    }
    json_decref(rows);
}

/*
 * One game
 */

/* Events and states of a reply share its bytes. */
struct pages {
    json_t *events;
    json_t *states;
    json_t *state; /* the one before, complete */
    size_t bytes;
    int64_t from;
    int64_t last;  /* the last event of the reply */
    int64_t drawn; /* the last event that has its state */
};

static int add_event(void *context, const char *const *columns)
{
    struct pages *pages = context;
    size_t bytes = strlen(columns[2]) + sizeof ",\"undone\":true";

    if (json_array_size(pages->events) > 0 && pages->bytes + bytes > REQUEST_BYTES_MAX / 2) {
        return 1;
    }
    json_t *event = json_loads(columns[2], 0, NULL);
    if (!event) {
        return -EBADMSG;
    }
    if (columns[1][0] == '1') {
        json_object_set_new(event, "undone", json_true());
    }
    pages->bytes += bytes;
    pages->last = strtoll(columns[0], NULL, 10);
    return json_array_append_new(pages->events, event) ? -ENOMEM : 0;
}

/* The first state of the reply is computed; the others are as stored. */
static int add_state(void *context, const char *const *columns)
{
    struct pages *pages = context;
    int64_t seq = strtoll(columns[0], NULL, 10);
    bool is_complete = columns[1][0] == '1';
    bool is_first = json_array_size(pages->states) == 0;
    json_t *body = json_loads(columns[2], 0, NULL);

    if (!body || (!is_complete && !pages->state)) {
        json_decref(body);
        return -EBADMSG;
    }
    if (is_first) { /* until then, changes are applied */
        if (is_complete) {
            json_decref(pages->state);
            pages->state = json_incref(body);
        } else if (changes_apply(pages->state, body)) {
            json_decref(body);
            return -ENOMEM;
        }
    }
    if (seq < pages->from) {
        json_decref(body);
        return 0;
    }
    pages->bytes += strlen(columns[2]);
    if (!is_first && pages->bytes > REQUEST_BYTES_MAX) {
        json_decref(body);
        return 1;
    }
    json_t *entry = is_first
                        ? json_pack("{s:I, s:O}", "seq", (json_int_t)seq, "state", pages->state)
                        : json_pack("{s:I, s:O}", "seq", (json_int_t)seq,
                                    is_complete ? "state" : "changes", body);
    json_decref(body);
    json_array_append_new(pages->states, entry);
    pages->drawn = seq;
    return seq >= pages->last;
}

/* Events whose states did not fit come with the next reply. */
static void cut_events(struct pages *pages)
{
    while (json_array_size(pages->events) > 1) {
        size_t last = json_array_size(pages->events) - 1;
        json_t *event = json_array_get(pages->events, last);
        pages->last = json_integer_value(json_object_get(event, "seq"));
        if (pages->last <= pages->drawn) {
            return;
        }
        json_array_remove(pages->events, last);
    }
}

static void add_pages(struct request *request, int64_t game, int64_t seq)
{
    struct pages pages = {.from = request_number(request, "from", BOOK_SEQ_MAX, 1)};
    int64_t limit = request_number(request, "limit", EVENTS_A_PAGE, EVENTS_A_PAGE);

    pages.events = json_array();
    pages.states = json_array();
    json_object_set_new(request->reply, "events", pages.events);
    json_object_set_new(request->reply, "states", pages.states);
    REQUEST_RUN(
        request, add_event, &pages,
        "SELECT seq, undone, body FROM event WHERE game = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
        NUMBER(game), NUMBER(pages.from), NUMBER(limit));
    if (pages.last) {
        REQUEST_RUN(request, add_state, &pages,
                    "SELECT seq, is_complete, body FROM state WHERE game = $1 AND seq >= "
                    "COALESCE((SELECT MAX(seq) FROM state WHERE game = $1 AND is_complete = 1 AND "
                    "seq <= $2), 0) ORDER BY seq",
                    NUMBER(game), NUMBER(pages.from));
    }
    if (pages.bytes > REQUEST_BYTES_MAX) {
        cut_events(&pages);
    }
    request->is_full = pages.last && pages.last < seq;
    json_decref(pages.state);
}

static void answer_game(struct request *request)
{
    const char *game = request_needed_text(request, "game");
    json_t *rows = json_array();

    REQUEST_RUN(request, keep_row, rows, GAME_COLUMNS "WHERE game = $1", TEXT(game));
    json_t *entry = json_array_get(rows, 0);
    if (!entry) {
        request_refuse(request, "not-found", "There is no such game.");
    } else {
        int64_t number = finish_game_entry(request, entry);
        json_object_set(request->reply, "game", entry);
        add_pages(request, number, json_integer_value(json_object_get(entry, "seq")));
    }
    json_decref(rows);
}

const struct verb answers_of_games[] = {
    {ANSWER_QUERY, "games", " table player scenario from to before limit ", answer_games},
    {ANSWER_QUERY, "game", " game from limit ", answer_game},
    {0},
};
