/* Over the shoulder of every sensor: its level and edges for people, and its health. Pure. */
#ifndef HW_WATCH_H
#define HW_WATCH_H

#include "fact_list.h"
#include "hw/sensor.h"

enum {
    WATCH_RECOVERY_US = 5000000, /* without another complaint, and it is healthy again */
    WATCH_IMPOSSIBLE_MAX = 3,    /* impossible transitions in a second that may happen */
    WATCH_SETTLE_US = 50000,     /* a level is told when it has been there for this long */
    WATCH_PERIOD_US = 500000,    /* at most so often */
};

struct watch {
    uint64_t last_us;   /* the last edge */
    uint64_t unsaid_us; /* the first edge that was not told yet */
    uint64_t mute_until_us;
    uint64_t active_us;     /* since when it has been active */
    uint64_t bad_us;        /* the last complaint */
    uint64_t second_us;     /* begin of the second in which edges are counted */
    uint64_t impossible_us; /* begin of the second in which impossible transitions are counted */
    uint32_t second_edges;
    uint32_t pulse_us; /* how long it was active the last time, 0 if that is not over */
    uint32_t impossible;
    uint32_t edges;
    uint32_t told_edges;
    enum health health;
    enum health told_health;
    bool level;
    bool gone; /* its line is not there */
};

void watch_init(struct watch *watch);
void watch_edge(struct watch *watch, enum sensor_kind kind, uint64_t at_us, bool level);

/* A filter complains of its sensor. */
void watch_complain(struct watch *watch, enum health health, uint64_t at_us);
void watch_impossible(struct watch *watch, uint64_t at_us);

/* Its line is not there any more, and silent until it is back. */
void watch_gone(struct watch *watch, uint64_t at_us);
void watch_back(struct watch *watch);

/* stuck_us 0: never stuck. */
uint64_t watch_deadline_us(const struct watch *watch, enum sensor_kind kind, uint64_t stuck_us);

/* Adds HEALTH when it has changed, and SENSED as WATCH_SETTLE_US and WATCH_PERIOD_US allow. */
void watch_tick(struct watch *watch, uint64_t now_us, uint64_t stuck_us, unsigned sensor,
                struct fact_list *out);

#endif
