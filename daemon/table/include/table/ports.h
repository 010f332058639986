/* What the table needs besides disk and broker, as structs of functions. */
#ifndef TABLE_PORTS_H
#define TABLE_PORTS_H

#include "common/jobs.h"

#include <stdint.h>

struct clock {
    void *self;
    uint64_t (*now_us)(void *self); /* CLOCK_MONOTONIC, as the edges have it */
    int64_t (*wall_ms)(void *self); /* UTC; used only to print */
};

/* A uniformly distributed number from 0 to below - 1. */
struct random {
    void *self;
    uint32_t (*draw)(void *self, uint32_t below);
};

/* What the table may ask of the sensors. */
struct sensors {
    void *self;
    void (*zero_rope)(void *self);
    /* The sensor has not reported what it should have. */
    void (*report_silent)(void *self, uint16_t sensor);
    /* A simulated edge by the sensor's name; 0, or -errno when there is no such sensor. */
    int (*simulate)(void *self, const char *sensor, unsigned level);
    /* The name of a sensor, as topics and evidence have it; "?" for a number that means none. */
    const char *(*name)(void *self, uint16_t sensor);
};

#endif
