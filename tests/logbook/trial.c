#include "trial.h"

#include "support/test.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 4096 };

struct book book;
json_t *trial_shown;
static char sqlite_path[TEXT_SIZE];

static const char *const leftovers[] = {"", "-wal", "-shm"};

static void remove_file(void)
{
    for (size_t i = 0; i < sizeof leftovers / sizeof leftovers[0]; i++) {
        char path[TEXT_SIZE + 8];
        snprintf(path, sizeof path, "%s%s", sqlite_path, leftovers[i]);
        unlink(path);
    }
}

const char *trial_database(void)
{
    static char where[TEXT_SIZE + 16];
    const char *given = getenv("LOGBOOK_DATABASE");

    if (given) {
        return given;
    }
    snprintf(sqlite_path, sizeof sqlite_path, "logbook-trial-%d.db", (int)getpid());
    snprintf(where, sizeof where, "sqlite:%s", sqlite_path);
    return where;
}

int trial_begin(void **state)
{
    char problem[TEXT_SIZE] = "";

    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8");
    const char *where = trial_database();
    if (strncmp(where, "sqlite:", 7) == 0) {
        remove_file();
    } else {
        struct database database;
        assert_int_equal(database_open(&database, where, problem, sizeof problem), 0);
        assert_int_equal(
            database.run_script(database.self, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"),
            0);
        database.close(database.self);
    }
    int error = book_open(&book, where, problem, sizeof problem);
    assert_string_equal(problem, "");
    return error;
}

int trial_end(void **state)
{
    (void)state;
    json_decref(trial_shown);
    trial_shown = NULL;
    book_close(&book);
    if (sqlite_path[0]) {
        remove_file();
    }
    return 0;
}

/*
 * Scripts
 */

static json_t *read_ranking(char *text)
{
    json_t *ranking = json_array();
    int place = 1;
    int count = 0;

    for (char *at = text; *at;) {
        int player = (int)strtol(at, &at, 10);
        int points = (int)strtol(at + 1, &at, 10);
        json_array_append_new(ranking, json_pack("{s:i, s:i, s:i, s:i}", "player", player, "place",
                                                 place, "points", points, "towers", 0));
        count++;
        place = *at == '=' ? place : count + 1;
        at += *at != '\0';
    }
    return ranking;
}

static void add_field(json_t *event, char *field)
{
    char *value = strchr(field, '=');
    char *end;

    assert_non_null(value);
    *value++ = '\0';
    double number = strtod(value, &end);
    json_t *json = strcmp(field, "ranking") == 0    ? read_ranking(value)
                   : *end                           ? json_string(value)
                   : number == (double)(long)number ? json_integer((json_int_t)number)
                                                    : json_real(number);
    json_object_set_new(event, field, json);
}

static void write_time(const char *game, int seq, char at[64])
{
    snprintf(at, 64, "%.4s-%.2s-%.2sT%.2s:%02d:%02d.000Z", game, game + 4, game + 6, game + 9,
             seq / 60, seq % 60);
}

static json_t *read_event(const char *game, int seq, char *line)
{
    char at[64];
    char *rest;
    long turn = strtol(line, &rest, 10);
    long player = strtol(rest, &rest, 10);
    char *type = strtok_r(rest, " ", &rest);

    write_time(game, seq, at);
    json_t *event = json_pack("{s:i, s:s, s:i, s:s, s:s, s:i, s:i, s:n, s:s}", "v", 1, "game", game,
                              "seq", seq, "at", at, "event_type", type, "turn", (int)turn, "player",
                              (int)player, "rule", "message", type);
    for (char *field = strtok_r(NULL, " ", &rest); field; field = strtok_r(NULL, " ", &rest)) {
        add_field(event, field);
    }
    return event;
}

json_t *trial_events(const char *game, const char *script)
{
    json_t *events = json_array();
    char *copy = strdup(script);
    char *rest = copy;
    int seq = 1;

    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        json_array_append_new(events, read_event(game, seq++, line));
    }
    free(copy);
    return events;
}

json_t *trial_state(const char *scenario, const char *players, int seq, const char *phase)
{
    json_t *list = json_array();
    char *copy = strdup(players);
    char *rest = copy;
    bool teams = strchr(players, '/');

    for (char *who = strtok_r(copy, ",", &rest); who; who = strtok_r(NULL, ",", &rest)) {
        who += *who == ' ';
        char *harbour = strrchr(who, ' ');
        char *team = strchr(who, '/');
        *harbour++ = '\0';
        if (team) {
            *team++ = '\0';
        }
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:[s], s:o}", "id", (int)json_array_size(list) + 1, "name",
                            who, "harbours", harbour, "team",
                            team ? json_integer(strtol(team, NULL, 10)) : json_null()));
    }
    free(copy);
    return json_pack("{s:i, s:i, s:s, s:s, s:s, s:b, s:o, s:{s:{s:s}, s:{s:s}}}", "v", 1, "seq",
                     seq, "phase", phase, "rules", "basic", "scenario", scenario, "teams", teams,
                     "players", list, "pieces", "red-1", "status", "standing", "blue-1", "status",
                     "standing");
}

void trial_play(const char *game, const char *scenario, const char *players, const char *script)
{
    json_t *events = trial_events(game, script);
    json_t *states =
        json_pack("[{s:i, s:o}]", "seq", 1, "state", trial_state(scenario, players, 1, "shooting"));

    int stored = book_store(&book, "den", game, events, states, true);
    if (stored < 0) {
        fail_msg("%s: %s", game, book_problem(&book));
    }
    assert_int_equal(stored, json_array_size(events));
    json_decref(events);
    json_decref(states);
}

/*
 * States
 */

void trial_show(void *self, const char *id, const char *state)
{
    (void)self;
    json_object_set_new(trial_shown, id, state ? json_loads(state, 0, NULL) : json_null());
}

void trial_forget_shown(void)
{
    json_decref(trial_shown);
    trial_shown = json_object();
}

/*
 * Questions
 */

static void unquote(const char *text, char *json, size_t size)
{
    snprintf(json, size, "%s", text);
    for (char *at = strchr(json, '\''); at; at = strchr(at, '\'')) {
        *at = '"';
    }
}

json_t *trial_send(const struct answer_settings *settings, enum answer_door door, const char *verb,
                   const char *payload, const char *id)
{
    char named[2 * TEXT_SIZE];
    char json[2 * TEXT_SIZE];
    const char *at = strstr(payload, "ID");
    int error;

    snprintf(named, sizeof named, "%.*s%s%s", at ? (int)(at - payload) : (int)strlen(payload),
             payload, at ? id : "", at ? at + 2 : "");
    unquote(named, json, sizeof json);
    char *text = answer(&book, settings, door, verb, json, strlen(json), &error);
    assert_int_equal(error, 0);
    assert_true(strlen(text) <= ANSWER_MAX);
    json_t *reply = json_loads(text, 0, NULL);
    assert_non_null(reply);
    free(text);
    return reply;
}

static const struct answer_settings games_only = {.directory = "."};

json_t *trial_ask(const char *verb, const char *payload)
{
    return trial_send(&games_only, ANSWER_QUERY, verb, payload, "ID");
}

json_t *trial_command(const char *verb, const char *payload)
{
    return trial_send(&games_only, ANSWER_COMMAND, verb, payload, "ID");
}

void expect(const json_t *reply, const char *path, const char *json)
{
    char wanted_text[TEXT_SIZE];
    char *copy = strdup(path);
    char *rest = copy;
    const json_t *value = reply;

    for (char *part = strtok_r(copy, ".", &rest); part; part = strtok_r(NULL, ".", &rest)) {
        value = json_is_array(value) ? json_array_get(value, strtoul(part, NULL, 10))
                                     : json_object_get(value, part);
    }
    free(copy);
    unquote(json, wanted_text, sizeof wanted_text);
    json_t *wanted = json_loads(wanted_text, JSON_DECODE_ANY, NULL);
    assert_non_null(wanted);
    if (!json_equal(value, wanted) && (value || !json_is_null(wanted))) {
        char *found = json_dumps(reply, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
        fail_msg("%s: expected %s in %s", path, wanted_text, found);
    }
    json_decref(wanted);
}

void trial_expect(const char *verb, const char *payload, const struct expected *values)
{
    json_t *reply = trial_ask(verb, payload);

    for (; values->path; values++) {
        expect(reply, values->path, values->json);
    }
    json_decref(reply);
}
