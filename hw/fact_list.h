/* Facts in the order in which they became certain, in memory of the caller. */
#ifndef HW_FACT_LIST_H
#define HW_FACT_LIST_H

#include "hw/fact.h"

/*
 * Between two edges a sensor can have at most its own fact, a change of health there and back, and
 * two readings for its topic; with as much again for the edge itself a list never overflows.
 */
enum { FACT_LIST_MAX = 8 * SENSOR_COUNT };

struct fact_list {
    unsigned count;
    struct fact facts[FACT_LIST_MAX];
};

/* Appends a fact that began at at_us and rests on that sensor; the caller fills in the rest. */
struct fact *fact_list_add(struct fact_list *list, enum fact_kind kind, unsigned sensor,
                           uint64_t at_us);

#endif
