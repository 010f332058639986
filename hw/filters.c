#include "filters.h"

#include "dock.h"

static uint64_t settle_us(const struct filters *filters)
{
    return filters->settings.tilt_settle_ms * UINT64_C(1000);
}

static uint64_t quiet_us(const struct filters *filters)
{
    return filters->settings.button_ms * UINT64_C(1000);
}

static uint64_t stuck_us(const struct filters *filters)
{
    return filters->settings.stuck_s * UINT64_C(1000000);
}

static struct rope_settings rope_settings(const struct filters *filters)
{
    return (struct rope_settings){.counts_per_knot = filters->settings.counts_per_knot,
                                  .reverse = filters->settings.rope_reverse};
}

/*
 * What listens to sensors of one kind. Two sensors can have one machine (two beams, two lines of
 * the encoder); its deadlines are then kept with the first of them.
 */
struct machine {
    void (*edge)(struct filters *filters, const struct edge *edge, unsigned index);
    uint64_t (*deadline_us)(const struct filters *filters, unsigned index);
    void (*tick)(struct filters *filters, unsigned index, uint64_t now_us, struct fact_list *out);
};

static void muzzle_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    (void)index;
    beam_edge(edge->sensor == SENSOR_CANNON_BEAM ? &filters->muzzle.inner : &filters->muzzle.outer,
              edge->at_us, edge->level);
}

static uint64_t muzzle_due_us(const struct filters *filters, unsigned index)
{
    (void)index;
    return muzzle_deadline_us(&filters->muzzle, filters->settings.beam_min_us);
}

static void muzzle_due(struct filters *filters, unsigned index, uint64_t now_us,
                       struct fact_list *out)
{
    struct muzzle_settings settings = {.min_us = filters->settings.beam_min_us,
                                       .gap_um = filters->settings.beam_gap_um,
                                       .two_beams = filters->settings.two_beams};
    (void)index;
    muzzle_tick(&filters->muzzle, now_us, &settings, out);
}

static void encoder_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    (void)index;
    if (!rope_edge(&filters->rope, edge->at_us, edge->sensor, edge->level)) {
        watch_impossible(&filters->watches[edge->sensor], edge->at_us);
    }
}

static uint64_t encoder_due_us(const struct filters *filters, unsigned index)
{
    (void)index;
    return rope_deadline_us(&filters->rope);
}

static void encoder_due(struct filters *filters, unsigned index, uint64_t now_us,
                        struct fact_list *out)
{
    struct rope_settings settings = rope_settings(filters);

    (void)index;
    rope_tick(&filters->rope, now_us, &settings, out);
}

static void rope_button_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    (void)index;
    settle_edge(&filters->rope_button.settle, edge->at_us, edge->level);
}

static uint64_t rope_button_due_us(const struct filters *filters, unsigned index)
{
    (void)index;
    return rope_button_deadline_us(&filters->rope_button, quiet_us(filters));
}

static void rope_button_due(struct filters *filters, unsigned index, uint64_t now_us,
                            struct fact_list *out)
{
    struct rope_settings settings = rope_settings(filters);
    unsigned before = out->count;

    (void)index;
    rope_button_tick(&filters->rope_button, now_us, quiet_us(filters), out);
    /* ROPE_AT is told now and then; a press confirms what the rope says at this moment. */
    for (unsigned i = before; i < out->count; i++) {
        out->facts[i].knots_milli = rope_knots_milli(&filters->rope, &settings);
    }
}

static void piece_tilt_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    tilt_edge(&filters->tilts[index], edge->at_us, edge->level);
    if (filters->tilts[index].untrusted) {
        watch_complain(&filters->watches[edge->sensor], HEALTH_CHATTERING, edge->at_us);
    }
}

static uint64_t piece_tilt_due_us(const struct filters *filters, unsigned index)
{
    return tilt_deadline_us(&filters->tilts[index], settle_us(filters));
}

static void piece_tilt_due(struct filters *filters, unsigned index, uint64_t now_us,
                           struct fact_list *out)
{
    struct tilt *tilt = &filters->tilts[index];
    bool was_untrusted = tilt->untrusted;

    tilt_tick(tilt, now_us, settle_us(filters), (enum piece)index, out);
    if (tilt->untrusted && !was_untrusted) {
        watch_complain(&filters->watches[SENSOR_TILT + index], HEALTH_CHATTERING, now_us);
    }
}

static void target_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    beam_edge(&filters->targets[index], edge->at_us, edge->level);
}

static uint64_t target_due_us(const struct filters *filters, unsigned index)
{
    return beam_deadline_us(&filters->targets[index], filters->settings.beam_min_us);
}

static void target_due(struct filters *filters, unsigned index, uint64_t now_us,
                       struct fact_list *out)
{
    target_tick(&filters->targets[index], now_us, filters->settings.beam_min_us, (enum piece)index,
                out);
}

static void dock_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    settle_edge(&filters->docks[index], edge->at_us, edge->level);
}

static uint64_t dock_due_us(const struct filters *filters, unsigned index)
{
    return settle_deadline_us(&filters->docks[index], settle_us(filters));
}

static void dock_due(struct filters *filters, unsigned index, uint64_t now_us,
                     struct fact_list *out)
{
    dock_tick(&filters->docks[index], now_us, settle_us(filters), (enum harbour)index, out);
}

static void button_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    settle_edge(&filters->buttons[index], edge->at_us, edge->level);
}

static uint64_t button_due_us(const struct filters *filters, unsigned index)
{
    return settle_deadline_us(&filters->buttons[index], quiet_us(filters));
}

static void button_due(struct filters *filters, unsigned index, uint64_t now_us,
                       struct fact_list *out)
{
    button_tick(&filters->buttons[index], now_us, quiet_us(filters), index, out);
}

static const struct machine machines[] = {
    [SENSOR_KIND_MUZZLE] = {muzzle_edge, muzzle_due_us, muzzle_due},
    [SENSOR_KIND_ENCODER] = {encoder_edge, encoder_due_us, encoder_due},
    [SENSOR_KIND_ROPE_BUTTON] = {rope_button_edge, rope_button_due_us, rope_button_due},
    [SENSOR_KIND_TILT] = {piece_tilt_edge, piece_tilt_due_us, piece_tilt_due},
    [SENSOR_KIND_BEAM] = {target_edge, target_due_us, target_due},
    [SENSOR_KIND_DOCK] = {dock_edge, dock_due_us, dock_due},
    [SENSOR_KIND_BUTTON] = {button_edge, button_due_us, button_due},
};

static unsigned keeper_of(unsigned sensor)
{
    switch (sensor) {
    case SENSOR_CANNON_BEAM2:
        return SENSOR_CANNON_BEAM;
    case SENSOR_ROPE_B:
        return SENSOR_ROPE_A;
    default:
        return sensor;
    }
}

static void refresh_due(struct filters *filters, unsigned sensor)
{
    struct sensor_place place = sensor_place(sensor);
    uint64_t due_us = watch_deadline_us(&filters->watches[sensor], place.kind, stuck_us(filters));

    if (keeper_of(sensor) == sensor) {
        uint64_t machine_us = machines[place.kind].deadline_us(filters, place.index);
        due_us = machine_us < due_us ? machine_us : due_us;
    }
    filters->due_us[sensor] = due_us;
}

static void tick_sensor(struct filters *filters, unsigned sensor, uint64_t now_us,
                        struct fact_list *out)
{
    struct sensor_place place = sensor_place(sensor);

    if (keeper_of(sensor) == sensor) {
        machines[place.kind].tick(filters, place.index, now_us, out);
    }
    watch_tick(&filters->watches[sensor], now_us, stuck_us(filters), sensor, out);
    refresh_due(filters, sensor);
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

void filters_edge(struct filters *filters, const struct edge *edge, struct fact_list *out)
{
    if (edge->sensor == SENSOR_NONE || edge->sensor >= SENSOR_COUNT) {
        return;
    }
    struct sensor_place place = sensor_place(edge->sensor);
    unsigned keeper = keeper_of(edge->sensor);

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

    while (sensor != SENSOR_NONE && filters->due_us[sensor] <= now_us) {
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
