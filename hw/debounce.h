/* Debounces a contact: its stable level changes once the line has been quiet for a while. Pure. */
#ifndef HW_DEBOUNCE_H
#define HW_DEBOUNCE_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: inactive. */
struct debounce {
    uint64_t began_us; /* the first edge since the contact was last quiet */
    uint64_t last_us;  /* the latest edge */
    uint32_t bounces;  /* edges after the first */
    bool bouncing;
    bool level;  /* of the line */
    bool stable; /* the level when the contact was last quiet */
};

void debounce_edge(struct debounce *contact, uint64_t at_us, bool level);

/* When the contact will have been quiet for that long; NEVER_US if it is not bouncing. */
uint64_t debounce_deadline_us(const struct debounce *contact, uint64_t quiet_us);

/* Returns whether the stable level has just changed. */
bool debounce_tick(struct debounce *contact, uint64_t now_us, uint64_t quiet_us);

#endif
