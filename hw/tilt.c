/*
 *  A ball switch rattles for tens of milliseconds, and a piece that is bumped rocks:
 *
 *  line     ____#_#__##_###########################          ____#_##_#_______________________
 *               |       |<---- settle time ---->|                |    |<---- settle time ---->|
 *             at_us                          TOPPLED          (a wobble)                  nothing
 *
 *  One that never comes to rest is judged by the level it had for most of the time, once; after
 *  that it is not believed before it has been quiet again:
 *
 *  line     ____#_##_#_###_#_##_#_###_#_##_#_###_#_##_#_###_#_##_#_##########################
 *               |<-------- TILT_PATIENCE settle times -------->|     |<---- settle time ---->|
 *             at_us                                         TOPPLED, untrusted            trusted
 */
#include "tilt.h"

#include "hw/settings.h"

void tilt_edge(struct tilt *tilt, uint64_t at_us, bool level)
{
    if (!tilt->settle.restless) {
        tilt->tilted_us = 0;
    } else if (tilt->settle.level && at_us > tilt->settle.last_us) {
        tilt->tilted_us += at_us - tilt->settle.last_us;
    }
    settle_edge(&tilt->settle, at_us, level);
}

static uint64_t patience_ends_us(const struct tilt *tilt, uint64_t settle_us)
{
    return tilt->settle.began_us + TILT_PATIENCE * settle_us;
}

uint64_t tilt_deadline_us(const struct tilt *tilt, uint64_t settle_us)
{
    uint64_t quiet_at_us = settle_deadline_us(&tilt->settle, settle_us);

    if (!tilt->settle.restless || tilt->untrusted) {
        return quiet_at_us;
    }
    uint64_t enough_us = patience_ends_us(tilt, settle_us);
    return enough_us < quiet_at_us ? enough_us : quiet_at_us;
}

static void tell(const struct tilt *tilt, enum piece piece, uint64_t at_us, uint64_t watched_us,
                 struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, tilt->settle.decided ? FACT_TOPPLED : FACT_RAISED,
                                      SENSOR_TILT + piece, at_us);

    fact->piece = piece;
    fact->evidence.settle_us = (uint32_t)watched_us;
    fact->evidence.bounces = tilt->settle.bounces;
}

/*
 * The level that the switch had for most of the time until then, or until its last edge if that is
 * later: a reload may have shortened the settle time.
 */
static bool prevailing_level(const struct tilt *tilt, uint64_t until_us)
{
    uint64_t tilted_us = tilt->tilted_us;

    if (until_us < tilt->settle.last_us) {
        until_us = tilt->settle.last_us;
    }
    if (tilt->settle.level) {
        tilted_us += until_us - tilt->settle.last_us;
    }
    return 2 * tilted_us > until_us - tilt->settle.began_us;
}

void tilt_tick(struct tilt *tilt, uint64_t now_us, uint64_t settle_us, enum piece piece,
               struct fact_list *out)
{
    struct settle *settle = &tilt->settle;
    uint64_t enough_us = patience_ends_us(tilt, settle_us);

    if (settle->restless && !tilt->untrusted && now_us >= enough_us &&
        enough_us < settle_deadline_us(settle, settle_us)) {
        bool level = prevailing_level(tilt, enough_us);
        tilt->untrusted = true;
        if (level != settle->decided) {
            settle->decided = level;
            tell(tilt, piece, settle->began_us, TILT_PATIENCE * settle_us, out);
        }
    }
    if (settle_tick(settle, now_us, settle_us)) {
        tell(tilt, piece, tilt->untrusted ? settle->last_us : settle->began_us, settle_us, out);
    }
    if (!settle->restless) {
        tilt->untrusted = false;
    }
}
