/*
 * All filters of a table together: edges and the passing of time in, facts out. Pure: no clock, no
 * I/O, no allocation; the same edges give the same facts, one by one or many at a time.
 */
#ifndef HW_FILTERS_H
#define HW_FILTERS_H

#include "beam.h"
#include "button.h"
#include "hw/settings.h"
#include "muzzle.h"
#include "rope.h"
#include "tilt.h"
#include "watch.h"

#include <stddef.h>

/* More than happens on a table in half a second; what is beyond it goes on out of order. */
enum { FACTS_HELD_BY_BALL = 64 };

struct filters {
    struct filter_settings settings;
    uint64_t due_us[SENSOR_COUNT]; /* the next deadline of what listens to the sensor; of
                                      SENSOR_NONE: when the look at all pieces is over */
    uint32_t asked;                /* pieces that are looked at; a set: 1 << enum piece */
    struct watch watches[SENSOR_COUNT];
    struct muzzle muzzle;
    struct rope rope;
    struct rope_button rope_button;
    struct tilt tilts[PIECE_COUNT];
    struct beam targets[PIECE_COUNT];
    struct settle docks[HARBOUR_COUNT];
    struct settle buttons[BUTTONS_MAX];
    struct fact held[FACTS_HELD_BY_BALL]; /* until it is known whether a ball left before them */
    unsigned held_count;
};

/* Every line inactive, every sensor healthy. */
void filters_init(struct filters *filters, const struct filter_settings *settings);

/* Other settings from here on; what is going on is judged by them. */
void filters_apply(struct filters *filters, const struct filter_settings *settings);

/*
 * How do these pieces stand (a set: 1 << enum piece)? Answered with LOOKED when every switch must
 * have come to rest or to a judgement, and every beam that is broken now is known to be blocked.
 */
void filters_look(struct filters *filters, uint32_t pieces, uint64_t now_us);

/*
 * Does what is due until the edge, then the edge. An edge of no sensor is ignored. The list must be
 * empty, or nearly, at each call: see fact_list.h.
 */
void filters_edge(struct filters *filters, const struct edge *edge, struct fact_list *out);

/* Does everything that is due until now, in the order in which it became due. */
void filters_tick(struct filters *filters, uint64_t now_us, struct fact_list *out);

/* When filters_tick is to be called next, NEVER_US if only an edge can change anything. */
uint64_t filters_next_deadline_us(const struct filters *filters);

/* The rope is measured from here; answered with a ROPE_AT of 0. */
void filters_zero_rope(struct filters *filters, uint64_t now_us, struct fact_list *out);

/*
 * A complaint about a sensor from outside: its facts came faster than anybody could take them, or
 * somebody knows that it has missed what it should have seen.
 */
void filters_complain(struct filters *filters, unsigned sensor, enum health health, uint64_t at_us,
                      struct fact_list *out);

/* A backend tells more of a sensor's line than its edges. */
void filters_line_news(struct filters *filters, const struct line_news *news, uint64_t at_us,
                       struct fact_list *out);

/* By time; edges of the same time stay in their order. Lines that are read one after the other
 * deliver their edges out of order. */
void edges_sort(struct edge *edges, size_t count);

#endif
