/*
 *  level    ____##############################################________________________
 *               |<------------- stuck time ------------->|    |<- WATCH_RECOVERY_US ->|
 *                                                      stuck                         ok
 *
 *  level    __#_#_##_#_#_##_#_#_##_#_#_##_#_#_##_#_#___________________________________
 *             |<- more edges in a second than ->|      |<----- WATCH_RECOVERY_US ----->|
 *             |   the kind of sensor makes      chattering                            ok
 *
 *  A line whose chip has gone is silent until it is back, whatever else there was to say of it. One
 *  that should have spoken and did not is silent until it does.
 *
 *  SENSED   |<- WATCH_PERIOD_US ->|  when the level has been there for WATCH_SETTLE_US, or when
 *                                    it has not been for a whole period
 */
#include "watch.h"

enum { SECOND_US = 1000000 };

/*
 * What is too much of a sensor of this kind. A tilt switch rattles hard but not for long, and its
 * own filter complains when it does not stop; an encoder that is pulled makes thousands of edges.
 */
static const struct {
    uint32_t edges_a_second; /* 0: any number is fine */
    bool can_stick;          /* it is not active for long while it works */
} limits[] = {
    [SENSOR_KIND_NONE] = {0, false},    [SENSOR_KIND_MUZZLE] = {100, true},
    [SENSOR_KIND_ENCODER] = {0, false}, [SENSOR_KIND_ROPE_BUTTON] = {100, true},
    [SENSOR_KIND_TILT] = {1000, false}, [SENSOR_KIND_BEAM] = {100, true},
    [SENSOR_KIND_DOCK] = {100, false},  [SENSOR_KIND_BUTTON] = {100, true},
};

void watch_init(struct watch *watch)
{
    *watch = (struct watch){.health = HEALTH_OK, .told_health = HEALTH_OK};
}

/* Counts what happens within a second of the first; returns how many it has been. */
static uint32_t count_in_second(uint64_t *second_us, uint32_t *count, uint64_t at_us)
{
    if (at_us - *second_us >= SECOND_US) {
        *second_us = at_us;
        *count = 0;
    }
    return ++*count;
}

static uint32_t clamp_us(uint64_t us)
{
    return us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
}

void watch_edge(struct watch *watch, enum sensor_kind kind, uint64_t at_us, bool level)
{
    uint32_t limit = limits[kind].edges_a_second;

    if (at_us < watch->last_us) {
        at_us = watch->last_us;
    }
    if (watch->edges == watch->told_edges) {
        watch->unsaid_us = at_us;
    }
    watch->edges++;
    watch->last_us = at_us;
    if (level && !watch->level) {
        watch->active_us = at_us;
    } else if (!level && watch->level) {
        watch->pulse_us = clamp_us(at_us - watch->active_us);
    }
    watch->level = level;
    if (count_in_second(&watch->second_us, &watch->second_edges, at_us) > limit && limit) {
        watch_complain(watch, HEALTH_CHATTERING, at_us);
    }
    if (watch->health == HEALTH_STUCK) {
        watch->bad_us = at_us;
    } else if (watch->health == HEALTH_SILENT && !watch->gone) {
        watch->health = HEALTH_OK; /* it speaks */
    }
}

void watch_complain(struct watch *watch, enum health health, uint64_t at_us)
{
    if (!watch->gone) {
        watch->health = health;
        watch->bad_us = at_us;
    }
}

void watch_impossible(struct watch *watch, uint64_t at_us)
{
    if (count_in_second(&watch->impossible_us, &watch->impossible, at_us) > WATCH_IMPOSSIBLE_MAX) {
        watch_complain(watch, HEALTH_IMPOSSIBLE, at_us);
    }
}

void watch_gone(struct watch *watch, uint64_t at_us)
{
    watch_complain(watch, HEALTH_SILENT, at_us);
    watch->gone = true;
}

/* Healthy at once: what it said before does not count against a new cable. */
void watch_back(struct watch *watch)
{
    watch->gone = false;
    watch->health = HEALTH_OK;
}

static uint64_t stuck_at_us(const struct watch *watch, enum sensor_kind kind, uint64_t stuck_us)
{
    bool may_become =
        watch->level && watch->health != HEALTH_STUCK && !watch->gone && limits[kind].can_stick;

    return may_become && stuck_us ? watch->active_us + stuck_us : NEVER_US;
}

static uint64_t recovered_at_us(const struct watch *watch)
{
    bool is_stuck = watch->health == HEALTH_STUCK && watch->level;
    bool is_silent = watch->health == HEALTH_SILENT;

    if (watch->health == HEALTH_OK || is_silent || is_stuck) {
        return NEVER_US;
    }
    return watch->bad_us + WATCH_RECOVERY_US;
}

static uint64_t sensed_at_us(const struct watch *watch)
{
    if (watch->edges == watch->told_edges) {
        return NEVER_US;
    }
    uint64_t settled_us = watch->last_us + WATCH_SETTLE_US;
    uint64_t overdue_us = watch->unsaid_us + WATCH_PERIOD_US;
    uint64_t at_us = settled_us < overdue_us ? settled_us : overdue_us;
    return at_us > watch->mute_until_us ? at_us : watch->mute_until_us;
}

uint64_t watch_deadline_us(const struct watch *watch, enum sensor_kind kind, uint64_t stuck_us)
{
    uint64_t deadline_us = sensed_at_us(watch);
    uint64_t stuck_deadline_us = stuck_at_us(watch, kind, stuck_us);
    uint64_t recovered_us = recovered_at_us(watch);

    deadline_us = stuck_deadline_us < deadline_us ? stuck_deadline_us : deadline_us;
    return recovered_us < deadline_us ? recovered_us : deadline_us;
}

static void tell(const struct watch *watch, enum fact_kind kind, unsigned sensor, uint64_t at_us,
                 struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, kind, sensor, at_us);

    fact->level = watch->level;
    fact->edges = watch->edges;
    fact->rate = watch->second_edges;
    fact->pulse_us = watch->pulse_us;
    fact->health = watch->health;
}

void watch_tick(struct watch *watch, uint64_t now_us, uint64_t stuck_us, unsigned sensor,
                struct fact_list *out)
{
    if (now_us >= stuck_at_us(watch, sensor_place(sensor).kind, stuck_us)) {
        watch_complain(watch, HEALTH_STUCK, now_us);
    } else if (now_us >= recovered_at_us(watch)) {
        watch->health = HEALTH_OK;
    }
    if (watch->health != watch->told_health) {
        watch->told_health = watch->health;
        tell(watch, FACT_HEALTH, sensor, now_us, out);
    }
    if (now_us >= sensed_at_us(watch)) {
        watch->told_edges = watch->edges;
        watch->mute_until_us = now_us + WATCH_PERIOD_US;
        tell(watch, FACT_SENSED, sensor, watch->last_us, out);
    }
}
