/*
 *  One beam: a pulse (see beam.c) is a ball.
 *
 *  Two beams: the gap over the time between them is the ball's speed. The ball is longer than the
 *  gap, or shorter, so the pulses may overlap or not.
 *
 *  inner    ____##########______________           ______________##########____
 *               |<- dt ->|
 *  outer    _____________##########_____           ____##########______________
 *                        |         |<- min ->|         (a ball is put in: nothing)
 *                      at_us             BALL_LEFT
 *
 *  S2: a ball that only one of the two beams sees has left, too. Until the other beam can no longer
 *  see it the pulse waits, and whatever else happens on the table waits with it (filters.c), since
 *  it may be the ball's work. W is BEAM_LONG_US:
 *
 *  inner    ____####________________________       _________________________________
 *               |<-------- W -------->|
 *  outer    ___________________________#____       ____####_________________________
 *             at_us            BALL_LEFT,            at_us |<-------- W -------->|
 *                              beams = 1                                  BALL_LEFT, beams = 1
 *
 *  A pulse still going on in the other beam at that time is waited for. Alone, a pulse of more than
 *  MUZZLE_BALL_US is no ball. The inner beam broken while the outer one is, or within W after it,
 * is a ball that is put in. A second pulse on the same beam while the first one waits is the same
 *  ball.
 *
 *  Two beams of which one is faulty: the other one decides at once.
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

/* Whether something that began after after_us, and until until_us, is still in the beam. */
static bool is_passing(const struct beam *beam, uint64_t after_us, uint64_t until_us)
{
    return beam->state != BEAM_CLEAR && !beam->blocked && beam->pulse.began_us > after_us &&
           beam->pulse.began_us <= until_us;
}

/*
 * When a pulse that waits has been seen by one beam only. NEVER_US: nothing waits, or the other
 * beam, which has a deadline of its own, decides.
 */
static uint64_t alone_at_us(const struct pulse *waiting, uint64_t until_us,
                            const struct beam *other)
{
    bool is_open = waiting->width_us && !is_passing(other, waiting->began_us, until_us);

    return is_open ? until_us + 1 : NEVER_US;
}

static uint64_t inner_alone_at_us(const struct muzzle *muzzle)
{
    return alone_at_us(&muzzle->inner_waiting, muzzle->inner_waiting.began_us + BEAM_LONG_US,
                       &muzzle->outer);
}

static uint64_t outer_alone_at_us(const struct muzzle *muzzle)
{
    return alone_at_us(&muzzle->outer_waiting, end_us(&muzzle->outer_waiting) + BEAM_LONG_US,
                       &muzzle->inner);
}

bool muzzle_is_waiting(const struct muzzle *muzzle)
{
    return muzzle->inner_waiting.width_us || muzzle->outer_waiting.width_us;
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

static struct fact *tell(enum sensor sensor, const struct pulse *pulse, struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, FACT_BALL_LEFT, sensor, pulse->began_us);

    fact->evidence.width_us = (uint32_t)pulse->width_us;
    fact->evidence.bounces = pulse->bounces;
    return fact;
}

static void tell_alone(enum sensor sensor, const struct pulse *pulse, struct fact_list *out)
{
    if (pulse->width_us <= MUZZLE_BALL_US) {
        tell(sensor, pulse, out)->evidence.beams = 1;
    }
}

static void tell_passage(const struct pulse *pulse, uint64_t gap_um, uint64_t gap_us,
                         struct fact_list *out)
{
    uint64_t speed_mmps = 1000 * gap_um / gap_us;

    tell(SENSOR_CANNON_BEAM2, pulse, out)->speed_mmps =
        speed_mmps < UINT32_MAX ? (uint32_t)speed_mmps : UINT32_MAX;
}

static void wait_for_other_beam(struct pulse *waiting, const struct pulse *pulse)
{
    if (!waiting->width_us && pulse->width_us <= MUZZLE_BALL_US) {
        *waiting = *pulse;
    }
}

/* S2: the outer beam was broken first, and still is or was a moment ago. */
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
            tell(SENSOR_CANNON_BEAM, pulse, out);
        }
    } else if (settings->outer_ill) {
        if (passed) {
            muzzle->counted_us = pulse->began_us; /* the outer beam may wake up for it */
            tell_alone(SENSOR_CANNON_BEAM, pulse, out);
        }
    } else if (settings->inner_ill) {
        return; /* the outer beam decides */
    } else if (is_loading(muzzle, pulse->began_us)) {
        muzzle->outer_waiting = (struct pulse){0};
    } else if (passed && pulse->began_us != muzzle->counted_us) {
        wait_for_other_beam(&muzzle->inner_waiting, pulse);
    }
}

/* The inner beam may be broken still, or again; a pulse that began after the outer one is not it.
 */
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
        return; /* the ball that was told already */
    }
    if (settings->inner_ill) {
        tell_alone(SENSOR_CANNON_BEAM2, pulse, out);
    } else if (!came_through) {
        wait_for_other_beam(&muzzle->outer_waiting, pulse);
    } else {
        muzzle->counted_us = entered_us;
        muzzle->inner_waiting = (struct pulse){0};
        tell_passage(pulse, settings->gap_um, pulse->began_us - entered_us, out);
    }
}

static void judge_waiting(struct muzzle *muzzle, uint64_t now_us, struct fact_list *out)
{
    if (now_us >= inner_alone_at_us(muzzle)) {
        muzzle->counted_us = muzzle->inner_waiting.began_us;
        tell_alone(SENSOR_CANNON_BEAM, &muzzle->inner_waiting, out);
        muzzle->inner_waiting = (struct pulse){0};
    }
    if (now_us >= outer_alone_at_us(muzzle)) {
        tell_alone(SENSOR_CANNON_BEAM2, &muzzle->outer_waiting, out);
        muzzle->outer_waiting = (struct pulse){0};
    }
}

/* Whether something has just left the beam that was no glitch; passed: it may be a ball. */
static bool has_left(struct beam *beam, uint64_t now_us, uint64_t min_us, bool *passed)
{
    bool was_broken = beam->state != BEAM_CLEAR;

    *passed = beam_tick(beam, now_us, min_us);
    return was_broken && beam->state == BEAM_CLEAR && beam->dark_us >= min_us;
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
    if (passed && settings->two_beams && (settings->inner_ill || !settings->outer_ill)) {
        judge_outer(muzzle, settings, out);
    }
    count_alone(&muzzle->outer_alone, passed);
    beam_tell_blocked(&muzzle->inner, now_us, SENSOR_CANNON_BEAM, out);
    beam_tell_blocked(&muzzle->outer, now_us, SENSOR_CANNON_BEAM2, out);
    judge_waiting(muzzle, now_us, out);
}
