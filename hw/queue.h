/*
 * The queue of facts between the sensor thread and the main thread: a ring that never blocks the
 * writer. The caller locks it.
 *
 * When it is full, facts of which only the latest matters (fact_is_of_game) are dropped if there is
 * a newer one. The others keep their order, and are refused only when hundreds of them wait.
 */
#ifndef HW_QUEUE_H
#define HW_QUEUE_H

#include "hw/fact.h"

#include <stddef.h>

enum {
    QUEUE_SIZE = 1024,
    /* Not available to game facts: a rope reading, and three kinds of facts for every sensor. */
    QUEUE_RESERVE = 3 * SENSOR_COUNT + 1,
};

/* Zeroed: empty. */
struct queue {
    struct fact facts[QUEUE_SIZE];
    size_t first;
    size_t count;
    size_t game_facts; /* how many of them may not be dropped */
};

/* Returns false if the queue is full: the fact is lost. */
bool queue_push(struct queue *queue, const struct fact *fact);

/* Moves up to max facts out, oldest first; returns how many. */
size_t queue_take(struct queue *queue, struct fact *facts, size_t max);

/* Removes all facts of this kind. */
void queue_drop(struct queue *queue, enum fact_kind kind);

#endif
