/*
 * S7: pieces that fall together outside every shot window are one disturbance. The first fall waits
 * here for the others.
 */
#ifndef TABLE_KNOCK_H
#define TABLE_KNOCK_H

#include "hw/fact.h"

#include <stdbool.h>

/* Zeroed: no fall waits. */
struct knock {
    uint64_t due_us;                 /* 0: none waits */
    uint64_t limit_us;               /* due_us is never later, whatever else falls */
    uint32_t pieces;                 /* a set: 1 << enum piece */
    struct fact fallen[PIECE_COUNT]; /* of those */
};

/*
 * Adds a fall. patience_us is the time within which a switch that chatters is judged: pieces whose
 * switches moved at the same time (fact->pieces) are waited for that long. Every fall waits for
 * least_us at least.
 */
void knock_add(struct knock *knock, const struct fact *fact, uint64_t now_us, uint64_t patience_us,
               uint64_t least_us);

/* These pieces (a set) stand again and have only rocked, or are recorded. */
void knock_remove(struct knock *knock, uint32_t pieces);

/* Adds the falls of another one, none of which is in this one. */
void knock_join(struct knock *knock, const struct knock *other);

/* The fall that began first, or NULL: the evidence of the disturbance. */
const struct fact *knock_first(const struct knock *knock);

#endif
