/* A tilt switch in a piece: whether it stands or lies. Pure. */
#ifndef HW_TILT_H
#define HW_TILT_H

#include "fact_list.h"
#include "settle.h"

/* Zeroed: it stands. */
struct tilt {
    struct settle settle;
    uint64_t tilted_us; /* for how long it was tilted since it became restless */
    bool untrusted;     /* it never came to rest; nothing is believed until it does */
};

void tilt_edge(struct tilt *tilt, uint64_t at_us, bool level);
uint64_t tilt_deadline_us(const struct tilt *tilt, uint64_t settle_us);

/* Adds TOPPLED or RAISED when it is decided. */
void tilt_tick(struct tilt *tilt, uint64_t now_us, uint64_t settle_us, enum piece piece,
               struct fact_list *out);

#endif
