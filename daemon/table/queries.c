/*
 * Queries. Whoever may watch may ask, and an answer may be a long one: so they wait in a queue of
 * their own, and a flood of them costs commands no more than one answer in every pause.
 */
#include "common/log.h"
#include "internal.h"
#include "rules/say.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAUSE_US = 10000,
    HISTORY_MAX = 100,
    HISTORY_BYTES_MAX = 64 << 10,
};

/*
 * History
 */

struct history {
    struct table *table;
    char *events[HISTORY_MAX];
    unsigned count;
    size_t bytes;
    bool more;
};

static int collect(void *self, const struct recalled *past)
{
    enum { ENOUGH = 1 };
    struct history *history = self;
    struct table *table = history->table;
    const struct sensors *sensors = &table->ports.sensors;
    const struct record *record = past->record;
    struct wire_names names = {.table = table->config->table, .game = past->game_id};

    if (history->count == HISTORY_MAX || history->bytes >= HISTORY_BYTES_MAX) {
        history->more = true;
        return ENOUGH;
    }
    char *json = wire_event(past->game, past->event, &names, record->wall_ms, &record->evidence,
                            sensors->name(sensors->self, record->evidence.sensor));
    if (json) {
        history->events[history->count++] = json;
        history->bytes += strlen(json);
    }
    return 0;
}

static char *refuse(const struct table *table, const struct query *query, enum refusal refusal)
{
    char message[SENTENCE_SIZE];

    say_refusal(&table->play.game, &query->input, refusal, RULE_NONE, message, sizeof message);
    return wire_reply_refused(query->id, refusal, RULE_NONE, message);
}

static char *make_history(struct table *table, const struct query *query)
{
    struct history history = {.table = table};
    char *json;

    if (!table->game[0]) {
        return refuse(table, query, REFUSED_NO_GAME);
    }
    int error = recall_game(table->recall, query->input.from, collect, &history);
    if (error < 0) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING, "history: %s", strerror(-error));
        json = refuse(table, query, REFUSED_STORAGE);
    } else {
        json = wire_reply_history(query->id, table->play.game.seq,
                                  (const char *const *)history.events, history.count, history.more);
    }
    for (unsigned i = 0; i < history.count; i++) {
        free(history.events[i]);
    }
    return json;
}

/*
 * The queue
 */

void table_query(struct table *table, const struct command *command,
                 const struct reply_address *address)
{
    struct queries *queries = &table->queries;
    uint64_t soon_us = table_now_us(table) + 1; /* never 0, which stands for none */

    if (!table->connected || queries->count == QUERIES_MAX) {
        return;
    }
    struct query *query = &queries->waiting[(queries->first + queries->count) % QUERIES_MAX];
    *query = (struct query){.input = command->input, .address = *address};
    memcpy(query->id, command->id, sizeof query->id);
    queries->count++;
    queries->due_us = queries->due_us > soon_us ? queries->due_us : soon_us;
}

uint64_t table_query_due_us(const struct table *table)
{
    return table->queries.count && !table->queries.in_flight ? table->queries.due_us : 0;
}

/* One that cannot be sent is dropped: whoever has asked asks again. */
void table_answer_query(struct table *table)
{
    struct queries *queries = &table->queries;
    const struct query *query = &queries->waiting[queries->first];
    char *json =
        table->end_is_unsafe ? refuse(table, query, REFUSED_STORAGE) : make_history(table, query);

    queries->in_flight = json && table_answer(table, &query->address, json, TOKEN_QUERY) == 0;
    free(json);
    queries->first = (queries->first + 1) % QUERIES_MAX;
    queries->count--;
    queries->due_us = table_now_us(table) + PAUSE_US;
}

void table_query_acknowledged(struct table *table)
{
    table->queries.in_flight = false;
}

void table_forget_queries(struct table *table)
{
    table->queries.count = 0;
    table->queries.in_flight = false;
}
