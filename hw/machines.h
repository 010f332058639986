/* Inside hw/: the machines of all filters, as one table by the kind of sensor. See filters.h. */
#ifndef HW_MACHINES_H
#define HW_MACHINES_H

#include "filters.h"

/*
 * What listens to sensors of one kind. Two sensors can have one machine (two beams, two lines of
 * the encoder); its deadlines are then kept with the first of them.
 */
struct machine {
    void (*edge)(struct filters *filters, const struct edge *edge, unsigned index);
    uint64_t (*deadline_us)(const struct filters *filters, unsigned index);
    void (*tick)(struct filters *filters, unsigned index, uint64_t now_us, struct fact_list *out);
    /* Which of its sensors has said nothing while the other spoke; NULL: it has one sensor. */
    unsigned (*silent)(const struct filters *filters);
};

extern const struct machine machines[SENSOR_KIND_COUNT];

/* The sensor with which the deadlines of the machine that listens to this one are kept. */
unsigned machine_keeper(unsigned sensor);

static inline uint64_t settle_us(const struct filters *filters)
{
    return filters->settings.tilt_settle_ms * UINT64_C(1000);
}

#endif
