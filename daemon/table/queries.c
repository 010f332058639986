#include "queries.h"

enum { PAUSE_US = 10000 };

void queries_add(struct queries *queries, const struct query *query, uint64_t now_us)
{
    uint64_t soon_us = now_us + 1; /* never 0, which means none */

    if (queries->count == QUERIES_MAX) {
        return;
    }
    queries->waiting[(queries->first + queries->count) % QUERIES_MAX] = *query;
    queries->count++;
    queries->due_us = queries->due_us > soon_us ? queries->due_us : soon_us;
}

uint64_t queries_due_us(const struct queries *queries)
{
    return queries->count && !queries->in_flight ? queries->due_us : 0;
}

const struct query *queries_next(const struct queries *queries)
{
    return &queries->waiting[queries->first];
}

void queries_answered(struct queries *queries, bool is_sent, uint64_t now_us)
{
    queries->in_flight = is_sent;
    queries->first = (queries->first + 1) % QUERIES_MAX;
    queries->count--;
    queries->due_us = now_us + PAUSE_US;
}

void queries_acknowledged(struct queries *queries)
{
    queries->in_flight = false;
}

void queries_clear(struct queries *queries)
{
    queries->count = 0;
    queries->in_flight = false;
}
