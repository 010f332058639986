/* Answers to commands. */
#include "wire/wire.h"

#include "json.h"
#include "rules/say.h"

static struct json_text begin_reply(const char *id, bool ok)
{
    struct json_text json = json_begin();

    put_text_or_null(&json, "id", id);
    put_truth(&json, "ok", ok);
    return json;
}

char *wire_reply_ok(const char *id, const struct game *game, const struct outcome *outcome)
{
    struct json_text json = begin_reply(id, true);

    put_number(&json, "seq", game->seq);
    open_list(&json, "messages");
    for (unsigned i = 0; i < outcome->count; i++) {
        char sentence[SENTENCE_SIZE];
        say_event(game, &outcome->events[i], sentence, sizeof sentence);
        put_text(&json, NULL, sentence);
    }
    close_list(&json);
    return json_end(&json);
}

char *wire_reply_refused(const char *id, enum refusal refusal, enum rule rule, const char *message)
{
    struct json_text json = begin_reply(id, false);

    put_word(&json, "error", rules_refusal_name(refusal));
    put_rule(&json, "rule", rule);
    put_text(&json, "message", message);
    return json_end(&json);
}

char *wire_reply_history(const char *id, uint32_t seq, const char *const *events, size_t count,
                         bool more)
{
    struct json_text json = begin_reply(id, true);

    put_number(&json, "seq", seq);
    put_truth(&json, "more", more);
    open_list(&json, "events");
    for (size_t i = 0; i < count; i++) {
        put_json(&json, NULL, events[i]);
    }
    close_list(&json);
    return json_end(&json);
}
