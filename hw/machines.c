#include "machines.h"

#include "dock.h"

static uint64_t quiet_us(const struct filters *filters)
{
    return filters->settings.button_ms * UINT64_C(1000);
}

static bool is_ill(const struct filters *filters, enum sensor sensor)
{
    return filters->watches[sensor].health > HEALTH_OK;
}

static struct muzzle_settings muzzle_settings(const struct filters *filters)
{
    return (struct muzzle_settings){.min_us = filters->settings.beam_min_us,
                                    .gap_um = filters->settings.beam_gap_um,
                                    .two_beams = filters->settings.two_beams,
                                    .inner_ill = is_ill(filters, SENSOR_CANNON_BEAM),
                                    .outer_ill = is_ill(filters, SENSOR_CANNON_BEAM2)};
}

static struct rope_settings rope_settings(const struct filters *filters)
{
    return (struct rope_settings){.counts_per_knot = filters->settings.counts_per_knot,
                                  .reverse = filters->settings.rope_reverse};
}

static void cannon_edge(struct filters *filters, const struct edge *edge, unsigned index)
{
    (void)index;
    muzzle_edge(&filters->muzzle, edge->sensor, edge->at_us, edge->level);
}

static uint64_t cannon_due_us(const struct filters *filters, unsigned index)
{
    (void)index;
    return muzzle_deadline_us(&filters->muzzle, filters->settings.beam_min_us);
}

static void cannon_due(struct filters *filters, unsigned index, uint64_t now_us,
                       struct fact_list *out)
{
    struct muzzle_settings settings = muzzle_settings(filters);

    (void)index;
    muzzle_tick(&filters->muzzle, now_us, &settings, out);
}

static unsigned cannon_silent(const struct filters *filters)
{
    struct muzzle_settings settings = muzzle_settings(filters);

    return muzzle_silent_beam(&filters->muzzle, &settings);
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

static unsigned encoder_silent(const struct filters *filters)
{
    return rope_silent_line(&filters->rope);
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

static uint32_t moving_pieces(const struct filters *filters)
{
    uint32_t pieces = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        const struct tilt *tilt = &filters->tilts[piece];
        pieces |= tilt->settle.restless && !tilt->untrusted ? bit(piece) : 0;
    }
    return pieces;
}

static void piece_tilt_due(struct filters *filters, unsigned index, uint64_t now_us,
                           struct fact_list *out)
{
    struct tilt *tilt = &filters->tilts[index];
    bool was_untrusted = tilt->untrusted;
    unsigned before = out->count;

    tilt_tick(tilt, now_us, settle_us(filters), (enum piece)index, out);
    for (unsigned i = before; i < out->count; i++) {
        out->facts[i].pieces = moving_pieces(filters);
    }
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

const struct machine machines[SENSOR_KIND_COUNT] = {
    [SENSOR_KIND_MUZZLE] = {cannon_edge, cannon_due_us, cannon_due, cannon_silent},
    [SENSOR_KIND_ENCODER] = {encoder_edge, encoder_due_us, encoder_due, encoder_silent},
    [SENSOR_KIND_ROPE_BUTTON] = {rope_button_edge, rope_button_due_us, rope_button_due, NULL},
    [SENSOR_KIND_TILT] = {piece_tilt_edge, piece_tilt_due_us, piece_tilt_due, NULL},
    [SENSOR_KIND_BEAM] = {target_edge, target_due_us, target_due, NULL},
    [SENSOR_KIND_DOCK] = {dock_edge, dock_due_us, dock_due, NULL},
    [SENSOR_KIND_BUTTON] = {button_edge, button_due_us, button_due, NULL},
};

unsigned machine_keeper(unsigned sensor)
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
