/*
 * A source of edges as a struct of functions: GPIO lines (gpio.c) or the simulation (sim.c). The
 * sensor thread (hw.c) calls them; now_us and inject are
 * called by any thread. None of them blocks, and none assumes that its backend is the only one: an
 * edge has its sensor and its time, and descriptor, status and clock are per backend.
 */
#ifndef HW_BACKEND_H
#define HW_BACKEND_H

#include "hw/clock.h"
#include "hw/fact.h"

#include <stddef.h>
#include <unistd.h>

struct backend {
    void *self;

    /* Readable when there is something to read; does not change while the backend is open. */
    int (*fd)(void *self);

    /*
     * Reads edges, each with the time at which it happened, in any order; returns how many. If it
     * returns max, call it again: there may be more, also if the descriptor is not readable.
     */
    size_t (*read)(void *self, struct edge *edges, size_t max);

    /* Does what may wait until the edges have been handled. NULL: nothing. */
    void (*finish)(void *self);

    /* Takes the next status of a line, after read; false: there is none. NULL: never any. */
    bool (*status)(void *self, struct line_status *status);

    /* The clock of its edges. NULL: the kernel's monotonic clock. */
    uint64_t (*now_us)(void *self);

    /*
     * Adds an edge that happens now. 0, or -EAGAIN when too many of them have not been read yet.
     * NULL: the lines are real, and edges cannot be simulated.
     */
    int (*inject)(void *self, unsigned sensor, bool level);

    /* Which sensors report over MQTT, so that the caller ignores their edges. NULL: not needed. */
    void (*set_radio)(void *self, const bool is_radio[SENSOR_COUNT]);

    void (*close)(void *self);
};

/* Accepts -1, a descriptor that was not opened. */
static inline void close_fd(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

#endif
