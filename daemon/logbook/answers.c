#include "answers.h"

#include "figures.h"
#include "request.h"
#include "rules/nearest.h"
#include "rules/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, QUOTE_SIZE = 40 };

/* There is one backup: the new one replaces the old one when it is complete. */
static void answer_backup(struct request *request)
{
    char path[PATH_SIZE];
    char draft[PATH_SIZE];
    const struct database *database = &request->book->database;

    snprintf(path, sizeof path, "%s/logbook-backup.db", request->settings->directory);
    snprintf(draft, sizeof draft, "%s/logbook-backup.new", request->settings->directory);
    unlink(draft);
    if (database->back_up(database->self, draft)) {
        request_refuse(request, "storage", "The backup could not be written: %s.",
                       database->problem(database->self));
    } else if (rename(draft, path)) {
        request_refuse(request, "storage", "The backup could not be written: %s.", strerror(errno));
    }
    if (!request_goes_on(request)) {
        unlink(draft);
    }
    json_object_set_new(request->reply, "file", json_string(path));
}

static const struct verb answers_of_database[] = {
    {ANSWER_COMMAND, "backup", " ", answer_backup},
    {0},
};

static const struct verb *const parts[] = {
    answers_of_games,       answers_of_players,  answers_of_sheets,
    answers_of_tournaments, answers_of_database,
};

static const struct verb *find_verb(enum answer_door door, const char *name)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const struct verb *verb = parts[i]; verb->name; verb++) {
            if (verb->door == door && strcmp(verb->name, name) == 0) {
                return verb;
            }
        }
    }
    return NULL;
}

static void refuse_field(struct request *request, const struct verb *verb, const char *key)
{
    char known[REQUEST_MESSAGE_SIZE];
    char list[REQUEST_MESSAGE_SIZE];
    char quote[QUOTE_SIZE];
    struct text text = text_begin(list, sizeof list);
    struct nearest nearest = nearest_begin(key);

    snprintf(known, sizeof known, "id%s", verb->fields);
    for (char *rest = known, *field; (field = strsep(&rest, " ")) && field[0];) {
        nearest_offer(&nearest, field);
        text_add(&text, text.length ? ", " : "");
        text_add(&text, field);
    }
    text_quote(key, quote, sizeof quote);
    if (nearest.best) {
        request_refuse(request, "bad-value", "Unknown field \"%s\"; did you mean \"%s\"?", quote,
                       nearest.best);
    } else {
        request_refuse(request, "bad-value", "Unknown field \"%s\"; %s has these: %s.", quote,
                       verb->name, list);
    }
}

/* A typing error in a field must not give the wrong answer. */
static void check_fields(struct request *request, const struct verb *verb)
{
    char word[REQUEST_MESSAGE_SIZE / 2];
    const char *key;
    json_t *value;

    json_object_foreach(request->fields, key, value)
    {
        snprintf(word, sizeof word, " %s ", key);
        if (strcmp(key, "id") != 0 && !strstr(verb->fields, word)) {
            refuse_field(request, verb, key);
        }
    }
    const char *id = request_text(request, "id");
    if (id && strlen(id) > ANSWER_ID_MAX) {
        request_refuse(request, "bad-value", "id: expected at most %d bytes.", ANSWER_ID_MAX);
    }
}

static json_t *read_fields(struct request *request, const void *payload, size_t size)
{
    json_t *fields = size == 0 ? json_object()
                     : size > ANSWER_ASK_MAX
                         ? NULL
                         : json_loadb(payload, size, JSON_REJECT_DUPLICATES, NULL);

    if (size > ANSWER_ASK_MAX) {
        request_refuse(request, "too-large", "A query has at most %d bytes.", ANSWER_ASK_MAX);
    } else if (!json_is_object(fields)) {
        request_refuse(request, "bad-json", "The payload is not a JSON object.");
        json_decref(fields);
        fields = NULL;
    }
    return fields ? fields : json_object();
}

static void find_answer(struct request *request, enum answer_door door, const char *name)
{
    const struct verb *verb = find_verb(door, name);

    if (!verb) {
        request_refuse(request, "unknown-command", "There is no such query or command.");
        return;
    }
    check_fields(request, verb);
    if (request_goes_on(request) && door != ANSWER_SCORE) {
        request->error = figures_refresh(request->book);
    }
    if (request_goes_on(request)) {
        request_limit_time(request, request->settings->list_us_max);
        verb->answer(request);
    }
    if (request_goes_on(request) && door == ANSWER_QUERY) {
        json_object_set_new(request->reply, "more", json_boolean(request->is_full));
    }
}

char *answer(struct book *book, const struct answer_settings *settings, enum answer_door door,
             const char *verb, const void *payload, size_t size, int *error)
{
    struct request request = {.book = book, .settings = settings, .reply = json_object()};

    request.fields = read_fields(&request, payload, size);
    if (!request.refusal) {
        find_answer(&request, door, verb);
    }
    *error = request.error;
    if (request.error) {
        request_refuse(&request, "storage",
                       "The logbook cannot use its database now; try again later.");
    }
    json_t *id = json_object_get(request.fields, "id");
    id = json_is_string(id) && json_string_length(id) <= ANSWER_ID_MAX ? id : NULL;
    json_t *reply = json_pack("{s:O?, s:b}", "id", id, "ok", !request.refusal);
    if (request.refusal) {
        json_object_set_new(reply, "error", json_string(request.refusal));
        json_object_set_new(reply, "message", json_string(request.message));
    } else {
        json_object_update(reply, request.reply);
    }
    char *text = json_dumps(reply, REQUEST_DUMP);
    json_decref(reply);
    json_decref(request.reply);
    json_decref(request.fields);
    return text;
}
