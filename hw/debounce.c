/*
 *  line     ______#_##_#############################_#_##____________________
 *                 |         |<-- quiet -->|         |       |<-- quiet -->|
 *               began     last         stable 1   began   last         stable 0
 *
 *  A blip that ends before the line has been quiet at the other level changes nothing:
 *
 *  line     ______#_#________________________
 *                 |  |<-- quiet -->|  stable 0
 */
#include "debounce.h"

#include "hw/fact.h"

void debounce_edge(struct debounce *contact, uint64_t at_us, bool level)
{
    if (at_us < contact->last_us) {
        at_us = contact->last_us;
    }
    if (!contact->bouncing) {
        if (level == contact->level) {
            return;
        }
        contact->bouncing = true;
        contact->began_us = at_us;
        contact->bounces = 0;
    } else {
        contact->bounces++;
    }
    contact->level = level;
    contact->last_us = at_us;
}

uint64_t debounce_deadline_us(const struct debounce *contact, uint64_t quiet_us)
{
    return contact->bouncing ? contact->last_us + quiet_us : NEVER_US;
}

bool debounce_tick(struct debounce *contact, uint64_t now_us, uint64_t quiet_us)
{
    if (now_us < debounce_deadline_us(contact, quiet_us)) {
        return false;
    }
    contact->bouncing = false;
    if (contact->stable == contact->level) {
        return false;
    }
    contact->stable = contact->level;
    return true;
}
