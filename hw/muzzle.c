/*
 *  One beam: a pulse (see beam.c) is a ball.
 *
 *  Two beams: the gap divided by the time between the pulses is the ball's speed. A ball longer
 *  than the gap makes overlapping pulses, a shorter one does not. More than MUZZLE_SPEED_MAX_MMPS
 * is no speed: something else has broken both beams, or messages of simulated edges came together.
 *
 *  inner    ____##########______________           ______________##########____
 *               |<- dt ->|
 *  outer    _____________##########_____           ____##########______________
 *                        |         |<- min ->|         (a ball is loaded: nothing)
 *                      at_us             BALL_LEFT
 *
 *  S2: a ball that only one of the two beams detects has left, too. The pulse is pending until the
 *  other beam can no longer detect the ball. Meanwhile filters.c holds back the other facts, which
 *  the ball may have caused. W is BEAM_LONG_US:
 *
 *  inner    ____####________________________       _________________________________
 *               |<-------- W -------->|
 *  outer    ___________________________#____       ____####_________________________
 *             at_us            BALL_LEFT,            at_us |<-------- W -------->|
 *                              beams = 1                                  BALL_LEFT, beams = 1
 *
 *  A pulse of the other beam that is not over at that time is waited for. A pulse of one beam alone
 *  that is longer than MUZZLE_BALL_US is not a ball. The inner beam broken while the outer one is,
 *  or within W after it, is a ball being loaded. A second pulse of the same beam while the first
 *  one is pending is the same ball.
 *
 *  If one of two beams is faulty, the other one decides at once.
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

static uint64_t end_us(const struct pulse *pulse)
{
    return pulse->began_us + pulse->width_us;
}

/* Whether a pulse that began after after_us, and not after until_us, is not over. */
static bool is_passing(const struct beam *beam, uint64_t after_us, uint64_t until_us)
{
    return beam->state != BEAM_CLEAR && !beam->blocked && beam->pulse.began_us > after_us &&
           beam->pulse.began_us <= until_us;
}

/*
 * When it is certain that only one beam has detected the pending pulse. NEVER_US: none is pending,
 * or the other beam decides, at its own deadline.
 */
static uint64_t alone_at_us(const struct pulse *pending, uint64_t until_us,
                            const struct beam *other)
{
    bool is_open = pending->width_us && !is_passing(other, pending->began_us, until_us);

    return is_open ? until_us + 1 : NEVER_US;
}

static uint64_t inner_alone_at_us(const struct muzzle *muzzle)
{
    return alone_at_us(&muzzle->inner_pending, muzzle->inner_pending.began_us + BEAM_LONG_US,
                       &muzzle->outer);
}

static uint64_t outer_alone_at_us(const struct muzzle *muzzle)
{
    return alone_at_us(&muzzle->outer_pending, end_us(&muzzle->outer_pending) + BEAM_LONG_US,
                       &muzzle->inner);
}

bool muzzle_is_pending(const struct muzzle *muzzle)
{
    return muzzle->inner_pending.width_us || muzzle->outer_pending.width_us;
}

static uint64_t earlier(uint64_t one_us, uint64_t other_us)
{
    return one_us < other_us ? one_us : other_us;
}

uint64_t muzzle_deadline_us(const struct muzzle *muzzle, uint64_t min_us)
{
    return earlier(
        earlier(beam_deadline_us(&muzzle->inner, min_us), beam_deadline_us(&muzzle->outer, min_us)),
        earlier(inner_alone_at_us(muzzle), outer_alone_at_us(muzzle)));
}

static struct fact *emit(enum sensor sensor, const struct pulse *pulse, struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, FACT_BALL_LEFT, sensor, pulse->began_us);

    fact->evidence.width_us = (uint32_t)pulse->width_us;
    fact->evidence.bounces = pulse->bounces;
    return fact;
}

static void emit_alone(enum sensor sensor, const struct pulse *pulse, struct fact_list *out)
{
    if (pulse->width_us <= MUZZLE_BALL_US) {
        emit(sensor, pulse, out)->evidence.beams = 1;
    }
}

static void emit_passage(const struct pulse *pulse, uint64_t gap_um, uint64_t gap_us,
                         struct fact_list *out)
{
    uint64_t speed_mmps = 1000 * gap_um / gap_us;

    emit(SENSOR_CANNON_BEAM2, pulse, out)->speed_mmps =
        speed_mmps <= MUZZLE_SPEED_MAX_MMPS ? (uint32_t)speed_mmps : 0;
}

static void wait_for_other_beam(struct pulse *pending, const struct pulse *pulse)
{
    if (!pending->width_us && pulse->width_us <= MUZZLE_BALL_US) {
        *pending = *pulse;
    }
}

/* S2: the outer beam was broken first, and is broken or was until a moment ago. */
static bool is_loading(const struct muzzle *muzzle, uint64_t entered_us)
{
    bool is_held = muzzle->outer.state != BEAM_CLEAR && muzzle->outer.pulse.began_us < entered_us;
    bool was_held = muzzle->left.width_us && muzzle->left.began_us < entered_us &&
                    entered_us <= end_us(&muzzle->left) + BEAM_LONG_US;

    return is_held || was_held;
}

static void judge_inner(struct muzzle *muzzle, bool passed, const struct muzzle_settings *settings,
                        struct fact_list *out)
{
    const struct pulse *pulse = &muzzle->inner.pulse;

    muzzle->entered_us = pulse->began_us;
    if (!settings->two_beams) {
        if (passed) {
            emit(SENSOR_CANNON_BEAM, pulse, out);
        }
    } else if (settings->outer_faulty) {
        if (passed) {
            muzzle->counted_us = pulse->began_us; /* the outer beam may still detect it */
            emit_alone(SENSOR_CANNON_BEAM, pulse, out);
        }
    } else if (settings->inner_faulty) {
        return; /* the outer beam decides */
    } else if (is_loading(muzzle, pulse->began_us)) {
        muzzle->outer_pending = (struct pulse){0};
    } else if (passed && pulse->began_us != muzzle->counted_us) {
        wait_for_other_beam(&muzzle->inner_pending, pulse);
    }
}

/* The inner beam may still be broken; a pulse that began after the outer one is another object. */
static uint64_t entered_before(const struct muzzle *muzzle, uint64_t left_us)
{
    bool passing = muzzle->inner.state != BEAM_CLEAR && muzzle->inner.pulse.began_us < left_us;

    return passing ? muzzle->inner.pulse.began_us : muzzle->entered_us;
}

static void judge_outer(struct muzzle *muzzle, const struct muzzle_settings *settings,
                        struct fact_list *out)
{
    const struct pulse *pulse = &muzzle->outer.pulse;
    uint64_t entered_us = entered_before(muzzle, pulse->began_us);
    bool came_through =
        entered_us && entered_us < pulse->began_us && pulse->began_us - entered_us <= BEAM_LONG_US;

    if (came_through && entered_us <= muzzle->counted_us) {
        return; /* this ball was emitted already */
    }
    if (settings->inner_faulty) {
        emit_alone(SENSOR_CANNON_BEAM2, pulse, out);
    } else if (!came_through) {
        wait_for_other_beam(&muzzle->outer_pending, pulse);
    } else {
        muzzle->counted_us = entered_us;
        muzzle->inner_pending = (struct pulse){0};
        emit_passage(pulse, settings->gap_um, pulse->began_us - entered_us, out);
    }
}

/* S2: the ball that the outer beam has detected rests in the inner one: it was loaded. */
static bool rests_in_inner(const struct muzzle *muzzle)
{
    const struct beam *inner = &muzzle->inner;
    const struct pulse *pending = &muzzle->outer_pending;

    return inner->blocked && inner->pulse.began_us > pending->began_us &&
           inner->pulse.began_us <= end_us(pending) + BEAM_LONG_US;
}

static void judge_pending(struct muzzle *muzzle, uint64_t now_us, struct fact_list *out)
{
    if (rests_in_inner(muzzle)) {
        muzzle->outer_pending = (struct pulse){0};
    }
    if (now_us >= inner_alone_at_us(muzzle)) {
        muzzle->counted_us = muzzle->inner_pending.began_us;
        emit_alone(SENSOR_CANNON_BEAM, &muzzle->inner_pending, out);
        muzzle->inner_pending = (struct pulse){0};
    }
    if (now_us >= outer_alone_at_us(muzzle)) {
        emit_alone(SENSOR_CANNON_BEAM2, &muzzle->outer_pending, out);
        muzzle->outer_pending = (struct pulse){0};
    }
}

/* Whether a pulse that is not a glitch has just ended; passed: it is short enough for a ball. */
static bool has_left(struct beam *beam, uint64_t now_us, uint64_t min_us, bool *passed)
{
    bool was_broken = beam->state != BEAM_CLEAR;

    *passed = beam_tick(beam, now_us, min_us);
    return was_broken && beam->state == BEAM_CLEAR && beam->broken_us >= min_us;
}

void muzzle_tick(struct muzzle *muzzle, uint64_t now_us, const struct muzzle_settings *settings,
                 struct fact_list *out)
{
    bool passed;

    if (has_left(&muzzle->inner, now_us, settings->min_us, &passed)) {
        judge_inner(muzzle, passed, settings, out);
    }
    count_alone(&muzzle->inner_alone, passed);
    if (has_left(&muzzle->outer, now_us, settings->min_us, &passed)) {
        muzzle->left = muzzle->outer.pulse;
    }
    if (passed && settings->two_beams && (settings->inner_faulty || !settings->outer_faulty)) {
        judge_outer(muzzle, settings, out);
    }
    count_alone(&muzzle->outer_alone, passed);
    beam_emit_blocked(&muzzle->inner, now_us, SENSOR_CANNON_BEAM, out);
    beam_emit_blocked(&muzzle->outer, now_us, SENSOR_CANNON_BEAM2, out);
    judge_pending(muzzle, now_us, out);
}
