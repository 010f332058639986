/* What the table needs besides disk and broker, as structs of functions. */
#ifndef TABLE_PORTS_H
#define TABLE_PORTS_H

#include "common/jobs.h"

#include "hw/fact.h"

#include <stddef.h>
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
    /* A simulated edge by the sensor's name; 0, -EBUSY when it reports over MQTT, or -errno. */
    int (*simulate)(void *self, const char *sensor, unsigned level);
    /* Which sensors report over MQTT; nothing else brings their edges. */
    void (*set_radio)(void *self, const bool is_radio[SENSOR_COUNT]);
    /* Edges of such sensors; 0, or -EAGAIN and none of them is taken. */
    int (*put)(void *self, const struct edge *edges, size_t count);
    /*
     * Stores a source, as in a configuration file, for this sensor, and has it take effect; NULL
     * removes the stored one. 0, and table_paired is called with the result; or -errno.
     */
    int (*pair)(void *self, uint16_t sensor, const char *source);
    /* The name of a sensor, as topics and evidence have it; "?" for a number that means none. */
    const char *(*name)(void *self, uint16_t sensor);
    /* The sensor with a name; SENSOR_NONE if there is none. */
    uint16_t (*named)(void *self, const char *name);
};

#endif
