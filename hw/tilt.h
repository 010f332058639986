/* The tilt switch of a piece: whether the piece stands or lies. Pure. */
#ifndef HW_TILT_H
#define HW_TILT_H

#include "debounce.h"
#include "hw/fact.h"

/* Zeroed: the piece stands. */
struct tilt {
    struct debounce contact;
    uint64_t tilted_us; /* how long the switch was active since it began to bounce */
    bool chattering;    /* it has bounced for too long; its edges are ignored until it is quiet */
};

void tilt_edge(struct tilt *tilt, uint64_t at_us, bool level);
uint64_t tilt_deadline_us(const struct tilt *tilt, uint64_t settle_us);

/* Adds TOPPLED or RAISED when the level is decided. */
void tilt_tick(struct tilt *tilt, uint64_t now_us, uint64_t settle_us, enum piece piece,
               struct fact_list *out);

#endif
