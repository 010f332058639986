/* A sensor at a harbour: whether something lies there. Pure. */
#ifndef HW_DOCK_H
#define HW_DOCK_H

#include "fact_list.h"
#include "settle.h"

/* Adds DOCKED when the level (see settle.h) has settled. Edges go to settle_edge. */
void dock_tick(struct settle *dock, uint64_t now_us, uint64_t settle_us, enum harbour harbour,
               struct fact_list *out);

#endif
