/*
 * The edges that a message of a radio sensor becomes, with what the filters know after them. They
 * go to the filters together, or not at all. Pure.
 */
#ifndef TABLE_EDGE_BATCH_H
#define TABLE_EDGE_BATCH_H

#include "hw/fact.h"
#include "wire/radio.h"

#include <stddef.h>

enum {
    /* Of a node, each edge may need a report of a loss; and each sensor is back, and corrected. */
    EDGE_BATCH_MAX = 2 * NODE_EDGES_MAX + 4 * SENSOR_COUNT,
};

/* What the filters know. Zeroed: nothing. */
struct known_levels {
    bool level[SENSOR_COUNT];
    bool has_level[SENSOR_COUNT]; /* it is 0 before it is known */
    bool is_gone[SENSOR_COUNT];
    uint64_t edge_us[SENSOR_COUNT]; /* edges of a sensor do not go back in time */
};

struct edge_batch {
    struct known_levels after;
    uint64_t now_us;
    size_t count;
    struct edge edges[EDGE_BATCH_MAX];
};

void edge_batch_begin(struct edge_batch *batch, const struct known_levels *known, uint64_t now_us);

/* What does not fit is dropped. */
void edge_batch_add(struct edge_batch *batch, unsigned sensor, enum edge_kind kind, bool level,
                    uint64_t at_us);

/* A reading. The first one of an encoder is where it stands, not a movement. */
void edge_batch_add_reading(struct edge_batch *batch, unsigned sensor, bool level, uint64_t at_us);

/* The level is known without an edge. An encoder takes it over without counting. */
void edge_batch_add_level(struct edge_batch *batch, unsigned sensor, bool level, uint64_t at_us);

#endif
