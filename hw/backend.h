/*
 * Where edges come from, as a struct of functions: the simulation's socket, or the lines of a real
 * table. None of them blocks; now_us and inject are called by any thread, the others by one.
 */
#ifndef HW_BACKEND_H
#define HW_BACKEND_H

#include "hw/fact.h"

#include <stddef.h>

struct backend {
    void *self;

    /* Readable when there is something to read; the same for as long as the backend is open. */
    int (*fd)(void *self);

    /*
     * Edges that have happened, each with the time at which it did, in any order; returns how many.
     * As long as it returns max there may be more that the descriptor does not tell of.
     */
    size_t (*read)(void *self, struct edge *edges, size_t max);

    /*
     * The next thing to tell of a line beside its edges; false when there is no more. To be asked
     * after reading. NULL: there never is any.
     */
    bool (*news)(void *self, struct line_news *news);

    /* The clock of its edges: the kernel's monotonic one, or one that runs ahead of it. */
    uint64_t (*now_us)(void *self);

    /*
     * Called by any thread: an edge that happens now. 0, or -EAGAIN when too many of them have not
     * been read yet. NULL: the lines are real, and nobody can pretend.
     */
    int (*inject)(void *self, unsigned sensor, bool level);

    /* Also of a backend that failed to open. */
    void (*close)(void *self);
};

/* The kernel's monotonic clock. */
uint64_t backend_clock_us(void);

#endif
