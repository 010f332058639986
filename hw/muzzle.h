/* The cannon's muzzle, with one beam or two: whether the ball has left the barrel. Pure. */
#ifndef HW_MUZZLE_H
#define HW_MUZZLE_H

#include "beam.h"

struct muzzle_settings {
    uint64_t min_us;
    uint32_t gap_um; /* between the beams */
    bool two_beams;
};

/* Zeroed: both beams clear. */
struct muzzle {
    struct beam inner;   /* cannon.beam, the one nearer to the barrel */
    struct beam outer;   /* cannon.beam2 */
    uint64_t entered_us; /* when something last broke the inner beam that was no glitch */
    uint64_t counted_us; /* entered_us of the ball that was told last */
};

uint64_t muzzle_deadline_us(const struct muzzle *muzzle, uint64_t min_us);

/* Adds BALL_LEFT when the ball is out, and BLOCKED of either beam. Edges go to beam_edge of the one
 * beam or the other. */
void muzzle_tick(struct muzzle *muzzle, uint64_t now_us, const struct muzzle_settings *settings,
                 struct fact_list *out);

#endif
