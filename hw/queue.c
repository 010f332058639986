#include "queue.h"

#include <string.h>

static struct fact *fact_at(struct queue *queue, size_t place)
{
    return &queue->facts[(queue->first + place) % QUEUE_SIZE];
}

/* Removes facts of kind FACT_NONE. */
static void remove_gaps(struct queue *queue)
{
    size_t kept = 0;

    for (size_t place = 0; place < queue->count; place++) {
        if (fact_at(queue, place)->kind != FACT_NONE) {
            *fact_at(queue, kept++) = *fact_at(queue, place);
        }
    }
    queue->count = kept;
}

static void drop_outdated(struct queue *queue)
{
    bool seen[FACT_COUNT][SENSOR_COUNT] = {{false}};

    for (size_t place = queue->count; place-- > 0;) {
        struct fact *fact = fact_at(queue, place);
        if (fact_is_of_game(fact->kind)) {
            continue;
        }
        bool outdated = seen[fact->kind][fact->sensor];
        seen[fact->kind][fact->sensor] = true;
        if (outdated) {
            fact->kind = FACT_NONE;
        }
    }
    remove_gaps(queue);
}

bool queue_push(struct queue *queue, const struct fact *fact)
{
    bool is_game_fact = fact_is_of_game(fact->kind);

    if (is_game_fact && queue->game_facts == QUEUE_SIZE - QUEUE_RESERVE - 1) {
        return false;
    }
    if (queue->count == QUEUE_SIZE) {
        drop_outdated(queue);
    }
    *fact_at(queue, queue->count++) = *fact;
    queue->game_facts += is_game_fact;
    return true;
}

size_t queue_take(struct queue *queue, struct fact *facts, size_t max)
{
    size_t count = queue->count < max ? queue->count : max;

    for (size_t i = 0; i < count; i++) {
        facts[i] = *fact_at(queue, i);
        queue->game_facts -= fact_is_of_game(facts[i].kind);
    }
    queue->count -= count;
    /* An empty one starts again at the same place, which is in the cache of the processor. */
    queue->first = queue->count ? (queue->first + count) % QUEUE_SIZE : 0;
    return count;
}

void queue_drop(struct queue *queue, enum fact_kind kind)
{
    for (size_t place = 0; place < queue->count; place++) {
        struct fact *fact = fact_at(queue, place);
        if (fact->kind == kind) {
            queue->game_facts -= fact_is_of_game(fact->kind);
            fact->kind = FACT_NONE;
        }
    }
    remove_gaps(queue);
}
