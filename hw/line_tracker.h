/*
 * The level of a line, from events of which some may be wrong or missing. Pure.
 *
 * The kernel stamps an edge when it happens but reads the level a moment later, and it drops events
 * that are not read in time. The edges that come out of here always alternate.
 *
 *  line     _____##########________________    a pulse that ends before the kernel reads its level:
 *  events        0         0                   both events have the same level
 *  edges    _____##########________________
 *
 *  line     _____###___###___###___#########   events in between were dropped: the next one has
 *  events        1               1   r         the level of the last edge, and r, a reading of the
 *  edges    _____################____#######   level, corrects it
 */
#ifndef HW_LINE_TRACKER_H
#define HW_LINE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: inactive. */
struct line_tracker {
    uint64_t read_us; /* when the level was last read; the reading includes older events */
    bool level;       /* of the last edge */
    bool uncertain;   /* an event is missing: read the level when no event is left */
};

/* Returns whether the event is an edge to tracker->level. */
static inline bool line_tracker_event(struct line_tracker *tracker, uint64_t at_us, bool level)
{
    if (at_us <= tracker->read_us) {
        return false;
    }
    /* It is an edge; if the line had this level already, another one is missing. */
    tracker->uncertain = level == tracker->level;
    tracker->level = !tracker->level;
    return true;
}

/* The level was read, not before at_us. Returns whether that is an edge to tracker->level. */
static inline bool line_tracker_reading(struct line_tracker *tracker, uint64_t at_us, bool level)
{
    bool is_edge = level != tracker->level;

    tracker->read_us = at_us;
    tracker->level = level;
    tracker->uncertain = false;
    return is_edge;
}

#endif
