/* Computes the settings of the rope's encoder from pulls of a known length. Pure. */
#ifndef CTL_CALIBRATION_H
#define CTL_CALIBRATION_H

#include "rules/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CALIBRATION_ROUNDS = 3, /* out and back */
    CALIBRATION_MARKS = 2 * CALIBRATION_ROUNDS + 1,
    CALIBRATION_KNOTS_MAX = 100,
    CALIBRATION_COUNTS_MAX = 100000, /* a knot, as the configuration takes it */
    CALIBRATION_TEXT_SIZE = 1024,
};

/* The measurement: the encoder's counts at the start, out, back, out, back, ... */
struct calibration {
    unsigned knots; /* of each pull */
    int64_t counts[CALIBRATION_MARKS];
    uint32_t invalid; /* transitions meanwhile that no encoder makes */
};

/* The result. */
struct calibration_result {
    bool usable;
    uint32_t counts_per_knot;
    bool reverse;
    char report[CALIBRATION_TEXT_SIZE]; /* one sentence per line: findings and advice */
};

void calibration_judge(const struct calibration *calibration, struct calibration_result *result);

/* The result as an overlay of the configuration. */
void calibration_write(const struct calibration *calibration,
                       const struct calibration_result *result, struct text *text);

#endif
