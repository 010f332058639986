#include "rig.h"

#include "rules/text.h"

#include <stdlib.h>
#include <string.h>

static const struct filter_settings usual = {
    .tilt_settle_ms = 150,
    .beam_min_us = 200,
    .button_ms = 30,
    .stuck_s = 30,
    .beam_gap_um = 20000,
    .counts_per_knot = 20,
};

int rig_setup(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);

    if (!rig) {
        return -1;
    }
    rig->hidden[FACT_SENSED] = true;
    rig_restart(rig, &usual);
    *state = rig;
    return 0;
}

int rig_teardown(void **state)
{
    free(*state);
    return 0;
}

void rig_restart(struct rig *rig, const struct filter_settings *settings)
{
    static const struct button_names buttons = {.name = {"end"}, .count = 1};

    rig->settings = *settings;
    filters_init(&rig->filters, settings);
    sensor_names_init(&rig->names, &buttons);
    rig->edge_count = 0;
    rig->text_length = 0;
    rig->text[0] = '\0';
}

void rig_edge(struct rig *rig, const char *sensor, uint64_t at_us, bool level)
{
    unsigned number = sensor_named(&rig->names, sensor);

    assert_int_not_equal(number, SENSOR_NONE);
    assert_true(rig->edge_count < RIG_EDGES_MAX);
    rig->edges[rig->edge_count++] =
        (struct edge){.at_us = at_us, .sensor = (uint16_t)number, .level = level};
}

void rig_draw(struct rig *rig, const char *sensor, uint64_t at_us, uint32_t unit_us,
              const char *drawing)
{
    char before = '_';

    for (; *drawing; drawing++, at_us += unit_us) {
        if (*drawing != before) {
            rig_edge(rig, sensor, at_us, *drawing == '#');
        }
        before = *drawing;
    }
}

static void add_number(struct text *text, const char *key, int64_t number)
{
    if (number) {
        text_add(text, key);
        text_add_number(text, number);
    }
}

/* " KEY=red-1+blue-2" */
static void add_pieces(struct text *text, const char *key, uint32_t pieces)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & (UINT32_C(1) << piece)) {
            text_add(text, key);
            text_add(text, rules_piece_name((enum piece)piece));
            key = "+";
        }
    }
}

static void write_fact(const struct rig *rig, const struct fact *fact, struct text *text)
{
    text_add(text, fact_name(fact->kind));
    text_add(text, " ");
    text_add(text, fact->sensor ? sensor_name(&rig->names, fact->sensor) : "all");
    add_number(text, " at=", (int64_t)fact->at_us);
    if (fact->kind == FACT_DOCKED || fact->kind == FACT_SENSED || fact->kind == FACT_BLOCKED) {
        text_add(text, fact->level ? " level=1" : " level=0");
    }
    if (fact->kind == FACT_ROPE_AT) {
        text_add(text, " knots=");
        text_add_milli(text, fact->knots_milli);
    } else {
        add_number(text, " milli=", fact->knots_milli);
    }
    add_number(text, " pressed=", fact->pressed_counts);
    if (fact->kind == FACT_HEALTH) {
        text_add(text, " ");
        text_add(text, rules_health_name(fact->health));
    } else {
        add_number(text, " edges=", fact->edges);
        add_number(text, " pulse=", fact->pulse_us);
    }
    add_number(text, " speed=", fact->speed_mmps);
    add_number(text, " invalid=", fact->invalid);
    if (fact->kind == FACT_LOOKED) {
        add_pieces(text, " asked=", fact->pieces);
        add_pieces(text, " lying=", fact->lying);
    }
    if (fact->kind == FACT_TOPPLED || fact->kind == FACT_RAISED) {
        add_pieces(text, " moving=", fact->pieces);
    }
    add_number(text, " width=", fact->evidence.width_us);
    add_number(text, " settle=", fact->evidence.settle_us);
    add_number(text, " bounces=", fact->evidence.bounces);
    add_number(text, " beams=", fact->evidence.beams);
    text_add(text, "\n");
}

/* What holds for every fact. */
static void check_fact(const struct fact *fact)
{
    struct sensor_place place = sensor_place(fact->sensor);

    assert_int_equal(fact->evidence.sensor, fact->sensor);
    assert_int_equal(fact->evidence.at_us, fact->at_us);
    assert_int_equal(fact->piece, fact->kind == FACT_HIT || fact->kind == FACT_TOPPLED ||
                                          fact->kind == FACT_RAISED
                                      ? place.index
                                      : 0);
    assert_int_equal(fact->harbour, fact->kind == FACT_DOCKED ? place.index : 0);
    assert_int_equal(fact->button, fact->kind == FACT_PRESSED ? place.index : 0);
}

void rig_note(struct rig *rig)
{
    struct text text = text_begin(rig->text + rig->text_length, RIG_TEXT_SIZE - rig->text_length);

    for (unsigned i = 0; i < rig->facts.count; i++) {
        const struct fact *fact = &rig->facts.facts[i];
        check_fact(fact);
        if (!rig->hidden[fact->kind]) {
            write_fact(rig, fact, &text);
        }
    }
    rig->text_length += text.length;
    assert_true(rig->text_length < RIG_TEXT_SIZE);
    rig->facts.count = 0;
}

void rig_run(struct rig *rig, uint64_t until_us)
{
    size_t done = 0;

    edges_sort(rig->edges, rig->edge_count);
    for (; done < rig->edge_count && rig->edges[done].at_us <= until_us; done++) {
        filters_edge(&rig->filters, &rig->edges[done], &rig->facts);
        rig_note(rig);
    }
    rig->edge_count -= done;
    memmove(rig->edges, rig->edges + done, rig->edge_count * sizeof *rig->edges);
    filters_tick(&rig->filters, until_us, &rig->facts);
    rig_note(rig);
    assert_true(filters_next_deadline_us(&rig->filters) > until_us);
}

void rig_expect(struct rig *rig, const char *lines)
{
    assert_string_equal(rig->text, lines);
    rig->text_length = 0;
    rig->text[0] = '\0';
}
