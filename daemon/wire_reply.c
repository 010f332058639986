/* Answers to commands. */
#include "wire.h"

#include "rules/say.h"
#include "wire_json.h"

#include <stdlib.h>
#include <string.h>

static struct building begin_reply(const char *id, bool ok)
{
    struct building reply = begin_object();

    put(&reply, "id", json_text_or_null(id));
    put(&reply, "ok", json_boolean(ok));
    return reply;
}

static json_t *sentences(const struct game *game, const struct outcome *outcome)
{
    struct building list = begin_list();

    for (unsigned i = 0; i < outcome->count; i++) {
        char sentence[SENTENCE_SIZE];
        say_event(game, &outcome->events[i], sentence, sizeof sentence);
        append(&list, json_text(sentence));
    }
    return finish(&list);
}

char *wire_reply_ok(const char *id, const struct game *game, const struct outcome *outcome)
{
    struct building reply = begin_reply(id, true);

    put(&reply, "seq", json_integer(game->seq));
    put(&reply, "messages", sentences(game, outcome));
    return finish_text(&reply);
}

char *wire_reply_refused(const char *id, enum refusal refusal, enum rule rule, const char *message)
{
    struct building reply = begin_reply(id, false);

    put(&reply, "error", json_string_nocheck(rules_refusal_name(refusal)));
    put(&reply, "rule", json_rule(rule));
    put(&reply, "message", json_text(message));
    return finish_text(&reply);
}

/* Events are JSON already: they go into the text as they are, before its last brace. */
char *wire_reply_history(const char *id, uint32_t seq, const char *const *events, size_t count,
                         bool more)
{
    static const char list_key[] = ",\"events\":[";
    static const char list_end[] = "]}";
    struct building reply = begin_reply(id, true);

    put(&reply, "seq", json_integer(seq));
    put(&reply, "more", json_boolean(more));
    char *head = finish_text(&reply);
    size_t size = (head ? strlen(head) : 0) + sizeof list_key + sizeof list_end;
    for (size_t i = 0; i < count; i++) {
        size += strlen(events[i]) + 1;
    }
    char *text = head ? malloc(size) : NULL;
    if (text) {
        char *end = mempcpy(text, head, strlen(head) - 1);
        end = stpcpy(end, list_key);
        for (size_t i = 0; i < count; i++) {
            end = stpcpy(stpcpy(end, i > 0 ? "," : ""), events[i]);
        }
        stpcpy(end, list_end);
    }
    free(head);
    return text;
}
