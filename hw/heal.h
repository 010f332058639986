/*
 * What a line really did, from events of which some may be missing. Pure, one for each line.
 *
 * The kernel stamps an edge when it happens but reads the level a moment later, and it drops events
 * that nobody takes in time. What comes out of here alternates, whatever comes in.
 */
#ifndef HW_HEAL_H
#define HW_HEAL_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: inactive, and nothing has happened. */
struct heal {
    uint64_t read_us; /* when its level was read last: older events are in it already */
    bool level;       /* the one that was told last */
    bool doubtful;    /* something is missing: its level must be read when no event is left */
};

/* Whether the event is an edge to heal->level. */
bool heal_event(struct heal *heal, uint64_t at_us, bool level);

/* The level was read, at the earliest at at_us. Whether that is an edge to heal->level. */
bool heal_reading(struct heal *heal, uint64_t at_us, bool level);

#endif
