/*
 * Passes each edge to the filter of its sensor and to the sensor's health, and calls both when a
 * deadline is due. The muzzle has two sensors, and so has the encoder: its deadlines are those of
 * the first one.
 */
#include "filters.h"

static uint64_t settle_us(const struct filters *filters)
{
    return filters->settings.tilt_settle_ms * UINT64_C(1000);
}

static uint64_t button_us(const struct filters *filters)
{
    return filters->settings.button_ms * UINT64_C(1000);
}

static uint64_t stuck_us(const struct filters *filters)
{
    return filters->settings.stuck_s * UINT64_C(1000000);
}

static struct muzzle_settings muzzle_settings(const struct filters *filters)
{
    return (struct muzzle_settings){
        .min_us = filters->settings.beam_min_us,
        .gap_um = filters->settings.beam_gap_um,
        .two_beams = filters->settings.two_beams,
        .inner_faulty = filters->health[SENSOR_CANNON_BEAM].state > HEALTH_OK,
        .outer_faulty = filters->health[SENSOR_CANNON_BEAM2].state > HEALTH_OK,
    };
}

static struct rope_settings rope_settings(const struct filters *filters)
{
    return (struct rope_settings){.counts_per_knot = filters->settings.counts_per_knot,
                                  .reverse = filters->settings.rope_reverse};
}

/* The sensor that has the deadlines of this sensor's filter. */
static unsigned first_sensor(unsigned sensor)
{
    if (sensor == SENSOR_CANNON_BEAM2) {
        return SENSOR_CANNON_BEAM;
    }
    return sensor == SENSOR_ROPE_B ? SENSOR_ROPE_A : sensor;
}

/*
 * The filter of a sensor: edge, deadline, tick
 */

static void filter_edge(struct filters *filters, struct sensor_place place, const struct edge *edge)
{
    struct sensor_health *health = &filters->health[edge->sensor];

    switch (place.kind) {
    case SENSOR_KIND_MUZZLE:
        muzzle_edge(&filters->muzzle, edge->sensor, edge->at_us, edge->level);
        break;
    case SENSOR_KIND_ENCODER:
        if (!rope_edge(&filters->rope, edge->at_us, edge->sensor, edge->level)) {
            health_impossible(health, edge->at_us);
        }
        break;
    case SENSOR_KIND_ROPE_BUTTON:
        rope_button_edge(&filters->rope_button, edge->at_us, edge->level,
                         rope_counts(&filters->rope));
        break;
    case SENSOR_KIND_TILT:
        tilt_edge(&filters->tilts[place.index], edge->at_us, edge->level);
        if (filters->tilts[place.index].chattering) {
            health_fault(health, HEALTH_CHATTERING, edge->at_us);
        }
        break;
    case SENSOR_KIND_BEAM:
        beam_edge(&filters->targets[place.index], edge->at_us, edge->level);
        break;
    case SENSOR_KIND_DOCK:
        debounce_edge(&filters->docks[place.index], edge->at_us, edge->level);
        break;
    case SENSOR_KIND_BUTTON:
        debounce_edge(&filters->buttons[place.index], edge->at_us, edge->level);
        break;
    case SENSOR_KIND_NONE:
    case SENSOR_KIND_COUNT:
        break;
    }
}

static uint64_t filter_deadline_us(const struct filters *filters, struct sensor_place place)
{
    switch (place.kind) {
    case SENSOR_KIND_MUZZLE:
        return muzzle_deadline_us(&filters->muzzle, filters->settings.beam_min_us);
    case SENSOR_KIND_ENCODER:
        return rope_deadline_us(&filters->rope);
    case SENSOR_KIND_ROPE_BUTTON:
        return rope_button_deadline_us(&filters->rope_button, button_us(filters));
    case SENSOR_KIND_TILT:
        return tilt_deadline_us(&filters->tilts[place.index], settle_us(filters));
    case SENSOR_KIND_BEAM:
        return beam_deadline_us(&filters->targets[place.index], filters->settings.beam_min_us);
    case SENSOR_KIND_DOCK:
        return debounce_deadline_us(&filters->docks[place.index], settle_us(filters));
    case SENSOR_KIND_BUTTON:
        return debounce_deadline_us(&filters->buttons[place.index], button_us(filters));
    case SENSOR_KIND_NONE:
    case SENSOR_KIND_COUNT:
        break;
    }
    return NEVER_US;
}

static void tick_rope_button(struct filters *filters, uint64_t now_us, struct fact_list *out)
{
    struct rope_settings settings = rope_settings(filters);
    unsigned first = out->count;

    rope_button_tick(&filters->rope_button, now_us, button_us(filters), out);
    /* ROPE_AT is emitted once a period; a press confirms the reading of this moment. */
    for (unsigned i = first; i < out->count; i++) {
        rope_read(&filters->rope, &settings, &out->facts[i]);
    }
}

static uint32_t moving_pieces(const struct filters *filters)
{
    uint32_t pieces = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        const struct tilt *tilt = &filters->tilts[piece];
        pieces |= tilt->contact.bouncing && !tilt->chattering ? bit(piece) : 0;
    }
    return pieces;
}

static void tick_tilt(struct filters *filters, unsigned piece, uint64_t now_us,
                      struct fact_list *out)
{
    struct tilt *tilt = &filters->tilts[piece];
    bool was_chattering = tilt->chattering;
    unsigned first = out->count;

    tilt_tick(tilt, now_us, settle_us(filters), (enum piece)piece, out);
    for (unsigned i = first; i < out->count; i++) {
        out->facts[i].pieces = moving_pieces(filters);
    }
    if (tilt->chattering && !was_chattering) {
        health_fault(&filters->health[SENSOR_TILT + piece], HEALTH_CHATTERING, now_us);
    }
}

/* A dock is a debounced contact; both of its levels are facts. */
static void tick_dock(struct filters *filters, unsigned harbour, uint64_t now_us,
                      struct fact_list *out)
{
    struct debounce *dock = &filters->docks[harbour];

    if (!debounce_tick(dock, now_us, settle_us(filters))) {
        return;
    }
    struct fact *fact = fact_list_add(out, FACT_DOCKED, SENSOR_DOCK + harbour, dock->began_us);
    fact->harbour = (enum harbour)harbour;
    fact->level = dock->stable;
    fact->evidence.settle_us = (uint32_t)settle_us(filters);
    fact->evidence.bounces = dock->bounces;
}

/* Returns which of the filter's two sensors has missed something, or SENSOR_NONE. */
static unsigned filter_tick(struct filters *filters, struct sensor_place place, uint64_t now_us,
                            struct fact_list *out)
{
    struct muzzle_settings muzzle;
    struct rope_settings rope;

    switch (place.kind) {
    case SENSOR_KIND_MUZZLE:
        muzzle = muzzle_settings(filters);
        muzzle_tick(&filters->muzzle, now_us, &muzzle, out);
        return muzzle_silent_beam(&filters->muzzle, &muzzle);
    case SENSOR_KIND_ENCODER:
        rope = rope_settings(filters);
        rope_tick(&filters->rope, now_us, &rope, out);
        return rope_silent_line(&filters->rope);
    case SENSOR_KIND_ROPE_BUTTON:
        tick_rope_button(filters, now_us, out);
        break;
    case SENSOR_KIND_TILT:
        tick_tilt(filters, place.index, now_us, out);
        break;
    case SENSOR_KIND_BEAM:
        target_tick(&filters->targets[place.index], now_us, filters->settings.beam_min_us,
                    (enum piece)place.index, out);
        break;
    case SENSOR_KIND_DOCK:
        tick_dock(filters, place.index, now_us, out);
        break;
    case SENSOR_KIND_BUTTON:
        button_tick(&filters->buttons[place.index], now_us, button_us(filters), place.index, out);
        break;
    case SENSOR_KIND_NONE:
    case SENSOR_KIND_COUNT:
        break;
    }
    return SENSOR_NONE;
}

/*
 * All sensors
 */

static void set_deadline(struct filters *filters, unsigned sensor, uint64_t due_us)
{
    filters->due_us[sensor] = due_us;
    filters->next_us = due_us < filters->next_us ? due_us : filters->next_us;
}

static void update_deadline(struct filters *filters, unsigned sensor, struct sensor_place place)
{
    uint64_t due_us = health_deadline_us(&filters->health[sensor], place.kind, stuck_us(filters));

    if (first_sensor(sensor) == sensor) {
        uint64_t filter_us = filter_deadline_us(filters, place);
        due_us = filter_us < due_us ? filter_us : due_us;
    }
    set_deadline(filters, sensor, due_us);
}

static void emit_looked(const struct filters *filters, unsigned sensor, uint32_t pieces,
                        uint64_t now_us, struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, FACT_LOOKED, sensor, now_us);

    fact->pieces = pieces;
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        fact->lying |= filters->tilts[piece].contact.stable ? pieces & bit(piece) : 0;
    }
}

/* The facts of a faulty tilt switch were ignored; LOOKED gives its level when it is ok again. */
static void tick_health(struct filters *filters, unsigned sensor, struct sensor_place place,
                        uint64_t now_us, struct fact_list *out)
{
    struct sensor_health *health = &filters->health[sensor];
    bool was_faulty = health->emitted_state != HEALTH_OK;

    health_tick(health, now_us, stuck_us(filters), sensor, place.kind, out);
    if (was_faulty && health->emitted_state == HEALTH_OK && place.kind == SENSOR_KIND_TILT) {
        emit_looked(filters, sensor, bit(place.index), now_us, out);
    }
    update_deadline(filters, sensor, place);
}

static void release_held(struct filters *filters, struct fact_list *out)
{
    for (unsigned i = 0; i < filters->held_count; i++) {
        out->facts[out->count++] = filters->held[i];
    }
    filters->held_count = 0;
}

static bool is_held(const struct filters *filters, unsigned sensor)
{
    for (unsigned i = 0; i < filters->held_count; i++) {
        if (filters->held[i].sensor == sensor) {
            return true;
        }
    }
    return false;
}

/* The fault of a sensor waits behind what it has reported before, which is ignored otherwise. */
static bool may_wait(const struct filters *filters, const struct fact *fact)
{
    return fact->kind == FACT_HEALTH ? is_held(filters, fact->sensor)
                                     : fact_is_of_game(fact->kind) && fact->kind != FACT_BALL_LEFT;
}

/*
 * S2, S3: while it is undecided whether a ball has left, the facts that it may have caused are held
 * back, so that the ball comes first. Facts from first on are new.
 */
static void hold_behind_ball(struct filters *filters, unsigned first, struct fact_list *out)
{
    unsigned kept = first;

    if (!muzzle_is_pending(&filters->muzzle)) {
        release_held(filters, out);
        return;
    }
    for (unsigned i = first; i < out->count; i++) {
        if (may_wait(filters, &out->facts[i]) && filters->held_count < FACTS_HELD_MAX) {
            filters->held[filters->held_count++] = out->facts[i];
        } else {
            out->facts[kept++] = out->facts[i];
        }
    }
    out->count = kept;
}

static void tick_filter(struct filters *filters, struct sensor_place place, uint64_t now_us,
                        struct fact_list *out)
{
    unsigned silent = filter_tick(filters, place, now_us, out);

    if (silent != SENSOR_NONE && filters->health[silent].state == HEALTH_OK) {
        health_fault(&filters->health[silent], HEALTH_SILENT, now_us);
        tick_health(filters, silent, place, now_us, out);
    }
}

static void tick_sensor(struct filters *filters, unsigned sensor, uint64_t now_us,
                        struct fact_list *out)
{
    struct sensor_place place = sensor_place(sensor);
    unsigned first = out->count;

    if (sensor == SENSOR_NONE) {
        filters->due_us[SENSOR_NONE] = NEVER_US;
        emit_looked(filters, SENSOR_NONE, filters->look_pieces, now_us, out);
    } else {
        if (first_sensor(sensor) == sensor) {
            tick_filter(filters, place, now_us, out);
        }
        tick_health(filters, sensor, place, now_us, out);
    }
    hold_behind_ball(filters, first, out);
}

void filters_init(struct filters *filters, const struct filter_settings *settings)
{
    *filters = (struct filters){.settings = *settings, .next_us = NEVER_US};
    filters->due_us[SENSOR_NONE] = NEVER_US;
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        health_init(&filters->health[sensor]);
        update_deadline(filters, sensor, sensor_place(sensor));
    }
}

void filters_apply(struct filters *filters, const struct filter_settings *settings)
{
    filters->settings = *settings;
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        update_deadline(filters, sensor, sensor_place(sensor));
    }
}

void filters_look(struct filters *filters, uint32_t pieces, uint64_t now_us)
{
    uint64_t decided_us = TILT_SETTLES_MAX * settle_us(filters);

    filters->look_pieces = pieces;
    set_deadline(filters, SENSOR_NONE,
                 now_us + (decided_us > BEAM_LONG_US ? decided_us : BEAM_LONG_US) + 1);
}

static void set_contact(struct debounce *contact, bool level)
{
    *contact = (struct debounce){.last_us = contact->last_us, .level = level, .stable = level};
}

/* What follows is filtered as a change from this level. A beam or button that is active already
 * says nothing until it is active again. */
static void set_level(struct filters *filters, struct sensor_place place, const struct edge *edge,
                      struct fact_list *out)
{
    unsigned first = out->count;

    health_level(&filters->health[edge->sensor], edge->at_us, edge->level);
    switch (place.kind) {
    case SENSOR_KIND_TILT:
        set_contact(&filters->tilts[place.index].contact, edge->level);
        filters->tilts[place.index].chattering = false;
        emit_looked(filters, edge->sensor, bit(place.index), edge->at_us, out);
        break;
    case SENSOR_KIND_DOCK:
        set_contact(&filters->docks[place.index], edge->level);
        break;
    case SENSOR_KIND_ENCODER:
        rope_set_line(&filters->rope, edge->sensor, edge->level);
        break;
    default:
        break;
    }
    hold_behind_ball(filters, first, out);
    update_deadline(filters, edge->sensor, place);
}

/* Of a radio sensor: what is not an edge. */
static void filter_report(struct filters *filters, const struct edge *edge, struct fact_list *out)
{
    static const enum line_status_kind kinds[EDGE_KIND_COUNT] = {
        [EDGE_LOSSY] = LINE_LOSSY, [EDGE_GONE] = LINE_GONE, [EDGE_BACK] = LINE_BACK};

    if (edge->kind == EDGE_LEVEL) {
        set_level(filters, sensor_place(edge->sensor), edge, out);
    } else if (edge->kind < EDGE_KIND_COUNT) {
        struct line_status status = {.sensor = edge->sensor, .kind = kinds[edge->kind]};
        filters_line_status(filters, &status, edge->at_us, out);
    }
}

void filters_edge(struct filters *filters, const struct edge *edge, struct fact_list *out)
{
    if (edge->sensor == SENSOR_NONE || edge->sensor >= SENSOR_COUNT) {
        return;
    }
    struct sensor_place place = sensor_place(edge->sensor);
    unsigned first = first_sensor(edge->sensor);

    filters_tick(filters, edge->at_us, out);
    if (edge->kind != EDGE_CHANGE) {
        filter_report(filters, edge, out);
        return;
    }
    health_edge(&filters->health[edge->sensor], place.kind, edge->at_us, edge->level);
    filter_edge(filters, place, edge);
    if (first != edge->sensor) {
        tick_sensor(filters, first, edge->at_us, out);
    }
    tick_sensor(filters, edge->sensor, edge->at_us, out);
}

static unsigned next_due(const struct filters *filters)
{
    unsigned sensor = SENSOR_NONE;

    for (unsigned i = 1; i < SENSOR_COUNT; i++) {
        if (filters->due_us[i] < filters->due_us[sensor]) {
            sensor = i;
        }
    }
    return sensor;
}

void filters_tick(struct filters *filters, uint64_t now_us, struct fact_list *out)
{
    while (filters->next_us <= now_us) {
        unsigned sensor = next_due(filters);
        filters->next_us = filters->due_us[sensor];
        if (filters->next_us <= now_us) {
            tick_sensor(filters, sensor, filters->next_us, out);
        }
    }
}

uint64_t filters_next_deadline_us(const struct filters *filters)
{
    return filters->due_us[next_due(filters)];
}

void filters_zero_rope(struct filters *filters, uint64_t now_us, struct fact_list *out)
{
    rope_zero(&filters->rope, now_us);
    tick_sensor(filters, SENSOR_ROPE_A, now_us, out);
}

void filters_fault(struct filters *filters, unsigned sensor, enum health state, uint64_t at_us,
                   struct fact_list *out)
{
    health_fault(&filters->health[sensor], state, at_us);
    tick_sensor(filters, sensor, at_us, out);
}

void filters_line_status(struct filters *filters, const struct line_status *status, uint64_t at_us,
                         struct fact_list *out)
{
    struct sensor_health *health = &filters->health[status->sensor];

    switch (status->kind) {
    case LINE_LOSSY:
        health_impossible(health, at_us);
        filters->rope.impossible += sensor_place(status->sensor).kind == SENSOR_KIND_ENCODER;
        break;
    case LINE_GONE:
        health_gone(health, at_us);
        break;
    case LINE_BACK:
        health_back(health);
        break;
    case LINE_STATUS_COUNT:
        return;
    }
    tick_sensor(filters, status->sensor, at_us, out);
}

void edges_sort(struct edge *edges, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct edge edge = edges[i];
        size_t at = i;
        for (; at > 0 && edges[at - 1].at_us > edge.at_us; at--) {
            edges[at] = edges[at - 1];
        }
        edges[at] = edge;
    }
}
