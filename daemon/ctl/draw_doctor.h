/* The sensors of a table with advice, drawn. Reads no clock and writes nowhere else. */
#ifndef CTL_DRAW_DOCTOR_H
#define CTL_DRAW_DOCTOR_H

#include "diagnosis.h"

#include <curses.h>

struct link; /* live.h */

/* What is shown. */
struct doctor_data {
    const struct sensor_view *view;
    const struct config *config;
    const struct link *link;
    int64_t now_ms; /* UTC, for ages */
    bool has_keys;  /* q quits */
};

/*
 * Draws on an empty window, to its edges. Faulty sensors come first, and where not all sensors fit,
 * those that moved last.
 */
void draw_doctor(const struct doctor_data *data, WINDOW *window, bool utf8);

/* The rows of a window in which all sensors fit. */
unsigned draw_doctor_rows(const struct doctor_data *data, unsigned columns);

/* Whether any sensor is faulty. */
bool doctor_finds_fault(const struct doctor_data *data);

#endif
