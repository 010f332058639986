/*
 * The filters of a table, with drawn edges: `_` is inactive and `#` active, one character per unit
 * of time. All facts are compared as text, one fact per line.
 */
#ifndef TESTS_HW_RIG_H
#define TESTS_HW_RIG_H

#include "tests/support/test.h"

#include "hw/filters.h"

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
    bool hidden[FACT_COUNT]; /* facts that are not compared: SENSED, unless shown */
    struct fact_list facts;
    char text[RIG_TEXT_SIZE];
    size_t text_length;
};

/* cmocka's setup and teardown: the contract's default timing, 20 counts a knot, button `end`. */
int rig_setup(void **state);
int rig_teardown(void **state);

/* Starts again with these settings and without edges. */
void rig_restart(struct rig *rig, const struct filter_settings *settings);

/* Adds the edges of a drawing that begins at at_us; before it the line is inactive. */
void rig_draw(struct rig *rig, const char *sensor, uint64_t at_us, uint32_t unit_us,
              const char *drawing);
void rig_edge(struct rig *rig, const char *sensor, uint64_t at_us, bool level);

/* Filters all edges until then as one sorted batch, then lets time pass. */
void rig_run(struct rig *rig, uint64_t until_us);

/* Adds the facts that the filters have emitted to the text. */
void rig_note(struct rig *rig);

/* The facts since the last expectation are these lines and no others. */
void rig_expect(struct rig *rig, const char *lines);

#endif
