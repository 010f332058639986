/*
 * The rope's quadrature encoder: how many knots are pulled out since the last zero. There is no
 * absolute zero: where the rope is wound in further, the next length begins. Pure.
 */
#ifndef HW_ROPE_H
#define HW_ROPE_H

#include "hw/fact.h"

enum {
    ROPE_PERIOD_US = 50000, /* between two readings; the last one is always emitted */
    /* So many edges of one line over so long a time, and none of the other: that one is silent.
     * Bouncing contacts, and a rope that trembles at an edge, end sooner. */
    ROPE_ALONE_MAX = 32,
    ROPE_ALONE_US = 1000000,
};

struct rope_settings {
    uint32_t counts_per_knot; /* a count is one edge: four a cycle of the encoder */
    bool reverse;
};

/* Zeroed: at zero, both lines low. */
struct rope {
    int64_t counts;
    int64_t counts_min; /* from the last zero to before the last edge, as counts_max */
    int64_t counts_max;
    int64_t emitted_counts;
    uint32_t emitted_impossible;
    uint64_t changed_us; /* the last edge */
    uint64_t next_emit_us;
    uint32_t impossible;  /* transitions that no encoder makes: edges were lost */
    uint32_t alone;       /* edges of one line since the other had one */
    uint64_t alone_us;    /* the first of them */
    uint8_t alone_line;   /* the line: its bit in lines */
    uint8_t lines;        /* levels: a is bit 1, b is bit 0 */
    uint8_t lines_before; /* the last edge */
    int8_t step;          /* counts of the last edge */
    bool zeroed;          /* emit a reading even though nothing moved */
};

/* Whether the transition was possible. sensor is SENSOR_ROPE_A or SENSOR_ROPE_B. */
bool rope_edge(struct rope *rope, uint64_t at_us, unsigned sensor, bool level);

/* The level of a line is known and did not change now: the reading stays. */
void rope_set_line(struct rope *rope, unsigned sensor, bool level);

/* The line without edges while the other one has many, or SENSOR_NONE. */
unsigned rope_silent_line(const struct rope *rope);

/* Sets the reading to zero; the next tick emits it. */
void rope_zero(struct rope *rope, uint64_t now_us);

/* Since the last zero. */
int32_t rope_counts(const struct rope *rope);

/* Puts the reading into the fact: knots_milli, counts and invalid. */
void rope_read(const struct rope *rope, const struct rope_settings *settings, struct fact *fact);

uint64_t rope_deadline_us(const struct rope *rope);

/* Adds ROPE_AT when the reading or the number of lost edges has changed, once a period. */
void rope_tick(struct rope *rope, uint64_t now_us, const struct rope_settings *settings,
               struct fact_list *out);

#endif
