/*
 *  line     _____##########________________    a pulse that is over before its level was read:
 *  events        0         0                   both events seem to tell the same
 *  told     _____##########________________
 *
 *  line     _____###___###___###___#########   events in between were dropped: the next one tells
 *  events        1               1   r         what was told already, and r, the reading, sets it
 *  told     _____################____#######   right
 */
#include "heal.h"

bool heal_event(struct heal *heal, uint64_t at_us, bool level)
{
    if (at_us <= heal->read_us) {
        return false;
    }
    /* An edge it was, and if it went to where the line was already, one is missing. */
    heal->doubtful = level == heal->level;
    heal->level = !heal->level;
    return true;
}

bool heal_reading(struct heal *heal, uint64_t at_us, bool level)
{
    bool is_edge = level != heal->level;

    heal->read_us = at_us;
    heal->level = level;
    heal->doubtful = false;
    return is_edge;
}
