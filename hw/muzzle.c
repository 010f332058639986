/*
 *  One beam: a pulse (see beam.c) is a ball.
 *
 *  Two beams: only what comes from the barrel counts, and the gap over the time between them is
 *  its speed. The ball is longer than the gap, or shorter, so that the pulses may overlap or not.
 *
 *  inner    ____##########______________           ______________##########____
 *               |<- dt ->|
 *  outer    _____________##########_____           ____##########______________
 *                        |         |<- min ->|         (a ball is put in: nothing)
 *                      at_us             BALL_LEFT
 *
 *  Two beams of which one is not well: the other one decides as if it were the only one.
 */
#include "muzzle.h"

void muzzle_edge(struct muzzle *muzzle, unsigned sensor, uint64_t at_us, bool level)
{
    if (sensor == SENSOR_CANNON_BEAM) {
        muzzle->outer_alone = 0;
        beam_edge(&muzzle->inner, at_us, level);
    } else {
        muzzle->inner_alone = 0;
        beam_edge(&muzzle->outer, at_us, level);
    }
}

unsigned muzzle_silent_beam(const struct muzzle *muzzle, const struct muzzle_settings *settings)
{
    if (settings->two_beams && muzzle->inner_alone == MUZZLE_ALONE_MAX) {
        return SENSOR_CANNON_BEAM2;
    }
    if (settings->two_beams && muzzle->outer_alone == MUZZLE_ALONE_MAX) {
        return SENSOR_CANNON_BEAM;
    }
    return SENSOR_NONE;
}

static void count_alone(uint8_t *alone, bool passed)
{
    *alone = (uint8_t)(*alone + (passed && *alone < MUZZLE_ALONE_MAX));
}

uint64_t muzzle_deadline_us(const struct muzzle *muzzle, uint64_t min_us)
{
    uint64_t inner_us = beam_deadline_us(&muzzle->inner, min_us);
    uint64_t outer_us = beam_deadline_us(&muzzle->outer, min_us);

    return inner_us < outer_us ? inner_us : outer_us;
}

static void tell(enum sensor sensor, const struct pulse *pulse, uint64_t speed_mmps,
                 struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, FACT_BALL_LEFT, sensor, pulse->began_us);

    fact->speed_mmps = speed_mmps < UINT32_MAX ? (uint32_t)speed_mmps : UINT32_MAX;
    fact->evidence.width_us = (uint32_t)pulse->width_us;
    fact->evidence.bounces = pulse->bounces;
}

/* The inner beam may be broken still, or again; a pulse that began after the outer one is not it.
 */
static uint64_t entered_before(const struct muzzle *muzzle, uint64_t left_us)
{
    bool passing = muzzle->inner.state != BEAM_CLEAR && muzzle->inner.pulse.began_us < left_us;

    return passing ? muzzle->inner.pulse.began_us : muzzle->entered_us;
}

static void judge_passage(struct muzzle *muzzle, uint32_t gap_um, struct fact_list *out)
{
    const struct pulse *pulse = &muzzle->outer.pulse;
    uint64_t entered_us = entered_before(muzzle, pulse->began_us);

    if (entered_us <= muzzle->counted_us || entered_us >= pulse->began_us ||
        pulse->began_us - entered_us > BEAM_LONG_US) {
        return;
    }
    muzzle->counted_us = entered_us;
    tell(SENSOR_CANNON_BEAM2, pulse, UINT64_C(1000) * gap_um / (pulse->began_us - entered_us), out);
}

void muzzle_tick(struct muzzle *muzzle, uint64_t now_us, const struct muzzle_settings *settings,
                 struct fact_list *out)
{
    bool was_passing = muzzle->inner.state != BEAM_CLEAR;
    bool passed = beam_tick(&muzzle->inner, now_us, settings->min_us);

    if (was_passing && muzzle->inner.state == BEAM_CLEAR &&
        muzzle->inner.dark_us >= settings->min_us) {
        muzzle->entered_us = muzzle->inner.pulse.began_us;
    }
    if (passed && (!settings->two_beams || settings->outer_ill)) {
        muzzle->counted_us = muzzle->inner.pulse.began_us; /* the outer beam may wake up for it */
        tell(SENSOR_CANNON_BEAM, &muzzle->inner.pulse, 0, out);
    }
    count_alone(&muzzle->inner_alone, passed);
    passed = beam_tick(&muzzle->outer, now_us, settings->min_us);
    if (passed && settings->two_beams && settings->inner_ill) {
        tell(SENSOR_CANNON_BEAM2, &muzzle->outer.pulse, 0, out);
    } else if (passed && settings->two_beams && !settings->outer_ill) {
        judge_passage(muzzle, settings->gap_um, out);
    }
    count_alone(&muzzle->outer_alone, passed);
    beam_tell_blocked(&muzzle->inner, now_us, SENSOR_CANNON_BEAM, out);
    beam_tell_blocked(&muzzle->outer, now_us, SENSOR_CANNON_BEAM2, out);
}
