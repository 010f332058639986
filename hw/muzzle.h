/* The cannon's muzzle, with one beam or two: whether the ball has left the barrel. Pure. */
#ifndef HW_MUZZLE_H
#define HW_MUZZLE_H

#include "beam.h"

enum {
    MUZZLE_ALONE_MAX = 3,    /* pulses of one beam without an edge of the other: that is silent */
    MUZZLE_BALL_US = 100000, /* a longer pulse that only one of two beams detects is not a ball */
    MUZZLE_SPEED_MAX_MMPS = 50000, /* ten times that of a toy cannon: no ball is faster */
};

struct muzzle_settings {
    uint64_t min_us;
    uint32_t gap_um; /* between the beams; 0: they do not measure the speed */
    bool two_beams;
    bool inner_faulty; /* with two beams: the other one decides alone */
    bool outer_faulty;
};

/* Zeroed: both beams clear. */
struct muzzle {
    struct beam inner;          /* cannon.beam, the one nearer to the barrel */
    struct beam outer;          /* cannon.beam2 */
    uint64_t entered_us;        /* when the last pulse of the inner beam began */
    uint64_t counted_us;        /* entered_us of the ball that was emitted last */
    struct pulse left;          /* the last pulse of the outer beam */
    struct pulse inner_pending; /* detected by one beam so far; width_us 0: none */
    struct pulse outer_pending;
    uint8_t inner_alone; /* pulses of one beam since the last edge of the other */
    uint8_t outer_alone;
};

/* sensor is SENSOR_CANNON_BEAM or SENSOR_CANNON_BEAM2. */
void muzzle_edge(struct muzzle *muzzle, unsigned sensor, uint64_t at_us, bool level);

uint64_t muzzle_deadline_us(const struct muzzle *muzzle, uint64_t min_us);

/* Adds BALL_LEFT when a ball has left, and BLOCKED of either beam. */
void muzzle_tick(struct muzzle *muzzle, uint64_t now_us, const struct muzzle_settings *settings,
                 struct fact_list *out);

/* Whether it is not decided yet if a ball has left; it is at the deadline. */
bool muzzle_is_pending(const struct muzzle *muzzle);

/* The beam without edges while the other one has MUZZLE_ALONE_MAX pulses, or SENSOR_NONE. */
unsigned muzzle_silent_beam(const struct muzzle *muzzle, const struct muzzle_settings *settings);

#endif
