/*
 *  line     ______#_##_#############################_#_##____________________
 *                 |         |<-- quiet -->|         |       |<-- quiet -->|
 *               began     last         decided 1  began   last         decided 0
 *
 *  A blip that is over before it was quiet at the other level decides nothing:
 *
 *  line     ______#_#________________________
 *                 |  |<-- quiet -->|  still 0
 */
#include "settle.h"

#include "hw/fact.h"

void settle_edge(struct settle *settle, uint64_t at_us, bool level)
{
    if (at_us < settle->last_us) {
        at_us = settle->last_us;
    }
    if (!settle->restless) {
        if (level == settle->level) {
            return;
        }
        settle->restless = true;
        settle->began_us = at_us;
        settle->bounces = 0;
    } else {
        settle->bounces++;
    }
    settle->level = level;
    settle->last_us = at_us;
}

uint64_t settle_deadline_us(const struct settle *settle, uint64_t quiet_us)
{
    return settle->restless ? settle->last_us + quiet_us : NEVER_US;
}

bool settle_tick(struct settle *settle, uint64_t now_us, uint64_t quiet_us)
{
    if (!settle->restless || now_us < settle_deadline_us(settle, quiet_us)) {
        return false;
    }
    settle->restless = false;
    if (settle->decided == settle->level) {
        return false;
    }
    settle->decided = settle->level;
    return true;
}
