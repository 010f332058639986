#include "history.h"

#include "common/log.h"
#include "rules/say.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

enum { HISTORY_MAX = 100, HISTORY_BYTES_MAX = 64 << 10 };

char *history_event(const struct recalled *past, const char *table, const struct sensors *sensors)
{
    struct wire_names names = {.table = table, .game = past->game_id};
    const struct record *record = past->record;

    return wire_event(past->game, past->event, &names, record->wall_ms, &record->evidence,
                      sensors->name(sensors->self, record->evidence.sensor));
}

struct history {
    const char *table;
    const struct sensors *sensors;
    char *events[HISTORY_MAX];
    unsigned count;
    size_t bytes;
    bool more;
};

static int collect(void *self, const struct recalled *past)
{
    enum { ENOUGH = 1 };
    struct history *history = self;

    if (history->count == HISTORY_MAX || history->bytes >= HISTORY_BYTES_MAX) {
        history->more = true;
        return ENOUGH;
    }
    char *json = history_event(past, history->table, history->sensors);
    if (json) {
        history->events[history->count++] = json;
        history->bytes += strlen(json);
    }
    return 0;
}

static char *refuse(const struct game *game, const char *id, const struct input *query,
                    enum refusal refusal)
{
    char message[SENTENCE_SIZE];

    say_refusal(game, query, refusal, RULE_NONE, message, sizeof message);
    return wire_reply_refused(id, refusal, RULE_NONE, message);
}

char *history_reply(struct session *session, const char *table, const struct sensors *sensors,
                    const char *id, const struct input *query)
{
    const struct game *game = session_game(session);
    struct history history = {.table = table, .sensors = sensors};
    char *json;

    if (session_end_is_unsafe(session)) {
        return refuse(game, id, query, REFUSED_STORAGE);
    }
    if (!session_game_id(session)[0]) {
        return refuse(game, id, query, REFUSED_NO_GAME);
    }
    int error = recall_game(session_recall(session), query->from, collect, &history);
    if (error < 0) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING, "history: %s", strerror(-error));
        json = refuse(game, id, query, REFUSED_STORAGE);
    } else {
        json = wire_reply_history(id, game->seq, (const char *const *)history.events, history.count,
                                  history.more);
    }
    for (unsigned i = 0; i < history.count; i++) {
        free(history.events[i]);
    }
    return json;
}
