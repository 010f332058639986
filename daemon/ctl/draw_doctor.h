/* The sensors of a table with what to do about them, drawn. Reads no clock and writes nowhere. */
#ifndef DAEMON_CTL_DRAW_DOCTOR_H
#define DAEMON_CTL_DRAW_DOCTOR_H

#include "diagnosis.h"
#include "draw.h"

/* What there is to examine, and when. */
struct round {
    const struct sensor_view *view;
    const struct config *config;
    const struct link *link;
    int64_t now_ms; /* UTC */
};

/*
 * As a string of its own, to be freed with free(); NULL when memory ran out. The ill come first,
 * and where not all sensors fit, those that moved last. With screen->rows 0 all of them are drawn.
 */
char *draw_doctor(const struct round *round, const struct screen *screen);

/* Whether any sensor is ill. */
bool doctor_finds_illness(const struct round *round);

#endif
