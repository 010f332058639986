/* Per-sensor statistics and health: level and edges for the sensor's topic, and faults. Pure. */
#ifndef HW_HEALTH_H
#define HW_HEALTH_H

#include "hw/fact.h"
#include "hw/sensor.h"

enum {
    HEALTH_RECOVERY_US = 5000000, /* without another fault, and the sensor is ok again */
    HEALTH_IMPOSSIBLE_MAX = 3,    /* impossible transitions within a second that are tolerated */
    HEALTH_STEADY_US = 50000,     /* a level is emitted when it has lasted this long */
    HEALTH_PERIOD_US = 500000,    /* between two SENSED of a sensor */
};

struct sensor_health {
    uint64_t last_us;      /* the last edge */
    uint64_t unemitted_us; /* the first edge since the last SENSED */
    uint64_t next_emit_us;
    uint64_t active_us;     /* since when the level has been active */
    uint64_t fault_us;      /* the last fault */
    uint64_t second_us;     /* begin of the second in which edges are counted */
    uint64_t impossible_us; /* begin of the second in which impossible transitions are counted */
    uint32_t second_edges;
    uint32_t pulse_us; /* duration of the last active level, 0 if there was none */
    uint32_t impossible;
    uint32_t edges;
    uint32_t emitted_edges;
    enum health state;
    enum health emitted_state;
    bool level;
    bool gone;   /* its line does not exist now */
    bool is_set; /* the level, by health_level, and not emitted yet */
};

void health_init(struct sensor_health *health);
void health_edge(struct sensor_health *health, enum sensor_kind kind, uint64_t at_us, bool level);

/* The level is known and did not change now: it is not an edge. */
void health_level(struct sensor_health *health, uint64_t at_us, bool level);

/* A filter, or the caller of the filters, has found a fault of the sensor. */
void health_fault(struct sensor_health *health, enum health state, uint64_t at_us);

/* An edge that cannot be, or that was lost: a fault when there are too many. */
void health_impossible(struct sensor_health *health, uint64_t at_us);

/* The line has gone: the sensor is silent until the line is back. */
void health_gone(struct sensor_health *health, uint64_t at_us);
void health_back(struct sensor_health *health);

/* stuck_us 0: never stuck. */
uint64_t health_deadline_us(const struct sensor_health *health, enum sensor_kind kind,
                            uint64_t stuck_us);

/* Adds HEALTH when it has changed, and SENSED as HEALTH_STEADY_US and HEALTH_PERIOD_US allow. */
void health_tick(struct sensor_health *health, uint64_t now_us, uint64_t stuck_us, unsigned sensor,
                 enum sensor_kind kind, struct fact_list *out);

#endif
