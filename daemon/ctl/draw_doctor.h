/* The sensors of a table with advice, drawn. Reads no clock and writes nowhere else. */
#ifndef CTL_DRAW_DOCTOR_H
#define CTL_DRAW_DOCTOR_H

#include "diagnosis.h"

#include <curses.h>

struct link; /* live.h */

/* What there is to show, and when. */
struct round {
    const struct sensor_view *view;
    const struct config *config;
    const struct link *link;
    int64_t now_ms; /* UTC */
    bool has_keys;  /* q quits */
};

/*
 * Draws on an empty window, to its edges. Faulty sensors come first, and where not all sensors fit,
 * those that moved last.
 */
void draw_doctor(const struct round *round, WINDOW *window, bool utf8);

/* The rows of a window in which all sensors fit. */
unsigned draw_doctor_rows(const struct round *round, unsigned columns);

/* Whether any sensor is faulty. */
bool doctor_finds_illness(const struct round *round);

#endif
