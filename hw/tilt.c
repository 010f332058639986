/*
 *  A ball switch bounces for tens of milliseconds, and a piece that is bumped rocks:
 *
 *  line     ____#_#__##_###########################          ____#_##_#_______________________
 *               |       |<---- settle time ---->|                |    |<---- settle time ---->|
 *             at_us                          TOPPLED          (a wobble)                  nothing
 *
 *  A switch that keeps bouncing is decided once, by the level it had for most of the time. After
 *  that it is ignored until it has been quiet:
 *
 *  line     ____#_##_#_###_#_##_#_###_#_##_#_###_#_##_#_###_#_##_#_##########################
 *               |<-------- TILT_SETTLES_MAX settle times ----->|     |<---- settle time ---->|
 *             at_us                                   TOPPLED, chattering                   ok
 */
#include "tilt.h"

#include "hw/settings.h"

void tilt_edge(struct tilt *tilt, uint64_t at_us, bool level)
{
    if (!tilt->contact.bouncing) {
        tilt->tilted_us = 0;
    } else if (tilt->contact.level && at_us > tilt->contact.last_us) {
        tilt->tilted_us += at_us - tilt->contact.last_us;
    }
    debounce_edge(&tilt->contact, at_us, level);
}

static uint64_t bounce_limit_us(const struct tilt *tilt, uint64_t settle_us)
{
    return tilt->contact.began_us + TILT_SETTLES_MAX * settle_us;
}

uint64_t tilt_deadline_us(const struct tilt *tilt, uint64_t settle_us)
{
    uint64_t quiet_us = debounce_deadline_us(&tilt->contact, settle_us);
    uint64_t limit_us = bounce_limit_us(tilt, settle_us);

    return limit_us < quiet_us && tilt->contact.bouncing && !tilt->chattering ? limit_us : quiet_us;
}

static void emit(const struct tilt *tilt, enum piece piece, uint64_t at_us, uint64_t settle_us,
                 struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, tilt->contact.stable ? FACT_TOPPLED : FACT_RAISED,
                                      SENSOR_TILT + piece, at_us);

    fact->piece = piece;
    fact->evidence.settle_us = (uint32_t)settle_us;
    fact->evidence.bounces = tilt->contact.bounces;
}

/*
 * The level that the switch had for most of the time until then, or until its last edge if that is
 * later: a reload may have shortened the settle time.
 */
static bool prevailing_level(const struct tilt *tilt, uint64_t until_us)
{
    uint64_t tilted_us = tilt->tilted_us;

    if (until_us < tilt->contact.last_us) {
        until_us = tilt->contact.last_us;
    }
    if (tilt->contact.level) {
        tilted_us += until_us - tilt->contact.last_us;
    }
    return 2 * tilted_us > until_us - tilt->contact.began_us;
}

void tilt_tick(struct tilt *tilt, uint64_t now_us, uint64_t settle_us, enum piece piece,
               struct fact_list *out)
{
    struct debounce *contact = &tilt->contact;
    uint64_t limit_us = bounce_limit_us(tilt, settle_us);

    if (contact->bouncing && !tilt->chattering && now_us >= limit_us &&
        limit_us < debounce_deadline_us(contact, settle_us)) {
        bool level = prevailing_level(tilt, limit_us);
        tilt->chattering = true;
        if (level != contact->stable) {
            contact->stable = level;
            emit(tilt, piece, contact->began_us, TILT_SETTLES_MAX * settle_us, out);
        }
    }
    if (debounce_tick(contact, now_us, settle_us)) {
        emit(tilt, piece, tilt->chattering ? contact->last_us : contact->began_us, settle_us, out);
    }
    tilt->chattering = tilt->chattering && contact->bouncing;
}
