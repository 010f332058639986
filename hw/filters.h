/*
 * All filters of a table: edges and time in, facts out. Pure: no clock, no I/O, no allocation; the
 * same edges give the same facts, one by one or many at a time.
 */
#ifndef HW_FILTERS_H
#define HW_FILTERS_H

#include "beam.h"
#include "button.h"
#include "health.h"
#include "hw/settings.h"
#include "muzzle.h"
#include "rope.h"
#include "tilt.h"

#include <stddef.h>

/* More than happens on a table in half a second; further facts overtake the ball. */
enum { FACTS_HELD_MAX = 64 };

struct filters {
    struct filter_settings settings;
    uint64_t due_us[SENSOR_COUNT]; /* the next deadline of each sensor; of SENSOR_NONE: when LOOKED
                                      is due */
    uint64_t next_us;              /* no deadline is before this time */
    uint32_t look_pieces;          /* of that LOOKED; a set: 1 << enum piece */
    struct sensor_health health[SENSOR_COUNT];
    struct muzzle muzzle;
    struct rope rope;
    struct rope_button rope_button;
    struct tilt tilts[PIECE_COUNT];
    struct beam targets[PIECE_COUNT];
    struct debounce docks[HARBOUR_COUNT];
    struct debounce buttons[BUTTONS_MAX];
    struct fact held[FACTS_HELD_MAX]; /* while it is undecided whether a ball left before them */
    unsigned held_count;
};

/* Every line inactive, every sensor ok. */
void filters_init(struct filters *filters, const struct filter_settings *settings);

/* Applies other settings, also to pulses and bounces that have begun. */
void filters_apply(struct filters *filters, const struct filter_settings *settings);

/*
 * Asks how these pieces stand (a set: 1 << enum piece). LOOKED is emitted when every tilt switch
 * must have been decided and every beam that is broken now is known to be blocked.
 */
void filters_look(struct filters *filters, uint32_t pieces, uint64_t now_us);

/*
 * Does what is due before the edge, then filters the edge, of whatever kind. An edge of no sensor
 * is ignored. EDGE_LEVEL emits no fact of the game; of a tilt switch it emits LOOKED. The list must
 * be empty, or nearly, at each call (FACT_LIST_MAX).
 */
void filters_edge(struct filters *filters, const struct edge *edge, struct fact_list *out);

/* Does everything that is due until now, in the order of the deadlines. */
void filters_tick(struct filters *filters, uint64_t now_us, struct fact_list *out);

/* When to call filters_tick next; NEVER_US if only an edge can change anything. */
uint64_t filters_next_deadline_us(const struct filters *filters);

/* Sets the rope's reading to zero; a ROPE_AT of 0 is emitted. */
void filters_zero_rope(struct filters *filters, uint64_t now_us, struct fact_list *out);

/*
 * A fault that the caller has found: the queue is full of the sensor's facts, or the sensor has
 * missed something.
 */
void filters_fault(struct filters *filters, unsigned sensor, enum health state, uint64_t at_us,
                   struct fact_list *out);

/* A backend reports the status of a sensor's line. */
void filters_line_status(struct filters *filters, const struct line_status *status, uint64_t at_us,
                         struct fact_list *out);

/* Sorts by time; edges of the same time keep their order. Backends read line by line. */
void edges_sort(struct edge *edges, size_t count);

#endif
