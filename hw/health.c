/*
 *  level    ____##############################################________________________
 *               |<------------- stuck time ------------->|    |<- HEALTH_RECOVERY_US ->|
 *                                                      stuck                         ok
 *
 *  level    __#_#_##_#_#_##_#_#_##_#_#_##_#_#_##_#_#___________________________________
 *             |<- more edges in a second than ->|      |<---- HEALTH_RECOVERY_US ----->|
 *             |   the kind of sensor makes      chattering                            ok
 *
 *  A sensor whose line has gone is silent until the line is back, whatever other fault it has. One
 *  that has missed something is silent until its next edge.
 *
 *  SENSED   |<- HEALTH_PERIOD_US ->|  when the level has lasted HEALTH_STEADY_US, or when it has
 *                                     kept changing for a whole period
 */
#include "health.h"

enum { SECOND_US = 1000000 };

/*
 * Limits of each kind of sensor. A tilt switch bounces a lot, and its own filter reports one that
 * does not stop; an encoder that is pulled makes thousands of edges.
 */
static const struct {
    uint32_t edges_a_second; /* 0: no limit */
    bool can_stick;          /* a working sensor is not active for long */
} limits[] = {
    [SENSOR_KIND_NONE] = {0, false},    [SENSOR_KIND_MUZZLE] = {100, true},
    [SENSOR_KIND_ENCODER] = {0, false}, [SENSOR_KIND_ROPE_BUTTON] = {100, true},
    [SENSOR_KIND_TILT] = {1000, false}, [SENSOR_KIND_BEAM] = {100, true},
    [SENSOR_KIND_DOCK] = {100, false},  [SENSOR_KIND_BUTTON] = {100, true},
};

void health_init(struct sensor_health *health)
{
    *health = (struct sensor_health){.state = HEALTH_OK, .emitted_state = HEALTH_OK};
}

/* Counts occurrences within a second of the first one; returns their number. */
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

void health_edge(struct sensor_health *health, enum sensor_kind kind, uint64_t at_us, bool level)
{
    uint32_t limit = limits[kind].edges_a_second;

    if (at_us < health->last_us) {
        at_us = health->last_us;
    }
    if (health->edges == health->emitted_edges) {
        health->unemitted_us = at_us;
    }
    health->edges++;
    health->last_us = at_us;
    if (level && !health->level) {
        health->active_us = at_us;
    } else if (!level && health->level) {
        health->pulse_us = clamp_us(at_us - health->active_us);
    }
    health->level = level;
    if (count_in_second(&health->second_us, &health->second_edges, at_us) > limit && limit) {
        health_fault(health, HEALTH_CHATTERING, at_us);
    }
    if (health->state == HEALTH_STUCK) {
        health->fault_us = at_us;
    } else if (health->state == HEALTH_SILENT && !health->gone) {
        health->state = HEALTH_OK;
    }
}

void health_level(struct sensor_health *health, uint64_t at_us, bool level)
{
    if (health->edges == health->emitted_edges && !health->is_set) {
        health->unemitted_us = at_us;
    }
    health->is_set = true;
    health->last_us = at_us > health->last_us ? at_us : health->last_us;
    health->active_us = health->last_us;
    health->level = level;
}

void health_fault(struct sensor_health *health, enum health state, uint64_t at_us)
{
    if (!health->gone) {
        health->state = state;
        health->fault_us = at_us;
    }
}

void health_impossible(struct sensor_health *health, uint64_t at_us)
{
    if (count_in_second(&health->impossible_us, &health->impossible, at_us) >
        HEALTH_IMPOSSIBLE_MAX) {
        health_fault(health, HEALTH_IMPOSSIBLE, at_us);
    }
}

void health_gone(struct sensor_health *health, uint64_t at_us)
{
    health_fault(health, HEALTH_SILENT, at_us);
    health->gone = true;
}

/* Healthy at once: earlier faults may have come from the cable that was replaced. */
void health_back(struct sensor_health *health)
{
    health->gone = false;
    health->state = HEALTH_OK;
}

static uint64_t stuck_at_us(const struct sensor_health *health, enum sensor_kind kind,
                            uint64_t stuck_us)
{
    bool may_become =
        health->level && health->state != HEALTH_STUCK && !health->gone && limits[kind].can_stick;

    return may_become && stuck_us ? health->active_us + stuck_us : NEVER_US;
}

static uint64_t recovered_at_us(const struct sensor_health *health)
{
    bool is_stuck = health->state == HEALTH_STUCK && health->level;
    bool is_silent = health->state == HEALTH_SILENT;

    if (health->state == HEALTH_OK || is_silent || is_stuck) {
        return NEVER_US;
    }
    return health->fault_us + HEALTH_RECOVERY_US;
}

static uint64_t sensed_at_us(const struct sensor_health *health)
{
    if (health->edges == health->emitted_edges && !health->is_set) {
        return NEVER_US;
    }
    uint64_t steady_us = health->last_us + HEALTH_STEADY_US;
    uint64_t overdue_us = health->unemitted_us + HEALTH_PERIOD_US;
    uint64_t at_us = steady_us < overdue_us ? steady_us : overdue_us;
    return at_us > health->next_emit_us ? at_us : health->next_emit_us;
}

uint64_t health_deadline_us(const struct sensor_health *health, enum sensor_kind kind,
                            uint64_t stuck_us)
{
    uint64_t deadline_us = sensed_at_us(health);
    uint64_t stuck_deadline_us = stuck_at_us(health, kind, stuck_us);
    uint64_t recovered_us = recovered_at_us(health);

    deadline_us = stuck_deadline_us < deadline_us ? stuck_deadline_us : deadline_us;
    return recovered_us < deadline_us ? recovered_us : deadline_us;
}

static void emit(const struct sensor_health *health, enum fact_kind kind, unsigned sensor,
                 uint64_t at_us, struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, kind, sensor, at_us);

    fact->level = health->level;
    fact->edges = health->edges;
    fact->rate = health->second_edges;
    fact->pulse_us = health->pulse_us;
    fact->health = health->state;
}

void health_tick(struct sensor_health *health, uint64_t now_us, uint64_t stuck_us, unsigned sensor,
                 enum sensor_kind kind, struct fact_list *out)
{
    if (now_us >= stuck_at_us(health, kind, stuck_us)) {
        health_fault(health, HEALTH_STUCK, now_us);
    } else if (now_us >= recovered_at_us(health)) {
        health->state = HEALTH_OK;
    }
    if (health->state != health->emitted_state) {
        health->emitted_state = health->state;
        emit(health, FACT_HEALTH, sensor, now_us, out);
    }
    if (now_us >= sensed_at_us(health)) {
        health->emitted_edges = health->edges;
        health->is_set = false;
        health->next_emit_us = now_us + HEALTH_PERIOD_US;
        emit(health, FACT_SENSED, sensor, health->last_us, out);
    }
}
