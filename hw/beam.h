/* A light beam that something flies through: one pulse a passage, glitches left out. Pure. */
#ifndef HW_BEAM_H
#define HW_BEAM_H

#include "fact_list.h"

enum {
    BEAM_LONG_US = 500000,       /* what stays in the beam for longer does not fly */
    BEAM_REFRACTORY_US = 200000, /* after a passage, for this long it is the same thing again */
};

struct pulse {
    uint64_t began_us;
    uint64_t width_us;
    uint32_t bounces; /* how often the beam came back in between */
};

enum beam_state { BEAM_CLEAR, BEAM_BROKEN, BEAM_LEAVING };

/* Zeroed: clear, and nothing has ever passed. */
struct beam {
    enum beam_state state;
    uint64_t changed_us; /* the last edge */
    uint64_t dark_us;    /* for how long it was broken in the pulse that is going on */
    uint64_t deaf_until_us;
    bool blocked;       /* as it was told */
    struct pulse pulse; /* the one that is going on, or else the last one that was no glitch */
};

void beam_edge(struct beam *beam, uint64_t at_us, bool level);
uint64_t beam_deadline_us(const struct beam *beam, uint64_t min_us);

/* Whether a pulse has just ended that counts; it is beam->pulse then. */
bool beam_tick(struct beam *beam, uint64_t now_us, uint64_t min_us);

/*
 * Adds BLOCKED when something has been in the beam for longer than anything flies, and when the
 * beam is clear again. After beam_tick.
 */
void beam_tell_blocked(struct beam *beam, uint64_t now_us, unsigned sensor, struct fact_list *out);

/* The beam of a target: adds HIT when something has passed, and BLOCKED. */
void target_tick(struct beam *beam, uint64_t now_us, uint64_t min_us, enum piece piece,
                 struct fact_list *out);

#endif
