#include "book.h"

#include "changes.h"
#include "figures.h"
#include "person.h"
#include "sql.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

enum {
    COMPLETE_EVERY = 64, /* states: what it takes to compute one of them is limited */
    DUMP = JSON_COMPACT | JSON_REAL_PRECISION(9),
    WORD_MAX = 32,
};

__attribute__((format(printf, 3, 4))) static int fail(struct book *book, int error,
                                                      const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(book->problem, sizeof book->problem, format, arguments);
    va_end(arguments);
    return error;
}

const char *book_problem(const struct book *book)
{
    return book->problem;
}

/* Runs a statement; the problem of the database becomes that of the book. */
int book_run(struct book *book, const char *sql, const struct parameter *parameters, row_fn *row,
             void *context)
{
    int error = book->database.run(book->database.self, sql, parameters, row, context);

    return error < 0 ? fail(book, error, "%s", book->database.problem(book->database.self)) : error;
}

int book_begin(struct book *book)
{
    int error = book->database.begin(book->database.self);

    return error ? fail(book, error, "%s", book->database.problem(book->database.self)) : 0;
}

/* Commits, or takes everything back after an error; its problem is kept. */
int book_end(struct book *book, int error)
{
    if (error >= 0) {
        int committed = book_run(book, "COMMIT", NULL, NULL, NULL);
        if (!committed) {
            return error;
        }
        error = committed;
    }
    book->database.run(book->database.self, "ROLLBACK", NULL, NULL, NULL);
    return error;
}

int book_take_number(void *context, const char *const *columns)
{
    int64_t *number = context;

    *number = columns[0] ? strtoll(columns[0], NULL, 10) : 0;
    return 0;
}

/*
 * Opening
 */

/* From one version to the next. Another one is a file in sql/ and a line here. */
static const char *const migrations[BOOK_VERSION] = {sql_tables, sql_sheets, sql_ended,
                                                     sql_tournaments};

static int migrate(struct book *book)
{
    const struct database *database = &book->database;
    int64_t version = 0;
    int error = database->run_script(
        database->self, "CREATE TABLE IF NOT EXISTS logbook (version INTEGER NOT NULL)");

    if (error) {
        return fail(book, error, "%s", database->problem(database->self));
    }
    error = book_run(book, "SELECT MAX(version) FROM logbook", NULL, book_take_number, &version);
    if (error || version == BOOK_VERSION) {
        return error;
    }
    if (version < 0 || version > BOOK_VERSION) {
        return fail(book, -EPROTO,
                    "it has version %lld, and this program supports versions up to %d; install a "
                    "later shipahoy-logbook or use another database",
                    (long long)version, BOOK_VERSION);
    }
    for (; !error && version < BOOK_VERSION; version++) {
        error = database->run_script(database->self, migrations[version]);
    }
    if (!error) {
        error = database->run_script(database->self, sql_views);
    }
    if (error) {
        return fail(book, error, "%s", database->problem(database->self));
    }
    return BOOK_WRITE(book, "INSERT INTO logbook (version) VALUES ($1)", NUMBER(BOOK_VERSION));
}

int book_open(struct book *book, const char *where, char *problem, size_t size)
{
    *book = (struct book){0};
    int error = database_open(&book->database, where, problem, size);

    if (error) {
        book->database = (struct database){0};
        return error;
    }
    error = book_begin(book);
    if (!error) {
        error = book_end(book, migrate(book));
    }
    if (error) {
        snprintf(problem, size, "%s", book->problem);
        book_close(book);
    }
    return error;
}

void book_close(struct book *book)
{
    if (book->database.close) {
        book->database.close(book->database.self);
    }
    *book = (struct book){0};
}

/*
 * Names
 */

/* Whether it has 1 to max bytes, all letters, digits, - and _. */
static bool is_word(const char *word, size_t max)
{
    size_t length =
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return length > 0 && length <= max && !word[length];
}

bool book_is_game(const char *game)
{
    return is_word(game, WORD_MAX - 1);
}

bool book_is_table(const char *table)
{
    return is_word(table, BOOK_TABLE_SIZE - 1);
}

/*
 * Events
 */

/* Numbers are checked before they are used: anything may have been sent. */
static bool is_between(const json_t *number, json_int_t min, json_int_t max)
{
    return json_is_integer(number) && json_integer_value(number) >= min &&
           json_integer_value(number) <= max;
}

static bool is_time(const char *text)
{
    static const char pattern[] = "0000-00-00T00:00:00.000Z";

    for (size_t i = 0; i < sizeof pattern; i++) {
        bool fits = pattern[i] == '0' ? isdigit((unsigned char)text[i]) : text[i] == pattern[i];
        if (!fits) {
            return false;
        }
    }
    return true;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* A number in thousandths, or NULL. */
static struct parameter milli_of(const json_t *object, const char *key)
{
    enum { LARGEST = 1000000 };
    const json_t *value = json_object_get(object, key);
    double number = json_number_value(value);

    return json_is_number(value) && number >= 0 && number <= LARGEST
               ? NUMBER((int64_t)(number * 1000 + 0.5))
               : NOTHING;
}

static struct parameter seat_of(const json_t *object, const char *key)
{
    const json_t *seat = json_object_get(object, key);

    return is_between(seat, 1, PLAYERS_MAX) ? NUMBER(json_integer_value(seat)) : NOTHING;
}

static struct parameter word_of(const json_t *object, const char *key)
{
    const char *word = text_of(object, key);

    return word && is_word(word, WORD_MAX) ? TEXT(word) : NOTHING;
}

static int check_event(struct book *book, const char *game, const json_t *event)
{
    const char *type = text_of(event, "event_type");
    const char *at = text_of(event, "at");
    const char *of = text_of(event, "game");

    if (!is_between(json_object_get(event, "seq"), 1, BOOK_SEQ_MAX) ||
        !is_between(json_object_get(event, "turn"), 0, BOOK_SEQ_MAX) || !type ||
        !is_word(type, WORD_MAX) || !at || !is_time(at) || !of || strcmp(of, game) != 0) {
        return fail(book, -EINVAL, "not an event of game %s", game);
    }
    return 0;
}

static int store_rank(struct book *book, int64_t game, json_int_t seq, const json_t *rank)
{
    const json_t *place = json_object_get(rank, "place");
    const json_t *points = json_object_get(rank, "points");
    struct parameter seat = seat_of(rank, "player");

    if (!seat.is_number || !is_between(place, 1, PLAYERS_MAX) ||
        !is_between(points, 0, BOOK_SEQ_MAX)) {
        return 0;
    }
    return BOOK_WRITE(book,
                      "INSERT INTO ranking (game, seq, seat, place, points) VALUES ($1, $2, $3, "
                      "$4, $5) ON CONFLICT DO NOTHING",
                      NUMBER(game), NUMBER(seq), seat, NUMBER(json_integer_value(place)),
                      NUMBER(json_integer_value(points)));
}

static int store_ranking(struct book *book, int64_t game, json_int_t seq, const json_t *ranking)
{
    size_t at;
    json_t *rank;

    json_array_foreach(ranking, at, rank)
    {
        int error = at < PLAYERS_MAX ? store_rank(book, game, seq, rank) : 0;
        if (error) {
            return error;
        }
    }
    return 0;
}

/* What some events change besides. */
static int store_effect(struct book *book, int64_t game, json_int_t seq, const json_t *event)
{
    const char *type = text_of(event, "event_type");

    if (strcmp(type, "game-over") == 0) {
        return store_ranking(book, game, seq, json_object_get(event, "ranking"));
    }
    const json_t *from = json_object_get(event, "from");
    const json_t *to = json_object_get(event, "to");
    if (strcmp(type, "undone") == 0 && is_between(from, 1, seq) && is_between(to, 1, seq)) {
        return BOOK_WRITE(
            book, "UPDATE event SET undone = 1 WHERE game = $1 AND seq BETWEEN $2 AND $3",
            NUMBER(game), NUMBER(json_integer_value(from)), NUMBER(json_integer_value(to)));
    }
    return 0;
}

static int store_event(struct book *book, int64_t game, const json_t *event)
{
    json_int_t seq = json_integer_value(json_object_get(event, "seq"));
    struct parameter speed = milli_of(event, "speed_mps");
    char *body = json_dumps(event, DUMP);

    if (!body || strlen(body) > BOOK_EVENT_MAX) {
        free(body);
        return fail(book, -EINVAL, "an event of more than %d bytes", BOOK_EVENT_MAX);
    }
    int error = BOOK_WRITE(
        book,
        "INSERT INTO event (game, seq, type, at, turn, player, piece, by_player, how, milli, "
        "undone, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11) ON CONFLICT DO "
        "NOTHING",
        NUMBER(game), NUMBER(seq), TEXT(text_of(event, "event_type")), TEXT(text_of(event, "at")),
        NUMBER(json_integer_value(json_object_get(event, "turn"))), seat_of(event, "player"),
        word_of(event, "piece"), seat_of(event, "by"), word_of(event, "how"),
        speed.is_number ? speed : milli_of(event, "knots"), TEXT(body));
    free(body);
    return error ? error : store_effect(book, game, seq, event);
}

/* Returns how many were new. */
static int store_events(struct book *book, const char *game, const json_t *events,
                        struct book_progress *progress)
{
    size_t at;
    json_t *event;
    int count = 0;

    json_array_foreach(events, at, event)
    {
        int error = check_event(book, game, event);
        uint32_t seq = (uint32_t)json_integer_value(json_object_get(event, "seq"));
        if (!error && seq > progress->seq + 1) {
            error = fail(book, -ENODATA, "event %u of game %s is missing", progress->seq + 1, game);
        }
        if (!error && seq == progress->seq + 1) {
            error = store_event(book, progress->number, event);
            progress->seq = seq;
            progress->turns = (uint32_t)json_integer_value(json_object_get(event, "turn"));
            count++;
        }
        if (error) {
            return error;
        }
    }
    return count;
}

/*
 * States
 */

/* The last stored state of a game, and how many have followed the last complete one. */
struct last_state {
    json_t *state; /* NULL: there is none */
    unsigned changed;
};

static int take_state(void *context, const char *const *columns)
{
    struct last_state *last = context;
    json_t *body = json_loads(columns[1], 0, NULL);
    int error = 0;

    if (columns[0][0] == '1') {
        json_decref(last->state);
        last->state = body;
        last->changed = 0;
        return 0;
    }
    error = last->state && body ? changes_apply(last->state, body) : -EBADMSG;
    json_decref(body);
    last->changed++;
    return error;
}

static int find_last_state(struct book *book, int64_t game, struct last_state *last)
{
    return book_run(book,
                    "SELECT is_complete, body FROM state WHERE game = $1 AND seq >= (SELECT "
                    "MAX(seq) FROM state WHERE game = $1 AND is_complete = 1) ORDER BY seq",
                    BOOK_PARAMETERS(NUMBER(game)), take_state, last);
}

static int write_state(struct book *book, int64_t game, json_int_t seq, const json_t *body,
                       bool is_complete)
{
    char *text = json_dumps(body, DUMP);

    if (!text || strlen(text) > BOOK_STATE_MAX) {
        free(text);
        return fail(book, -EINVAL, "a state of more than %d bytes", BOOK_STATE_MAX);
    }
    int error = BOOK_WRITE(book,
                           "INSERT INTO state (game, seq, is_complete, body) VALUES ($1, $2, $3, "
                           "$4) ON CONFLICT DO NOTHING",
                           NUMBER(game), NUMBER(seq), NUMBER(is_complete), TEXT(text));
    free(text);
    return error;
}

/* Stores the changes from the last state, or the whole state now and then. */
static int store_state(struct book *book, int64_t game, const json_t *entry,
                       struct last_state *last)
{
    json_int_t seq = json_integer_value(json_object_get(entry, "seq"));
    json_t *state = json_object_get(entry, "state");
    json_t *sent = json_object_get(entry, "changes");
    json_t *changes = NULL;
    int error = 0;

    if (json_is_object(state)) {
        changes = last->state ? changes_between(last->state, state) : NULL;
        json_decref(last->state);
        last->state = json_deep_copy(state);
    } else if (json_is_object(sent) && last->state) {
        changes = json_incref(sent);
        error = changes_apply(last->state, changes);
    } else {
        return fail(book, -EINVAL, "a state that cannot be used");
    }
    bool is_complete = !changes || last->changed >= COMPLETE_EVERY;
    if (!error) {
        error = write_state(book, game, seq, is_complete ? last->state : changes, is_complete);
    }
    last->changed = is_complete ? 0 : last->changed + 1;
    json_decref(changes);
    return error;
}

static int store_seat(struct book *book, int64_t game, const json_t *player)
{
    char person[PERSON_SIZE];
    const char *name = text_of(player, "name");
    const json_t *team = json_object_get(player, "team");
    struct parameter seat = seat_of(player, "id");
    size_t at;
    json_t *colour;

    if (!seat.is_number || !name || strlen(name) >= PERSON_SIZE || !person_key(name, person)) {
        return fail(book, -EINVAL, "a state with a player without a name");
    }
    int error =
        BOOK_WRITE(book,
                   "INSERT INTO seat (game, seat, name, person, team) VALUES ($1, $2, $3, $4, $5) "
                   "ON CONFLICT DO NOTHING",
                   NUMBER(game), seat, TEXT(name), TEXT(person),
                   is_between(team, 1, PLAYERS_MAX) ? NUMBER(json_integer_value(team)) : NOTHING);
    json_array_foreach(json_object_get(player, "harbours"), at, colour)
    {
        const char *word = json_string_value(colour);
        if (!error && at < PLAYERS_MAX && word && is_word(word, WORD_MAX)) {
            error = BOOK_WRITE(book,
                               "INSERT INTO harbour (game, colour, seat) VALUES ($1, $2, $3) ON "
                               "CONFLICT DO NOTHING",
                               NUMBER(game), TEXT(word), seat);
        }
    }
    return error ? error : person_add(book, game, person, name);
}

/* The settings of the game and its players, from a complete state. */
static int store_seats(struct book *book, int64_t game, const json_t *state)
{
    const json_t *players = json_object_get(state, "players");
    struct parameter scenario = word_of(state, "scenario");
    int error = 0;
    size_t at;
    json_t *player;

    if (!scenario.text || json_array_size(players) < 2 || json_array_size(players) > PLAYERS_MAX) {
        return fail(book, -EINVAL, "a state without players");
    }
    json_array_foreach(players, at, player)
    {
        error = error ? error : store_seat(book, game, player);
    }
    return error ? error
                 : BOOK_WRITE(
                       book,
                       "UPDATE game SET rules = $2, scenario = $3, teams = $4 WHERE number = $1",
                       NUMBER(game), word_of(state, "rules"), scenario,
                       NUMBER(json_is_true(json_object_get(state, "teams"))));
}

static int store_states(struct book *book, const json_t *states, struct book_progress *progress)
{
    struct last_state last = {0};
    int error = find_last_state(book, progress->number, &last);
    size_t at;
    json_t *entry;

    json_array_foreach(states, at, entry)
    {
        const json_t *seq = json_object_get(entry, "seq");
        if (!error && !is_between(seq, 1, progress->seq)) {
            error = fail(book, -EINVAL, "a state without an event");
        }
        /* A reply begins with a complete state, which may be stored already. */
        if (!error) {
            error = store_state(book, progress->number, entry, &last);
        }
        if (!error && !progress->has_seats) {
            error = store_seats(book, progress->number, last.state);
            progress->has_seats = !error;
        }
    }
    json_decref(last.state);
    return error;
}

/*
 * Games
 */

struct found {
    const char *table;
    struct book_progress *progress;
};

static int take_progress(void *context, const char *const *columns)
{
    const struct found *found = context;

    *found->progress = (struct book_progress){
        .number = strtoll(columns[0], NULL, 10),
        .seq = (uint32_t)strtoul(columns[1], NULL, 10),
        .read_seq = (uint32_t)strtoul(columns[2], NULL, 10),
        .turns = (uint32_t)strtoul(columns[3], NULL, 10),
        .has_seats = columns[4],
        .is_foreign = strcmp(columns[5], found->table) != 0,
    };
    return 0;
}

int book_find(struct book *book, const char *table, const char *game,
              struct book_progress *progress)
{
    *progress = (struct book_progress){0};
    return book_run(
        book, "SELECT number, seq, read_seq, turns, scenario, table_name FROM game WHERE game = $1",
        BOOK_PARAMETERS(TEXT(game)), take_progress, &(struct found){table, progress});
}

static int add_game(struct book *book, const char *table, const char *game, const json_t *event,
                    struct book_progress *progress)
{
    int error = check_event(book, game, event);

    if (!error && json_integer_value(json_object_get(event, "seq")) != 1) {
        error = fail(book, -ENODATA, "event 1 of game %s is missing", game);
    }
    if (!error) {
        error = BOOK_WRITE(
            book,
            "INSERT INTO game (number, game, table_name, began, seq, read_seq, turns, changed) "
            "SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, 0, 0, 0, 1 FROM game",
            TEXT(game), TEXT(table), TEXT(text_of(event, "at")));
    }
    return error ? error : book_find(book, table, game, progress);
}

static int store(struct book *book, const char *table, const char *game, const json_t *events,
                 const json_t *states, bool is_last)
{
    struct book_progress progress;
    int error = book_find(book, table, game, &progress);

    if (!error && progress.is_foreign) {
        error = fail(book, -EINVAL, "game %s belongs to another table", game);
    }
    if (!error && !progress.number) {
        error = add_game(book, table, game, json_array_get(events, 0), &progress);
    }
    int count = error ? error : store_events(book, game, events, &progress);
    if (count >= 0 && states) {
        json_t *last = json_array_get(events, json_array_size(events) - 1);
        json_int_t seq = json_integer_value(json_object_get(last, "seq"));
        error = store_states(book, states, &progress);
        progress.read_seq = seq > progress.read_seq ? (uint32_t)seq : progress.read_seq;
    }
    if (!error && count >= 0) {
        error = BOOK_WRITE(
            book,
            "UPDATE game SET seq = $2, read_seq = $3, turns = $4, changed = 1 WHERE number = $1",
            NUMBER(progress.number), NUMBER(progress.seq), NUMBER(progress.read_seq),
            NUMBER(progress.turns));
    }
    if (!error && count >= 0 && is_last && progress.has_seats) {
        error = figures_refresh_game(book, progress.number);
    }
    return error ? error : count;
}

int book_store(struct book *book, const char *table, const char *game, const json_t *events,
               const json_t *states, bool is_last)
{
    if (json_array_size(events) == 0) {
        return 0;
    }
    int error = book_begin(book);
    return error ? error : book_end(book, store(book, table, game, events, states, is_last));
}
