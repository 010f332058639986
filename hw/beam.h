/* A light beam: one pulse for each object that passes, glitches removed. Pure. */
#ifndef HW_BEAM_H
#define HW_BEAM_H

#include "hw/fact.h"

enum {
    BEAM_LONG_US = 500000,       /* an object that stays longer blocks the beam */
    BEAM_REFRACTORY_US = 200000, /* pulses within this time after a pulse are the same object */
};

struct pulse {
    uint64_t began_us;
    uint64_t width_us;
    uint32_t bounces; /* how often the beam was clear in between */
};

enum beam_state { BEAM_CLEAR, BEAM_BROKEN, BEAM_CLEARING };

/* Zeroed: clear. */
struct beam {
    enum beam_state state;
    uint64_t changed_us;      /* the last edge */
    uint64_t broken_us;       /* how long the beam was broken during the current pulse */
    uint64_t ignore_until_us; /* end of the refractory time */
    bool blocked;             /* as it was emitted */
    struct pulse pulse;       /* the current one, or the last one that was not a glitch */
};

void beam_edge(struct beam *beam, uint64_t at_us, bool level);
uint64_t beam_deadline_us(const struct beam *beam, uint64_t min_us);

/* Returns whether a valid pulse has just ended; beam->pulse describes it. */
bool beam_tick(struct beam *beam, uint64_t now_us, uint64_t min_us);

/*
 * Adds BLOCKED when the beam has been broken for longer than BEAM_LONG_US, and when it is clear
 * again. Called after beam_tick.
 */
void beam_emit_blocked(struct beam *beam, uint64_t now_us, unsigned sensor, struct fact_list *out);

/* The beam of a target: adds HIT for a pulse, and BLOCKED. */
void target_tick(struct beam *beam, uint64_t now_us, uint64_t min_us, enum piece piece,
                 struct fact_list *out);

#endif
