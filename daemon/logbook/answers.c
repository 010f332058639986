#include "answers.h"

#include "changes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DUMP = JSON_COMPACT | JSON_REAL_PRECISION(9),
    LIST_BYTES_MAX = ANSWER_MAX - (16 << 10),
    MESSAGE_SIZE = 256,
    PATH_SIZE = 4096,
    GAMES_DEFAULT = 20,
    LIST_MAX = 100,
    EVENTS_MAX = 1000,
    BEAT_MAX = 500,
};

/* A question while it is answered. */
struct ask {
    struct book *book;
    const struct answer_settings *settings;
    json_t *fields;
    json_t *reply; /* what it has besides id and ok */
    json_t *list;  /* the answer that grows, of the reply */
    size_t bytes;
    int64_t until_us;    /* 0: the list may take as long as it takes */
    bool is_full;        /* the list ends here, and there is more */
    int error;           /* of the book */
    const char *refusal; /* or NULL */
    char message[MESSAGE_SIZE];
};

typedef void answer_fn(struct ask *ask);

static answer_fn answer_games, answer_game, answer_players, answer_statistics, answer_progress,
    answer_record_list, answer_badges, answer_merge, answer_unmerge, answer_backup, answer_sheets,
    answer_open, answer_undo, answer_close, answer_count, answer_flag, answer_round, answer_finish;

static const struct verb {
    enum answer_door door;
    const char *name;
    const char *fields; /* besides id, each between blanks */
    answer_fn *answer;
} verbs[] = {
    {ANSWER_QUERY, "games", " table player scenario from to before limit ", answer_games},
    {ANSWER_QUERY, "game", " game from limit ", answer_game},
    {ANSWER_QUERY, "players", " after limit ", answer_players},
    {ANSWER_QUERY, "statistics", " player after limit ", answer_statistics},
    {ANSWER_QUERY, "progress", " player after limit ", answer_progress},
    {ANSWER_QUERY, "records", " ", answer_record_list},
    {ANSWER_QUERY, "badges", " player after limit ", answer_badges},
    {ANSWER_QUERY, "sheets", " ", answer_sheets},
    {ANSWER_COMMAND, "merge", " player into ", answer_merge},
    {ANSWER_COMMAND, "unmerge", " player ", answer_unmerge},
    {ANSWER_COMMAND, "backup", " ", answer_backup},
    {ANSWER_COMMAND, "open-sheet", " name players ", answer_open},
    {ANSWER_COMMAND, "undo-sheet", " sheet ", answer_undo},
    {ANSWER_COMMAND, "close-sheet", " sheet ", answer_close},
    {ANSWER_SCORE, "count", " sheet counter player by to ", answer_count},
    {ANSWER_SCORE, "flag", " sheet flag player value ", answer_flag},
    {ANSWER_SCORE, "round", " sheet ", answer_round},
    {ANSWER_SCORE, "finish", " sheet ", answer_finish},
};

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/*
 * Refusals and fields
 */

__attribute__((format(printf, 3, 4))) static void refuse(struct ask *ask, const char *code,
                                                         const char *format, ...)
{
    if (!ask->refusal) {
        va_list arguments;
        ask->refusal = code;
        va_start(arguments, format);
        vsnprintf(ask->message, sizeof ask->message, format, arguments);
        va_end(arguments);
    }
}

/* Whether the answer goes on: nothing was refused, and the database works. */
static bool goes_on(const struct ask *ask)
{
    return !ask->refusal && !ask->error;
}

/* A text that may be absent (NULL). */
static const char *text_field(struct ask *ask, const char *name)
{
    const json_t *field = json_object_get(ask->fields, name);

    if (field && !json_is_string(field)) {
        refuse(ask, "bad-value", "%s: expected a string.", name);
    }
    return json_string_value(field);
}

static const char *needed_field(struct ask *ask, const char *name)
{
    const char *text = text_field(ask, name);

    if (!text) {
        refuse(ask, "missing-field", "%s is missing.", name);
    }
    return text;
}

static int64_t number_field(struct ask *ask, const char *name, int64_t max, int64_t standard)
{
    const json_t *field = json_object_get(ask->fields, name);
    int64_t number = json_integer_value(field);

    if (!field) {
        return standard;
    }
    if (!json_is_integer(field) || number < 1 || number > max) {
        refuse(ask, "bad-value", "%s: expected a number from 1 to %lld.", name, (long long)max);
    }
    return number;
}

/* A date or a time, or the beginning of one. */
static const char *time_field(struct ask *ask, const char *name)
{
    static const char pattern[] = "0000-00-00T00:00:00.000Z";
    const char *time = text_field(ask, name);
    size_t length = time ? strlen(time) : 4;
    bool fits = length >= 4 && length < sizeof pattern;

    for (size_t i = 0; time && fits && i < length; i++) {
        fits = pattern[i] == '0' ? time[i] >= '0' && time[i] <= '9' : time[i] == pattern[i];
    }
    if (!fits) {
        refuse(ask, "bad-value", "%s: expected a date such as 2026-05-01, a month or a year.",
               name);
    }
    return time;
}

static void run(struct ask *ask, const char *sql, const struct parameter *parameters, row_fn *row,
                void *context)
{
    const struct database *database = &ask->book->database;
    int result = goes_on(ask) ? database->run(database->self, sql, parameters, row, context) : 0;

    if (result < 0) {
        ask->error = result;
        snprintf(ask->book->problem, sizeof ask->book->problem, "%s",
                 database->problem(database->self));
    }
}

#define PARAMETERS(...) ((const struct parameter[]){__VA_ARGS__})
#define RUN(ask, row, context, sql, ...) run(ask, sql, PARAMETERS(__VA_ARGS__), row, context)

static int take_text(void *context, const char *const *columns)
{
    char *text = context;

    snprintf(text, BOOK_PERSON_SIZE, "%s", columns[0]);
    return 0;
}

/* Who counts as this player; refused if nobody does. False: the field is absent. */
static bool player_field(struct ask *ask, char person[BOOK_PERSON_SIZE])
{
    const char *name = text_field(ask, "player");
    char key[BOOK_PERSON_SIZE] = "";

    person[0] = '\0';
    if (!name) {
        return false;
    }
    if (book_person(name, key)) {
        RUN(ask, take_text, person, "SELECT root FROM person WHERE person = $1", TEXT(key));
    }
    if (!person[0]) {
        refuse(ask, "not-found", "There is no player of that name.");
    }
    return true;
}

/* Where a list by name goes on; "" is its beginning. */
static void after_field(struct ask *ask, char after[BOOK_PERSON_SIZE])
{
    const char *name = text_field(ask, "after");

    after[0] = '\0';
    if (name && !book_person(name, after)) {
        refuse(ask, "bad-value", "after: expected the player of the last entry.");
    }
}

/*
 * Values
 */

static json_t *number_or_null(const char *column)
{
    return column ? json_integer(strtoll(column, NULL, 10)) : json_null();
}

static json_t *milli_or_null(const char *column)
{
    int64_t milli = column ? strtoll(column, NULL, 10) : 0;

    return !column             ? json_null()
           : milli % 1000 == 0 ? json_integer(milli / 1000)
                               : json_real((double)milli / 1000);
}

static json_t *text_or_null(const char *column)
{
    return column ? json_string(column) : json_null();
}

static bool is_late(const struct ask *ask)
{
    return ask->until_us && now_us() > ask->until_us;
}

/* Adds an entry to the answer, or finds that it is full. Takes the entry over. */
static void add_entry(struct ask *ask, json_t *entry)
{
    size_t bytes = json_dumpb(entry, NULL, 0, DUMP) + 1;
    bool is_first = json_array_size(ask->list) == 0;

    if (!is_first && (ask->bytes + bytes > LIST_BYTES_MAX || is_late(ask))) {
        ask->is_full = true;
        json_decref(entry);
        return;
    }
    ask->bytes += bytes;
    json_array_append_new(ask->list, entry);
}

static void begin_list(struct ask *ask, const char *name)
{
    ask->list = json_array();
    json_object_set_new(ask->reply, name, ask->list);
}

/*
 * Games
 */

/* A row of a list, kept because the next queries need the database. */
static int keep_row(void *context, const char *const *columns)
{
    json_t *entry =
        json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:s, s:o}", "game", columns[0],
                  "table", text_or_null(columns[1]), "began", columns[2], "ended",
                  text_or_null(columns[3]), "seq", number_or_null(columns[4]), "turns",
                  number_or_null(columns[5]), "rules", text_or_null(columns[6]), "scenario",
                  text_or_null(columns[7]), "teams", columns[8] && columns[8][0] == '1', "number",
                  columns[9], "sheet", text_or_null(columns[10]));

    return json_array_append_new(context, entry) ? -ENOMEM : 0;
}

#define GAME_COLUMNS                                                                               \
    "SELECT game, NULLIF(table_name, ''), began, ended, seq, turns, rules, scenario, teams, "      \
    "number, (SELECT h.name FROM sheet h WHERE h.game = number) FROM game "

/* name, points and won of each seat. */
static int add_seat(void *context, const char *const *columns)
{
    json_t *entry = context;

    json_array_append_new(json_object_get(entry, "players"), json_string(columns[0]));
    json_array_append_new(json_object_get(entry, "points"), number_or_null(columns[1]));
    if (columns[2] && columns[2][0] == '1') {
        json_array_append_new(json_object_get(entry, "winners"), json_string(columns[0]));
    }
    return 0;
}

/* The number is ours and not for others. */
static int64_t finish_game_entry(struct ask *ask, json_t *entry)
{
    int64_t number = strtoll(json_string_value(json_object_get(entry, "number")), NULL, 10);

    json_object_del(entry, "number");
    json_object_set_new(entry, "players", json_array());
    json_object_set_new(entry, "points", json_array());
    json_object_set_new(entry, "winners", json_array());
    RUN(ask, add_seat, entry,
        "SELECT s.name, COALESCE(f.points, s.points), CASE WHEN f.won = 1 OR s.place = 1 THEN 1 "
        "ELSE "
        "0 END FROM seat s LEFT JOIN figure f ON f.game = s.game AND "
        "f.seat = "
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
static void find_games(struct ask *ask, const char *person, int64_t limit, json_t *rows)
{
    const char *before = text_field(ask, "before");
    struct place place = {""};

    if (before) {
        RUN(ask, take_began, &place, "SELECT began FROM game WHERE game = $1", TEXT(before));
        if (!place.began[0]) {
            refuse(ask, "not-found", "before: there is no such game.");
        }
    }
    RUN(ask, keep_row, rows,
        GAME_COLUMNS
        "WHERE (CAST($1 AS TEXT) IS NULL OR table_name = $1) AND (CAST($2 AS TEXT) IS NULL OR "
        "number IN "
        "(SELECT s.game FROM seat s JOIN person p ON p.person = s.person WHERE p.root = $2)) AND "
        "(CAST($3 AS TEXT) IS NULL OR scenario = $3) AND (CAST($4 AS TEXT) IS NULL OR began >= $4) "
        "AND "
        "(CAST($5 AS TEXT) IS NULL OR SUBSTR(began, 1, LENGTH($5)) <= $5) AND (CAST($6 AS TEXT) IS "
        "NULL "
        "OR began < $6 OR (began = $6 AND game < $7)) ORDER BY began DESC, game DESC LIMIT $8",
        TEXT(text_field(ask, "table")), TEXT(person), TEXT(text_field(ask, "scenario")),
        TEXT(time_field(ask, "from")), TEXT(time_field(ask, "to")),
        TEXT(before ? place.began : NULL), TEXT(before), NUMBER(limit + 1));
}

static void answer_games(struct ask *ask)
{
    char person[BOOK_PERSON_SIZE];
    bool has_player = player_field(ask, person);
    int64_t limit = number_field(ask, "limit", LIST_MAX, GAMES_DEFAULT);
    json_t *rows = json_array();
    size_t at;
    json_t *row;

    begin_list(ask, "games");
    find_games(ask, has_player ? person : NULL, limit, rows);
    json_array_foreach(rows, at, row)
    {
        if ((int64_t)at == limit) {
            ask->is_full = true;
        }
        if (goes_on(ask) && !ask->is_full) {
            finish_game_entry(ask, row);
            add_entry(ask, json_incref(row));
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

    if (json_array_size(pages->events) > 0 && pages->bytes + bytes > LIST_BYTES_MAX / 2) {
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
    if (!is_first && pages->bytes > LIST_BYTES_MAX) {
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

static void add_pages(struct ask *ask, int64_t game, int64_t seq)
{
    struct pages pages = {.from = number_field(ask, "from", BOOK_SEQ_MAX, 1)};
    int64_t limit = number_field(ask, "limit", EVENTS_MAX, EVENTS_MAX);

    pages.events = json_array();
    pages.states = json_array();
    json_object_set_new(ask->reply, "events", pages.events);
    json_object_set_new(ask->reply, "states", pages.states);
    RUN(ask, add_event, &pages,
        "SELECT seq, undone, body FROM event WHERE game = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
        NUMBER(game), NUMBER(pages.from), NUMBER(limit));
    if (pages.last) {
        RUN(ask, add_state, &pages,
            "SELECT seq, is_complete, body FROM state WHERE game = $1 AND seq >= COALESCE((SELECT "
            "MAX(seq) "
            "FROM state WHERE game = $1 AND is_complete = 1 AND seq <= $2), 0) ORDER BY seq",
            NUMBER(game), NUMBER(pages.from));
    }
    if (pages.bytes > LIST_BYTES_MAX) {
        cut_events(&pages);
    }
    ask->is_full = pages.last && pages.last < seq;
    json_decref(pages.state);
}

static void answer_game(struct ask *ask)
{
    const char *game = needed_field(ask, "game");
    json_t *rows = json_array();

    RUN(ask, keep_row, rows, GAME_COLUMNS "WHERE game = $1", TEXT(game));
    json_t *entry = json_array_get(rows, 0);
    if (!entry) {
        refuse(ask, "not-found", "There is no such game.");
    } else {
        int64_t number = finish_game_entry(ask, entry);
        json_object_set(ask->reply, "game", entry);
        add_pages(ask, number, json_integer_value(json_object_get(entry, "seq")));
    }
    json_decref(rows);
}

/*
 * Players
 */

/* person and name of those that the list has next; one more than limit. */
static int keep_person(void *context, const char *const *columns)
{
    return json_array_append_new(context,
                                 json_pack("{s:s, s:s}", "person", columns[0], "name", columns[1]))
               ? -ENOMEM
               : 0;
}

typedef json_t *entry_fn(struct ask *ask, const char *person, const char *name);

/* A list by name: one player, or all of them page by page. An entry may be NULL: it is left out. */
static void answer_by_name(struct ask *ask, const char *verb, entry_fn *make_entry)
{
    char person[BOOK_PERSON_SIZE];
    char after[BOOK_PERSON_SIZE];
    bool has_player = player_field(ask, person);
    int64_t limit = number_field(ask, "limit", LIST_MAX, LIST_MAX);
    json_t *people = json_array();
    size_t at;
    json_t *who;

    after_field(ask, after);
    begin_list(ask, verb);
    RUN(ask, keep_person, people,
        "SELECT person, name FROM person WHERE root = person AND person > $1 AND (CAST($2 AS TEXT) "
        "IS NULL "
        "OR person = $2) ORDER BY person LIMIT $3",
        TEXT(after), TEXT(has_player ? person : NULL), NUMBER(limit + 1));
    json_array_foreach(people, at, who)
    {
        if ((int64_t)at == limit) {
            ask->is_full = true;
        }
        if (goes_on(ask) && !ask->is_full) {
            json_t *entry = make_entry(ask, json_string_value(json_object_get(who, "person")),
                                       json_string_value(json_object_get(who, "name")));
            if (entry) {
                add_entry(ask, entry);
            }
        }
    }
    json_decref(people);
}

static int add_name(void *context, const char *const *columns)
{
    return json_array_append_new(context, json_string(columns[0])) ? -ENOMEM : 0;
}

static int fill_player(void *context, const char *const *columns)
{
    json_t *entry = context;

    json_object_set_new(entry, "games", columns[0] ? number_or_null(columns[0]) : json_integer(0));
    json_object_set_new(entry, "first", text_or_null(columns[1]));
    json_object_set_new(entry, "last", text_or_null(columns[2]));
    return 0;
}

static json_t *make_player(struct ask *ask, const char *person, const char *name)
{
    json_t *merged = json_array();
    json_t *entry = json_pack("{s:s, s:o}", "player", name, "merged", merged);

    RUN(ask, add_name, merged,
        "SELECT name FROM person WHERE root = $1 AND person <> $1 ORDER BY person LIMIT 100",
        TEXT(person));
    RUN(ask, fill_player, entry,
        "SELECT SUM(f.finished), MIN(f.began), MAX(f.began) FROM person p JOIN played f ON "
        "f.person = "
        "p.person WHERE p.root = $1",
        TEXT(person));
    return entry;
}

static void answer_players(struct ask *ask)
{
    answer_by_name(ask, "players", make_player);
}

/*
 * Statistics
 */

static json_t *share(const char *part, const char *whole)
{
    double of = strtod(whole, NULL);

    return of > 0 ? json_real((double)(int64_t)(strtod(part, NULL) / of * 1000 + 0.5) / 1000)
                  : json_null();
}

static int fill_statistic(void *context, const char *const *columns)
{
    json_t *entry = context;
    json_t *figures = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}, s:o, s:o, s:o, s:o}", "games",
        number_or_null(columns[0]), "won", number_or_null(columns[1]), "points",
        number_or_null(columns[2]), "shots", number_or_null(columns[3]), "hits",
        number_or_null(columns[4]), "hit_share", share(columns[4], columns[3]), "fastest_mps",
        milli_or_null(columns[5]), "captured", "ships", number_or_null(columns[6]), "towers",
        number_or_null(columns[7]), "pirate", number_or_null(columns[8]), "combats_won",
        number_or_null(columns[9]), "combats_lost", number_or_null(columns[10]), "knots",
        milli_or_null(columns[11]), "longest_hits", number_or_null(columns[12]));
    int error = json_object_update(entry, figures);

    json_decref(figures);
    return error ? -ENOMEM : 0;
}

static int add_count(void *context, const char *const *columns)
{
    return json_object_set_new(context, columns[0], number_or_null(columns[1])) ? -ENOMEM : 0;
}

static int add_game(void *context, const char *const *columns)
{
    json_t *counts = json_pack("{s:o, s:o}", "games", number_or_null(columns[1]), "won",
                               number_or_null(columns[2]));

    return json_object_set_new(context, columns[0], counts) ? -ENOMEM : 0;
}

static json_t *make_statistic(struct ask *ask, const char *person, const char *name)
{
    json_t *entry = json_pack("{s:s}", "player", name);
    json_t *scenarios = json_object();
    json_t *beaten = json_object();
    json_t *by_game = json_object();

    RUN(ask, fill_statistic, entry,
        "SELECT s.games, s.won, s.points, s.shots, s.hits, s.fastest, s.ships, s.towers, s.pirate, "
        "s.combats_won, s.combats_lost, s.knots, p.longest_hits FROM statistic s JOIN person p ON "
        "p.person "
        "= s.person WHERE s.person = $1",
        TEXT(person));
    if (json_object_size(entry) == 1) { /* in no game whose players are known */
        json_decref(entry);
        json_decref(scenarios);
        json_decref(beaten);
        json_decref(by_game);
        return NULL;
    }
    RUN(ask, add_count, scenarios,
        "SELECT scenario, won FROM won_by_scenario WHERE person = $1 ORDER BY scenario",
        TEXT(person));
    RUN(ask, add_count, beaten,
        "SELECT p.name, b.games FROM beat b JOIN person p ON p.person = b.other WHERE b.person = "
        "$1 AND "
        "b.other <> $1 ORDER BY b.games DESC, p.name LIMIT $2",
        TEXT(person), NUMBER(BEAT_MAX));
    RUN(ask, add_game, by_game,
        "SELECT f.name, SUM(f.finished), SUM(f.won) FROM person p JOIN played f ON f.person = "
        "p.person WHERE p.root = $1 GROUP BY f.name HAVING SUM(f.finished) > 0 ORDER BY f.name",
        TEXT(person));
    json_object_set_new(entry, "by_game", by_game);
    json_object_set_new(entry, "won_by_scenario", scenarios);
    json_object_set_new(entry, "beat", beaten);
    return entry;
}

static void answer_statistics(struct ask *ask)
{
    answer_by_name(ask, "statistics", make_statistic);
}

/*
 * Progress, records and badges
 */

static int add_month(void *context, const char *const *columns)
{
    struct ask *ask = context;

    add_entry(ask, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "month", columns[0], "games",
                             number_or_null(columns[1]), "won", number_or_null(columns[2]), "shots",
                             number_or_null(columns[3]), "hits", number_or_null(columns[4]),
                             "fastest_mps", milli_or_null(columns[5])));
    return 0;
}

static void answer_progress(struct ask *ask)
{
    char person[BOOK_PERSON_SIZE];
    int64_t limit = number_field(ask, "limit", LIST_MAX, LIST_MAX);
    const char *after = time_field(ask, "after");

    needed_field(ask, "player");
    player_field(ask, person);
    begin_list(ask, "progress");
    RUN(ask, add_month, ask,
        "SELECT month, games, won, shots, hits, fastest FROM progress WHERE person = $1 AND month "
        "> $2 "
        "ORDER BY month LIMIT $3",
        TEXT(person), TEXT(after ? after : ""), NUMBER(limit + 1));
    if (json_array_size(ask->list) > (size_t)limit) {
        json_array_remove(ask->list, (size_t)limit);
        ask->is_full = true;
    }
}

static const char *unit_of(const char *record)
{
    return strcmp(record, "fastest-ball") == 0    ? "m/s"
           : strcmp(record, "longest-hits") == 0  ? "hits"
           : strcmp(record, "most-points") == 0   ? "points"
           : strcmp(record, "most-captured") == 0 ? "pieces"
                                                  : "turns";
}

static int add_record(void *context, const char *const *columns)
{
    json_t *entry =
        json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:s}", "record", columns[0], "value",
                  milli_or_null(columns[1]), "unit", unit_of(columns[0]), "player", columns[2],
                  "game", columns[3], "table", columns[4], "at", columns[5]);

    return json_array_append_new(context, entry) ? -ENOMEM : 0;
}

json_t *answer_records(struct book *book, int *error)
{
    const struct database *database = &book->database;
    json_t *records = json_array();

    *error = database->run(
        database->self,
        "SELECT r.record, r.value, q.name, g.game, g.table_name, r.at FROM record r JOIN "
        "person p ON p.person = r.person JOIN person q ON q.person = p.root JOIN game g "
        "ON g.number = r.game ORDER BY r.record",
        NULL, add_record, records);
    if (*error) {
        snprintf(book->problem, sizeof book->problem, "%s", database->problem(database->self));
        json_decref(records);
        return NULL;
    }
    return records;
}

static void answer_record_list(struct ask *ask)
{
    json_t *records = answer_records(ask->book, &ask->error);

    json_object_set_new(ask->reply, "records", records ? records : json_array());
}

static json_t *make_badges(struct ask *ask, const char *person, const char *name)
{
    json_t *badges = json_array();
    json_t *entry = json_pack("{s:s, s:o}", "player", name, "badges", badges);

    RUN(ask, add_name, badges, "SELECT badge FROM badge WHERE person = $1", TEXT(person));
    return entry;
}

static void answer_badges(struct ask *ask)
{
    answer_by_name(ask, "badges", make_badges);
}

/*
 * Commands
 */

static void take_merged(struct ask *ask, int error)
{
    if (error == -ENOENT) {
        refuse(ask, "not-found", "There is no such player, or the name is not merged.");
    } else if (error == -EINVAL) {
        refuse(ask, "bad-value", "These names count for the same player already.");
    } else {
        ask->error = error;
    }
}

static void answer_merge(struct ask *ask)
{
    const char *name = needed_field(ask, "player");
    const char *into = needed_field(ask, "into");
    char person[BOOK_PERSON_SIZE] = "";

    if (goes_on(ask)) {
        take_merged(ask, book_merge(ask->book, name, into));
    }
    if (goes_on(ask) && book_person(into, person)) {
        RUN(ask, take_text, person,
            "SELECT r.name FROM person p JOIN person r ON r.person = p.root WHERE p.person = $1",
            TEXT(person));
        json_object_set_new(ask->reply, "player", json_string(person));
    }
}

static void answer_unmerge(struct ask *ask)
{
    const char *name = needed_field(ask, "player");

    if (goes_on(ask)) {
        take_merged(ask, book_unmerge(ask->book, name));
        json_object_set_new(ask->reply, "player", json_string(name));
    }
}

/* There is one backup: the new one replaces the old one when it is complete. */
static void answer_backup(struct ask *ask)
{
    char path[PATH_SIZE];
    char draft[PATH_SIZE];
    const struct database *database = &ask->book->database;

    snprintf(path, sizeof path, "%s/logbook-backup.db", ask->settings->directory);
    snprintf(draft, sizeof draft, "%s/logbook-backup.new", ask->settings->directory);
    unlink(draft);
    int error = database->back_up(database->self, draft);
    if (!error && rename(draft, path)) {
        error = -errno;
    }
    if (error) {
        unlink(draft);
        refuse(ask, "storage", "The backup could not be written: %s.",
               error == -errno ? strerror(errno) : database->problem(database->self));
    }
    json_object_set_new(ask->reply, "file", json_string(path));
}

/*
 * Score sheets
 */

static void answer_sheets(struct ask *ask)
{
    begin_list(ask, "sheets");
    for (unsigned i = 0; i < ask->settings->files->count; i++) {
        const struct sheet_file *file = ask->settings->files->files[i];
        json_t *roles = json_array();
        for (unsigned role = 0; role < file->sheet.role_count; role++) {
            json_array_append_new(roles, json_string(file->sheet.roles[role]));
        }
        add_entry(ask, json_pack("{s:s, s:s, s:[i, i], s:o}", "name", file->name, "title",
                                 file->sheet.title, "players", (int)file->sheet.players_min,
                                 (int)file->sheet.players_max, "roles", roles));
    }
}

static void take_scoring(struct ask *ask, int error, const struct scoring_reply *reply)
{
    ask->error = error;
    if (!error && reply->refusal) {
        refuse(ask, reply->refusal, "%s", reply->message);
    }
    if (goes_on(ask)) {
        json_object_set_new(ask->reply, "sheet", json_string(reply->game));
        json_object_set_new(ask->reply, "seq", json_integer(reply->seq));
    }
}

static unsigned players_field(struct ask *ask, struct scoring_player players[SHEET_PLAYERS_MAX])
{
    const json_t *list = json_object_get(ask->fields, "players");

    if (!list) {
        refuse(ask, "missing-field", "players is missing.");
    } else if (!json_is_array(list) || json_array_size(list) > SHEET_PLAYERS_MAX) {
        refuse(ask, "bad-value", "players: expected a list of up to %d.", SHEET_PLAYERS_MAX);
        return 0;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *player = json_array_get(list, i);
        const json_t *role = json_object_get(player, "role");
        const char *name = json_string_value(json_object_get(player, "name"));
        if (!name || (role && !json_is_null(role) && !json_is_string(role)) ||
            json_object_size(player) > (role ? 2U : 1U)) {
            refuse(ask, "bad-value", "players: expected name and role, both strings.");
            return 0;
        }
        players[i] = (struct scoring_player){name, json_string_value(role)};
    }
    return (unsigned)json_array_size(list);
}

static const char *id_field(struct ask *ask)
{
    return text_field(ask, "id");
}

static void answer_open(struct ask *ask)
{
    struct scoring_player players[SHEET_PLAYERS_MAX];
    struct scoring_reply reply;
    const char *name = needed_field(ask, "name");
    unsigned count = players_field(ask, players);

    if (goes_on(ask)) {
        take_scoring(
            ask, scoring_begin(ask->settings->scoring, id_field(ask), name, players, count, &reply),
            &reply);
    }
}

static void answer_undo(struct ask *ask)
{
    struct scoring_reply reply;
    const char *sheet = needed_field(ask, "sheet");

    if (goes_on(ask)) {
        take_scoring(ask, scoring_undo(ask->settings->scoring, id_field(ask), sheet, &reply),
                     &reply);
    }
}

static void answer_close(struct ask *ask)
{
    struct scoring_reply reply;
    const char *sheet = needed_field(ask, "sheet");

    if (goes_on(ask)) {
        take_scoring(ask, scoring_abandon(ask->settings->scoring, id_field(ask), sheet, &reply),
                     &reply);
    }
}

static void change_score(struct ask *ask, const struct scoring_change *change)
{
    struct scoring_reply reply;
    const char *sheet = needed_field(ask, "sheet");

    if (goes_on(ask)) {
        take_scoring(ask,
                     scoring_change(ask->settings->scoring, id_field(ask), sheet, change, &reply),
                     &reply);
    }
}

static void answer_count(struct ask *ask)
{
    enum { LARGEST = 2 * SHEET_VALUE_MAX };
    const json_t *by = json_object_get(ask->fields, "by");
    const json_t *to = json_object_get(ask->fields, "to");
    const json_t *number = to ? to : by;
    json_int_t value = json_integer_value(number);
    struct scoring_change change = {
        .verb = SCORE_COUNT,
        .name = needed_field(ask, "counter"),
        .player = (unsigned)number_field(ask, "player", SHEET_PLAYERS_MAX, SCORE_TABLE),
        .is_set = to,
    };

    if (!number) {
        refuse(ask, "missing-field", "by or to is missing.");
    }
    if ((by && to) || !json_is_integer(number) || value < -LARGEST || value > LARGEST) {
        refuse(ask, "bad-value", "Expected by or to, a whole number from %d to %d.", -LARGEST,
               LARGEST);
    }
    change.number = (int32_t)value;
    change_score(ask, &change);
}

static void answer_flag(struct ask *ask)
{
    const json_t *value = json_object_get(ask->fields, "value");
    struct scoring_change change = {
        .verb = SCORE_FLAG,
        .name = needed_field(ask, "flag"),
        .player = (unsigned)number_field(ask, "player", SHEET_PLAYERS_MAX, SCORE_TABLE),
        .number = json_is_true(value),
    };

    if (!value) {
        refuse(ask, "missing-field", "value is missing.");
    } else if (!json_is_boolean(value)) {
        refuse(ask, "bad-value", "value: expected true or false.");
    }
    change_score(ask, &change);
}

static void answer_round(struct ask *ask)
{
    change_score(ask, &(struct scoring_change){.verb = SCORE_ROUND});
}

static void answer_finish(struct ask *ask)
{
    change_score(ask, &(struct scoring_change){.verb = SCORE_FINISH});
}

/*
 * Asking
 */

static const struct verb *find_verb(enum answer_door door, const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (verbs[i].door == door && strcmp(verbs[i].name, name) == 0) {
            return &verbs[i];
        }
    }
    return NULL;
}

/* A typing error in a field must not give the wrong answer. */
static void check_fields(struct ask *ask, const struct verb *verb)
{
    char word[MESSAGE_SIZE / 2];
    const char *key;
    json_t *value;

    json_object_foreach(ask->fields, key, value)
    {
        snprintf(word, sizeof word, " %s ", key);
        if (strcmp(key, "id") != 0 && !strstr(verb->fields, word)) {
            refuse(ask, "bad-value", "Unknown field; %s has these: id%s.", verb->name,
                   verb->fields[1] ? verb->fields : "");
        }
    }
    const char *id = text_field(ask, "id");
    if (id && strlen(id) > ANSWER_ID_MAX) {
        refuse(ask, "bad-value", "id: expected at most %d bytes.", ANSWER_ID_MAX);
    }
}

static json_t *read_fields(struct ask *ask, const void *payload, size_t size)
{
    json_t *fields = size == 0 ? json_object()
                     : size > ANSWER_ASK_MAX
                         ? NULL
                         : json_loadb(payload, size, JSON_REJECT_DUPLICATES, NULL);

    if (size > ANSWER_ASK_MAX) {
        refuse(ask, "too-large", "A query has at most %d bytes.", ANSWER_ASK_MAX);
    } else if (!json_is_object(fields)) {
        refuse(ask, "bad-json", "The payload is not a JSON object.");
        json_decref(fields);
        fields = NULL;
    }
    return fields ? fields : json_object();
}

static void find_answer(struct ask *ask, enum answer_door door, const char *name)
{
    const struct verb *verb = find_verb(door, name);

    if (!verb) {
        refuse(ask, "unknown-command", "There is no such query or command.");
        return;
    }
    check_fields(ask, verb);
    if (goes_on(ask) && door != ANSWER_SCORE) {
        ask->error = book_refresh(ask->book);
    }
    if (goes_on(ask)) {
        int64_t max_us = ask->settings->list_us_max;
        ask->until_us = max_us ? now_us() + max_us : 0;
        verb->answer(ask);
    }
    if (goes_on(ask) && door == ANSWER_QUERY) {
        json_object_set_new(ask->reply, "more", json_boolean(ask->is_full));
    }
}

char *answer(struct book *book, const struct answer_settings *settings, enum answer_door door,
             const char *verb, const void *payload, size_t size, int *error)
{
    struct ask ask = {.book = book, .settings = settings, .reply = json_object()};

    ask.fields = read_fields(&ask, payload, size);
    if (!ask.refusal) {
        find_answer(&ask, door, verb);
    }
    *error = ask.error;
    if (ask.error) {
        refuse(&ask, "storage", "The logbook cannot use its database now; try again later.");
    }
    json_t *id = json_object_get(ask.fields, "id");
    id = json_is_string(id) && json_string_length(id) <= ANSWER_ID_MAX ? id : NULL;
    json_t *reply = json_pack("{s:O?, s:b}", "id", id, "ok", !ask.refusal);
    if (ask.refusal) {
        json_object_set_new(reply, "error", json_string(ask.refusal));
        json_object_set_new(reply, "message", json_string(ask.message));
    } else {
        json_object_update(reply, ask.reply);
    }
    char *text = json_dumps(reply, DUMP);
    json_decref(reply);
    json_decref(ask.reply);
    json_decref(ask.fields);
    return text;
}
