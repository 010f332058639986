#include "reply_text.h"

#include "book_text.h"
#include "plain.h"
#include "read_json.h"

#include <stdlib.h>
#include <string.h>

static void write_refusal(const json_t *reply, FILE *file)
{
    fputs("Refused: ", file);
    plain_print(file, peek_text(reply, "message"));
    fputs(" (", file);
    plain_print(file, peek_text(reply, "error"));
    if (peek_text(reply, "rule")[0]) {
        fputs(", ", file);
        plain_print(file, peek_text(reply, "rule"));
    }
    fputs(")\n", file);
}

/* A list, a state, a player of the logbook, or nothing besides that it was accepted. */
static void write_rest(const json_t *reply, FILE *file)
{
    const json_t *state = json_object_get(reply, "state");
    char *text = state ? json_dumps(state, JSON_INDENT(2)) : NULL;

    if (text) {
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
            plain_print(file, line);
            fputc('\n', file);
        }
    } else if (peek_text(reply, "player")[0]) {
        fputs("Accepted: ", file);
        plain_print(file, peek_text(reply, "player"));
        fputc('\n', file);
    } else if (!book_write(reply, file)) {
        fprintf(file, "Accepted; the game is at event %u.\n", read_number(reply, "seq"));
    }
    free(text);
}

static void write_acceptance(const json_t *reply, FILE *file)
{
    const json_t *events = json_object_get(reply, "events");
    const json_t *event;
    size_t at;

    json_array_foreach(events, at, event)
    {
        fprintf(file, "%u ", read_number(event, "seq"));
        plain_print(file, peek_text(event, "message"));
        fputc('\n', file);
    }
    const json_t *messages = json_object_get(reply, "messages");
    const json_t *message;
    json_array_foreach(messages, at, message)
    {
        plain_print(file, json_string_value(message) ? json_string_value(message) : "");
        fputc('\n', file);
    }
    if (!events && json_array_size(messages) == 0) {
        write_rest(reply, file);
    }
}

static char *text_of(const json_t *reply, bool accepted)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (!file) {
        return NULL;
    }
    if (accepted) {
        write_acceptance(reply, file);
    } else {
        write_refusal(reply, file);
    }
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}

bool reply_answers(const void *payload, size_t size, const char *command)
{
    json_t *reply = json_loadb(payload, size, 0, NULL);
    json_t *question = json_loads(command, 0, NULL);
    const json_t *id = json_object_get(question, "id");
    bool is_answer = json_is_string(id) && json_equal(id, json_object_get(reply, "id"));

    json_decref(reply);
    json_decref(question);
    return is_answer;
}

char *reply_text(const void *payload, size_t size, struct reply_verdict *verdict)
{
    json_t *reply = json_loadb(payload, size, 0, NULL);
    char *text = NULL;

    if (json_is_boolean(json_object_get(reply, "ok"))) {
        verdict->accepted = read_flag(reply, "ok");
        snprintf(verdict->error, sizeof verdict->error, "%s", peek_text(reply, "error"));
        text = text_of(reply, verdict->accepted);
    }
    json_decref(reply);
    return text;
}
