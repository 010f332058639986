/* A contact that bounces: its level is decided once it has been quiet for a while. */
#ifndef HW_SETTLE_H
#define HW_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

struct settle {
    uint64_t began_us; /* the first edge since it was last quiet */
    uint64_t last_us;  /* the latest edge */
    uint32_t bounces;  /* edges after the first */
    bool restless;
    bool level;   /* as the line is */
    bool decided; /* as it was when last quiet */
};

void settle_edge(struct settle *settle, uint64_t at_us, bool level);

/* When it will have been quiet for that long; NEVER_US if it is. */
uint64_t settle_deadline_us(const struct settle *settle, uint64_t quiet_us);

/* Whether the decided level has just changed. */
bool settle_tick(struct settle *settle, uint64_t now_us, uint64_t quiet_us);

#endif
