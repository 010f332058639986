/*
 * A table's filters with lines that are drawn: `_` is inactive and `#` active, one character a
 * unit of time. What comes out is compared whole, as text, one fact a line.
 */
#ifndef TESTS_HW_RIG_H
#define TESTS_HW_RIG_H

#include "hw/filters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    RIG_EDGES_MAX = 20000,
    RIG_TEXT_SIZE = 1 << 17,
    MS = 1000, /* microseconds */
    SECOND = 1000 * MS,
};

struct rig {
    struct filter_settings settings;
    struct filters filters;
    struct sensor_names names;
    struct edge edges[RIG_EDGES_MAX];
    size_t edge_count;
    bool hears_sensed; /* readings for the sensor topic are written down as well */
    struct fact_list facts;
    char text[RIG_TEXT_SIZE];
    size_t text_length;
};

/* cmocka's setup and teardown: the contract's default timing, 20 counts a knot, button `end`. */
int rig_setup(void **state);
int rig_teardown(void **state);

/* Begins again with these settings, and with nothing drawn. */
void rig_restart(struct rig *rig, const struct filter_settings *settings);

/* Adds the edges of a drawing that begins at at_us; before it the line is inactive. */
void rig_draw(struct rig *rig, const char *sensor, uint64_t at_us, uint32_t unit_us,
              const char *drawing);
void rig_edge(struct rig *rig, const char *sensor, uint64_t at_us, bool level);

/* Everything drawn goes through the filters as one sorted batch, then time until then. */
void rig_run(struct rig *rig, uint64_t until_us);

/* Writes down the facts that the filters gave, and forgets them. */
void rig_note(struct rig *rig);

/* The facts since the last expectation are these lines and no others. */
void rig_expect(struct rig *rig, const char *lines);

#endif
