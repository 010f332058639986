/*
 * Facts on their way from one thread to the other: a ring that never makes the writer wait. It has
 * no lock of its own.
 *
 * Of what only the latest value matters (a rope reading, a sensor's level, its health, whether a
 * beam is blocked) older ones give way when the ring is full; what matters to the game is kept in
 * order, and lost only when nobody has taken anything for hundreds of facts.
 */
#ifndef HW_QUEUE_H
#define HW_QUEUE_H

#include "hw/fact.h"

#include <stddef.h>

enum {
    QUEUE_SIZE = 1024,
    /* Kept free of the game's facts: a rope reading, and three kinds of facts for every sensor. */
    QUEUE_RESERVE = 3 * SENSOR_COUNT + 1,
};

/* Zeroed: empty. */
struct queue {
    struct fact facts[QUEUE_SIZE];
    size_t first;
    size_t count;
    size_t game_facts; /* how many of them must not give way */
};

/* Whether the fact is in the queue now; if not, it is lost. */
bool queue_push(struct queue *queue, const struct fact *fact);

/* Moves up to max facts out, oldest first; returns how many. */
size_t queue_take(struct queue *queue, struct fact *facts, size_t max);

/* Forgets the facts of this kind. */
void queue_drop(struct queue *queue, enum fact_kind kind);

#endif
