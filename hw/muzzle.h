/* The cannon's muzzle, with one beam or two: whether the ball has left the barrel. Pure. */
#ifndef HW_MUZZLE_H
#define HW_MUZZLE_H

#include "beam.h"

/* So often one beam is passed before the other, of which nothing was heard, counts as silent. */
enum {
    MUZZLE_ALONE_MAX = 3,
    MUZZLE_BALL_US = 100000, /* what only one of two beams sees for longer is no ball */
};

struct muzzle_settings {
    uint64_t min_us;
    uint32_t gap_um; /* between the beams */
    bool two_beams;
    bool inner_ill; /* with two beams: it is faulty, and the other one decides alone */
    bool outer_ill;
};

/* Zeroed: both beams clear. */
struct muzzle {
    struct beam inner;          /* cannon.beam, the one nearer to the barrel */
    struct beam outer;          /* cannon.beam2 */
    uint64_t entered_us;        /* when something last broke the inner beam that was no glitch */
    uint64_t counted_us;        /* entered_us of the ball that was told last */
    struct pulse left;          /* the last one of the outer beam that was no glitch */
    struct pulse inner_waiting; /* seen by one beam only so far; width_us 0: none */
    struct pulse outer_waiting;
    uint8_t inner_alone; /* passages of one beam since the other had an edge */
    uint8_t outer_alone;
};

/* Something breaks one of the beams, or leaves it; sensor is the beam's. */
void muzzle_edge(struct muzzle *muzzle, unsigned sensor, uint64_t at_us, bool level);

uint64_t muzzle_deadline_us(const struct muzzle *muzzle, uint64_t min_us);

/* Adds BALL_LEFT when the ball is out, and BLOCKED of either beam. */
void muzzle_tick(struct muzzle *muzzle, uint64_t now_us, const struct muzzle_settings *settings,
                 struct fact_list *out);

/* Whether a ball may have left that has not been told yet; decided at the deadline. */
bool muzzle_is_waiting(const struct muzzle *muzzle);

/* The beam that says nothing while things pass the other one again and again, or SENSOR_NONE. */
unsigned muzzle_silent_beam(const struct muzzle *muzzle, const struct muzzle_settings *settings);

#endif
