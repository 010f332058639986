#include "filters.h"

#include "machines.h"

static uint64_t stuck_us(const struct filters *filters)
{
    return filters->settings.stuck_s * UINT64_C(1000000);
}

static void refresh_due(struct filters *filters, unsigned sensor)
{
    struct sensor_place place = sensor_place(sensor);
    uint64_t due_us = watch_deadline_us(&filters->watches[sensor], place.kind, stuck_us(filters));

    if (machine_keeper(sensor) == sensor) {
        uint64_t machine_us = machines[place.kind].deadline_us(filters, place.index);
        due_us = machine_us < due_us ? machine_us : due_us;
    }
    filters->due_us[sensor] = due_us;
}

static void tell_look(const struct filters *filters, unsigned sensor, uint32_t pieces,
                      uint64_t now_us, struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, FACT_LOOKED, sensor, now_us);

    fact->pieces = pieces;
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        fact->lying |= filters->tilts[piece].settle.decided ? pieces & bit(piece) : 0;
    }
}

/* What a switch said while it was not well was not believed: how does its piece stand now? */
static void watch_sensor(struct filters *filters, unsigned sensor, uint64_t now_us,
                         struct fact_list *out)
{
    struct watch *watch = &filters->watches[sensor];
    struct sensor_place place = sensor_place(sensor);
    bool was_well = watch->told_health == HEALTH_OK;

    watch_tick(watch, now_us, stuck_us(filters), sensor, out);
    if (!was_well && watch->told_health == HEALTH_OK && place.kind == SENSOR_KIND_TILT) {
        tell_look(filters, sensor, bit(place.index), now_us, out);
    }
    refresh_due(filters, sensor);
}

/* A sensor may have said nothing while its neighbour spoke. */
static void complain_of_silence(struct filters *filters, enum sensor_kind kind, uint64_t now_us,
                                struct fact_list *out)
{
    unsigned sensor = machines[kind].silent ? machines[kind].silent(filters) : SENSOR_NONE;

    if (sensor != SENSOR_NONE && filters->watches[sensor].health == HEALTH_OK) {
        watch_complain(&filters->watches[sensor], HEALTH_SILENT, now_us);
        watch_sensor(filters, sensor, now_us, out);
    }
}

static void release_held(struct filters *filters, struct fact_list *out)
{
    for (unsigned i = 0; i < filters->held_count; i++) {
        out->facts[out->count++] = filters->held[i];
    }
    filters->held_count = 0;
}

/*
 * S2, S3: while it is not known whether a ball has left, what may be its work waits, so that the
 * ball comes first. Facts from first on are new.
 */
static void hold_behind_ball(struct filters *filters, unsigned first, struct fact_list *out)
{
    unsigned kept = first;

    if (!muzzle_is_waiting(&filters->muzzle)) {
        release_held(filters, out);
        return;
    }
    for (unsigned i = first; i < out->count; i++) {
        bool may_wait = fact_is_of_game(out->facts[i].kind) && out->facts[i].kind != FACT_BALL_LEFT;
        if (may_wait && filters->held_count < FACTS_HELD_BY_BALL) {
            filters->held[filters->held_count++] = out->facts[i];
        } else {
            out->facts[kept++] = out->facts[i];
        }
    }
    out->count = kept;
}

static void judge_sensor(struct filters *filters, unsigned sensor, uint64_t now_us,
                         struct fact_list *out)
{
    struct sensor_place place = sensor_place(sensor);

    if (sensor == SENSOR_NONE) {
        filters->due_us[SENSOR_NONE] = NEVER_US;
        tell_look(filters, SENSOR_NONE, filters->asked, now_us, out);
        return;
    }
    if (machine_keeper(sensor) == sensor) {
        machines[place.kind].tick(filters, place.index, now_us, out);
        complain_of_silence(filters, place.kind, now_us, out);
    }
    watch_sensor(filters, sensor, now_us, out);
}

static void tick_sensor(struct filters *filters, unsigned sensor, uint64_t now_us,
                        struct fact_list *out)
{
    unsigned first = out->count;

    judge_sensor(filters, sensor, now_us, out);
    hold_behind_ball(filters, first, out);
}

void filters_init(struct filters *filters, const struct filter_settings *settings)
{
    *filters = (struct filters){.settings = *settings};
    filters->due_us[SENSOR_NONE] = NEVER_US;
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        watch_init(&filters->watches[sensor]);
        refresh_due(filters, sensor);
    }
}

void filters_apply(struct filters *filters, const struct filter_settings *settings)
{
    filters->settings = *settings;
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        refresh_due(filters, sensor);
    }
}

void filters_look(struct filters *filters, uint32_t pieces, uint64_t now_us)
{
    uint64_t patience_us = TILT_PATIENCE * settle_us(filters);

    filters->asked = pieces;
    filters->due_us[SENSOR_NONE] =
        now_us + (patience_us > BEAM_LONG_US ? patience_us : BEAM_LONG_US) + 1;
}

void filters_edge(struct filters *filters, const struct edge *edge, struct fact_list *out)
{
    if (edge->sensor == SENSOR_NONE || edge->sensor >= SENSOR_COUNT) {
        return;
    }
    struct sensor_place place = sensor_place(edge->sensor);
    unsigned keeper = machine_keeper(edge->sensor);

    filters_tick(filters, edge->at_us, out);
    watch_edge(&filters->watches[edge->sensor], place.kind, edge->at_us, edge->level);
    machines[place.kind].edge(filters, edge, place.index);
    if (keeper != edge->sensor) {
        tick_sensor(filters, keeper, edge->at_us, out);
    }
    tick_sensor(filters, edge->sensor, edge->at_us, out);
}

static unsigned most_urgent(const struct filters *filters)
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
    unsigned sensor = most_urgent(filters);

    while (filters->due_us[sensor] <= now_us) {
        tick_sensor(filters, sensor, filters->due_us[sensor], out);
        sensor = most_urgent(filters);
    }
}

uint64_t filters_next_deadline_us(const struct filters *filters)
{
    return filters->due_us[most_urgent(filters)];
}

void filters_zero_rope(struct filters *filters, uint64_t now_us, struct fact_list *out)
{
    rope_zero(&filters->rope, now_us);
    tick_sensor(filters, SENSOR_ROPE_A, now_us, out);
}

void filters_complain(struct filters *filters, unsigned sensor, enum health health, uint64_t at_us,
                      struct fact_list *out)
{
    watch_complain(&filters->watches[sensor], health, at_us);
    tick_sensor(filters, sensor, at_us, out);
}

void filters_line_news(struct filters *filters, const struct line_news *news, uint64_t at_us,
                       struct fact_list *out)
{
    struct watch *watch = &filters->watches[news->sensor];

    switch (news->kind) {
    case LINE_LOSSY:
        watch_impossible(watch, at_us);
        filters->rope.impossible += sensor_place(news->sensor).kind == SENSOR_KIND_ENCODER;
        break;
    case LINE_GONE:
        watch_gone(watch, at_us);
        break;
    case LINE_BACK:
        watch_back(watch);
        break;
    case LINE_NEWS_COUNT:
        return;
    }
    tick_sensor(filters, news->sensor, at_us, out);
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
