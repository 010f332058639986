/* Those who played: their figures, records and badges, and names that are merged. */
#include "person.h"
#include "request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEAT_MAX = 500 };

/* Where a list by name goes on; "" is its beginning. */
static void after_field(struct request *request, char after[PERSON_SIZE])
{
    const char *name = request_text(request, "after");

    after[0] = '\0';
    if (name && !person_key(name, after)) {
        request_refuse(request, "bad-value", "after: expected the player of the last entry.");
    }
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

typedef json_t *entry_fn(struct request *request, const char *person, const char *name);

/* A list by name: one player, or all of them page by page. An entry may be NULL: it is left out. */
static void answer_by_name(struct request *request, const char *verb, entry_fn *make_entry)
{
    char person[PERSON_SIZE];
    char after[PERSON_SIZE];
    bool has_player = request_player(request, person);
    int64_t limit = request_number(request, "limit", REQUEST_LIST_MAX, REQUEST_LIST_MAX);
    json_t *people = json_array();
    size_t at;
    json_t *who;

    after_field(request, after);
    request_begin_list(request, verb);
    REQUEST_RUN(request, keep_person, people,
                "SELECT person, name FROM person WHERE root = person AND person > $1 AND (CAST($2 "
                "AS TEXT) IS NULL OR person = $2) ORDER BY person LIMIT $3",
                TEXT(after), TEXT(has_player ? person : NULL), NUMBER(limit + 1));
    json_array_foreach(people, at, who)
    {
        if ((int64_t)at == limit) {
            request->is_full = true;
        }
        if (request_goes_on(request) && !request->is_full) {
            json_t *entry = make_entry(request, json_string_value(json_object_get(who, "person")),
                                       json_string_value(json_object_get(who, "name")));
            if (entry) {
                request_add(request, entry);
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

    json_object_set_new(entry, "games", columns[0] ? column_number(columns[0]) : json_integer(0));
    json_object_set_new(entry, "first", column_text(columns[1]));
    json_object_set_new(entry, "last", column_text(columns[2]));
    return 0;
}

static json_t *make_player(struct request *request, const char *person, const char *name)
{
    json_t *merged = json_array();
    json_t *entry = json_pack("{s:s, s:o}", "player", name, "merged", merged);

    REQUEST_RUN(
        request, add_name, merged,
        "SELECT name FROM person WHERE root = $1 AND person <> $1 ORDER BY person LIMIT 100",
        TEXT(person));
    REQUEST_RUN(request, fill_player, entry,
                "SELECT SUM(games), MIN(first), MAX(last) FROM by_game WHERE person = $1",
                TEXT(person));
    return entry;
}

static void answer_players(struct request *request)
{
    answer_by_name(request, "players", make_player);
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
        column_number(columns[0]), "won", column_number(columns[1]), "points",
        column_number(columns[2]), "shots", column_number(columns[3]), "hits",
        column_number(columns[4]), "hit_share", share(columns[4], columns[3]), "fastest_mps",
        column_milli(columns[5]), "captured", "ships", column_number(columns[6]), "towers",
        column_number(columns[7]), "pirate", column_number(columns[8]), "combats_won",
        column_number(columns[9]), "combats_lost", column_number(columns[10]), "knots",
        column_milli(columns[11]), "longest_hits", column_number(columns[12]));
    int error = json_object_update(entry, figures);

    json_decref(figures);
    return error ? -ENOMEM : 0;
}

static int add_count(void *context, const char *const *columns)
{
    return json_object_set_new(context, columns[0], column_number(columns[1])) ? -ENOMEM : 0;
}

static int add_game(void *context, const char *const *columns)
{
    json_t *counts = json_pack("{s:o, s:o}", "games", column_number(columns[1]), "won",
                               column_number(columns[2]));

    return json_object_set_new(context, columns[0], counts) ? -ENOMEM : 0;
}

static json_t *make_statistic(struct request *request, const char *person, const char *name)
{
    json_t *entry = json_pack("{s:s}", "player", name);
    json_t *scenarios = json_object();
    json_t *beaten = json_object();
    json_t *by_game = json_object();

    REQUEST_RUN(request, fill_statistic, entry,
                "SELECT s.games, s.won, s.points, s.shots, s.hits, s.fastest, s.ships, s.towers, "
                "s.pirate, s.combats_won, s.combats_lost, s.knots, p.longest_hits FROM statistic s "
                "JOIN person p ON p.person = s.person WHERE s.person = $1",
                TEXT(person));
    if (json_object_size(entry) == 1) { /* in no game whose players are known */
        json_decref(entry);
        json_decref(scenarios);
        json_decref(beaten);
        json_decref(by_game);
        return NULL;
    }
    REQUEST_RUN(request, add_count, scenarios,
                "SELECT scenario, won FROM won_by_scenario WHERE person = $1 ORDER BY scenario",
                TEXT(person));
    REQUEST_RUN(request, add_count, beaten,
                "SELECT p.name, b.games FROM beat b JOIN person p ON p.person = b.other WHERE "
                "b.person = $1 AND b.other <> $1 ORDER BY b.games DESC, p.name LIMIT $2",
                TEXT(person), NUMBER(BEAT_MAX));
    REQUEST_RUN(
        request, add_game, by_game,
        "SELECT name, games, won FROM by_game WHERE person = $1 AND games > 0 ORDER BY name",
        TEXT(person));
    json_object_set_new(entry, "by_game", by_game);
    json_object_set_new(entry, "won_by_scenario", scenarios);
    json_object_set_new(entry, "beat", beaten);
    return entry;
}

static void answer_statistics(struct request *request)
{
    answer_by_name(request, "statistics", make_statistic);
}

/*
 * Progress, records and badges
 */

static int add_month(void *context, const char *const *columns)
{
    struct request *request = context;

    request_add(request,
                json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "month", columns[0], "games",
                          column_number(columns[1]), "won", column_number(columns[2]), "shots",
                          column_number(columns[3]), "hits", column_number(columns[4]),
                          "fastest_mps", column_milli(columns[5])));
    return 0;
}

static void answer_progress(struct request *request)
{
    char person[PERSON_SIZE];
    int64_t limit = request_number(request, "limit", REQUEST_LIST_MAX, REQUEST_LIST_MAX);
    const char *after = request_time(request, "after");

    request_needed_text(request, "player");
    request_player(request, person);
    request_begin_list(request, "progress");
    REQUEST_RUN(request, add_month, request,
                "SELECT month, games, won, shots, hits, fastest FROM progress WHERE person = $1 "
                "AND month > $2 ORDER BY month LIMIT $3",
                TEXT(person), TEXT(after ? after : ""), NUMBER(limit + 1));
    if (json_array_size(request->list) > (size_t)limit) {
        json_array_remove(request->list, (size_t)limit);
        request->is_full = true;
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
                  column_milli(columns[1]), "unit", unit_of(columns[0]), "player", columns[2],
                  "game", columns[3], "table", columns[4], "at", columns[5]);

    return json_array_append_new(context, entry) ? -ENOMEM : 0;
}

json_t *answer_records(struct book *book, int *error)
{
    const struct database *database = &book->database;
    json_t *records = json_array();

    *error = database->run(database->self,
                           "SELECT r.record, r.value, q.name, g.game, g.table_name, r.at FROM "
                           "record r JOIN person p ON p.person = r.person JOIN person q ON "
                           "q.person = p.root JOIN game g ON g.number = r.game ORDER BY r.record",
                           NULL, add_record, records);
    if (*error) {
        snprintf(book->problem, sizeof book->problem, "%s", database->problem(database->self));
        json_decref(records);
        return NULL;
    }
    return records;
}

static int take_count(void *context, const char *const *columns)
{
    *(int *)context = atoi(columns[0]);
    return 0;
}

int answer_game_count(struct book *book)
{
    const struct database *database = &book->database;
    int count = 0;
    int error = database->run(database->self, "SELECT count(*) FROM game WHERE table_name <> ''",
                              NULL, take_count, &count);

    return error ? error : count;
}

static void answer_record_list(struct request *request)
{
    json_t *records = answer_records(request->book, &request->error);

    json_object_set_new(request->reply, "records", records ? records : json_array());
}

static json_t *make_badges(struct request *request, const char *person, const char *name)
{
    json_t *badges = json_array();
    json_t *entry = json_pack("{s:s, s:o}", "player", name, "badges", badges);

    REQUEST_RUN(request, add_name, badges, "SELECT badge FROM badge WHERE person = $1",
                TEXT(person));
    return entry;
}

static void answer_badges(struct request *request)
{
    answer_by_name(request, "badges", make_badges);
}

/*
 * Merging
 */

static void take_merged(struct request *request, int error)
{
    if (error == -ENOENT) {
        request_refuse(request, "not-found", "There is no such player, or the name is not merged.");
    } else if (error == -EINVAL) {
        request_refuse(request, "bad-value", "These names count for the same player already.");
    } else {
        request->error = error;
    }
}

static void answer_merge(struct request *request)
{
    const char *name = request_needed_text(request, "player");
    const char *into = request_needed_text(request, "into");
    char person[PERSON_SIZE] = "";

    if (request_goes_on(request)) {
        take_merged(request, person_merge(request->book, name, into));
    }
    if (request_goes_on(request) && person_key(into, person)) {
        REQUEST_RUN(
            request, request_take_person, person,
            "SELECT r.name FROM person p JOIN person r ON r.person = p.root WHERE p.person = $1",
            TEXT(person));
        json_object_set_new(request->reply, "player", json_string(person));
    }
}

static void answer_unmerge(struct request *request)
{
    const char *name = request_needed_text(request, "player");

    if (request_goes_on(request)) {
        take_merged(request, person_unmerge(request->book, name));
        json_object_set_new(request->reply, "player", json_string(name));
    }
}

const struct verb answers_of_players[] = {
    {ANSWER_QUERY, "players", " after limit ", answer_players},
    {ANSWER_QUERY, "statistics", " player after limit ", answer_statistics},
    {ANSWER_QUERY, "progress", " player after limit ", answer_progress},
    {ANSWER_QUERY, "records", " ", answer_record_list},
    {ANSWER_QUERY, "badges", " player after limit ", answer_badges},
    {ANSWER_COMMAND, "merge", " player into ", answer_merge},
    {ANSWER_COMMAND, "unmerge", " player ", answer_unmerge},
    {0},
};
