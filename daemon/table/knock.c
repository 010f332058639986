#include "knock.h"

#include <stddef.h>

enum { KNOCK_US = 400000 }; /* falls within this time belong together */

void knock_add(struct knock *knock, const struct fact *fact, uint64_t now_us, uint64_t patience_us,
               uint64_t least_us)
{
    uint64_t due_us = now_us + (least_us > KNOCK_US ? least_us : KNOCK_US);

    if (!knock->due_us) {
        knock->limit_us = due_us + patience_us;
    }
    if ((fact->pieces & ~knock->pieces) && patience_us > least_us) {
        due_us = now_us + patience_us;
    }
    if (due_us > knock->due_us) {
        knock->due_us = due_us < knock->limit_us ? due_us : knock->limit_us;
    }
    knock->pieces |= bit(fact->piece);
    knock->fallen[fact->piece] = *fact;
}

void knock_remove(struct knock *knock, uint32_t pieces)
{
    knock->pieces &= ~pieces;
    knock->due_us = knock->pieces ? knock->due_us : 0;
}

void knock_join(struct knock *knock, const struct knock *other)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (other->pieces & bit(piece)) {
            knock->fallen[piece] = other->fallen[piece];
        }
    }
    knock->pieces |= other->pieces;
    knock->due_us = other->due_us > knock->due_us ? other->due_us : knock->due_us;
    knock->limit_us = other->limit_us > knock->limit_us ? other->limit_us : knock->limit_us;
}

const struct fact *knock_first(const struct knock *knock)
{
    const struct fact *first = NULL;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        const struct fact *fact = &knock->fallen[piece];
        if ((knock->pieces & bit(piece)) && (!first || fact->at_us < first->at_us)) {
            first = fact;
        }
    }
    return first;
}
