/*
 *  line     ___#_____________#_#######_########_______________________##______________
 *              |             |                 |<- min ->|            |
 *           glitch        at_us              clear    pulse ends   ignored: BEAM_REFRACTORY_US
 *                            |<---- width ---->|
 *
 *  The beam may be clear for less than `min` within a pulse: the rim of a ball is not sharp. The
 *  time in which the beam is broken must reach `min`, not the width; otherwise a burst of
 *  interference would count as a ball. A beam broken for more than BEAM_LONG_US is blocked:
 *
 *  line     ____###############################################____________
 *               |<----- BEAM_LONG_US ----->|                   |<- min ->|
 *                                      BLOCKED 1                     BLOCKED 0
 */
#include "beam.h"

void beam_edge(struct beam *beam, uint64_t at_us, bool level)
{
    if (at_us < beam->changed_us) {
        at_us = beam->changed_us;
    }
    if (level && beam->state == BEAM_CLEAR) {
        beam->pulse = (struct pulse){.began_us = at_us};
        beam->broken_us = 0;
        beam->state = BEAM_BROKEN;
    } else if (level && beam->state == BEAM_CLEARING) {
        beam->pulse.bounces++;
        beam->state = BEAM_BROKEN;
    } else if (!level && beam->state == BEAM_BROKEN) {
        beam->broken_us += at_us - beam->changed_us;
        beam->pulse.width_us = at_us - beam->pulse.began_us;
        beam->state = BEAM_CLEARING;
    } else {
        return;
    }
    beam->changed_us = at_us;
}

static uint64_t blocked_at_us(const struct beam *beam)
{
    return beam->pulse.began_us + BEAM_LONG_US + 1;
}

uint64_t beam_deadline_us(const struct beam *beam, uint64_t min_us)
{
    uint64_t deadline_us = beam->state == BEAM_CLEARING ? beam->changed_us + min_us : NEVER_US;
    bool may_be_blocked = beam->state == BEAM_BROKEN && !beam->blocked;

    return may_be_blocked && blocked_at_us(beam) < deadline_us ? blocked_at_us(beam) : deadline_us;
}

bool beam_tick(struct beam *beam, uint64_t now_us, uint64_t min_us)
{
    if (beam->state != BEAM_CLEARING || now_us < beam->changed_us + min_us) {
        return false;
    }
    beam->state = BEAM_CLEAR;
    if (beam->broken_us < min_us || beam->pulse.width_us > BEAM_LONG_US ||
        beam->pulse.began_us < beam->ignore_until_us) {
        return false;
    }
    beam->ignore_until_us = beam->changed_us + BEAM_REFRACTORY_US;
    return true;
}

void beam_emit_blocked(struct beam *beam, uint64_t now_us, unsigned sensor, struct fact_list *out)
{
    bool begins = beam->state == BEAM_BROKEN && now_us >= blocked_at_us(beam);
    bool ends = beam->state == BEAM_CLEAR;

    if (beam->blocked ? ends : begins) {
        beam->blocked = begins;
        fact_list_add(out, FACT_BLOCKED, sensor, now_us)->level = begins;
    }
}

void target_tick(struct beam *beam, uint64_t now_us, uint64_t min_us, enum piece piece,
                 struct fact_list *out)
{
    bool passed = beam_tick(beam, now_us, min_us);

    beam_emit_blocked(beam, now_us, SENSOR_BEAM + piece, out);
    if (!passed) {
        return;
    }
    struct fact *fact = fact_list_add(out, FACT_HIT, SENSOR_BEAM + piece, beam->pulse.began_us);
    fact->piece = piece;
    fact->evidence.width_us = (uint32_t)beam->pulse.width_us;
    fact->evidence.bounces = beam->pulse.bounces;
}
