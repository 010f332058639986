/*
 *  a        ____########________########____        pulled: 00 10 11 01 00, one count each
 *  b        ________########________########        wound back: in the opposite order
 *
 *  Bouncing contacts count one forward and one back. An edge to the level that the line has
 *  already, or both lines changing at the same time, is impossible: an edge in between was lost.
 *  It is counted as impossible and moves nothing.
 *
 *  a        ____##__##__##__##__##__##__##__##__          b has no edges while a has many: silent
 *  b        ____________________________________
 *               |<-- ROPE_ALONE_MAX edges -->|  and at least ROPE_ALONE_US
 *
 *  ROPE_AT  |<- ROPE_PERIOD_US ->|<- ROPE_PERIOD_US ->|   and once more after the last edge
 */
#include "rope.h"

enum { LOST = 2, LINE_A = 2, LINE_B = 1 };

/* [levels before][levels after], levels being a and b as two bits. */
static const int8_t steps[4][4] = {
    [0] = {LOST, -1, +1, LOST},
    [1] = {+1, LOST, LOST, -1},
    [2] = {-1, LOST, LOST, +1},
    [3] = {LOST, +1, -1, LOST},
};

static int64_t min(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int64_t max(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static void count_alone(struct rope *rope, uint64_t at_us, unsigned bit)
{
    if (rope->alone_line != bit) {
        rope->alone_line = (uint8_t)bit;
        rope->alone_us = at_us;
        rope->alone = 0;
    }
    rope->alone++;
}

unsigned rope_silent_line(const struct rope *rope)
{
    if (rope->alone < ROPE_ALONE_MAX || rope->changed_us < rope->alone_us + ROPE_ALONE_US) {
        return SENSOR_NONE;
    }
    return rope->alone_line == LINE_A ? SENSOR_ROPE_B : SENSOR_ROPE_A;
}

/* Only when the next edge shows that the last one was a transition of its own. */
static void remember_ends(struct rope *rope)
{
    rope->counts_min = min(rope->counts_min, rope->counts);
    rope->counts_max = max(rope->counts_max, rope->counts);
}

bool rope_edge(struct rope *rope, uint64_t at_us, unsigned sensor, bool level)
{
    unsigned line = sensor == SENSOR_ROPE_A ? LINE_A : LINE_B;
    uint8_t lines = (uint8_t)((rope->lines & ~line) | (level ? line : 0));
    bool other_line_moved = (rope->lines ^ rope->lines_before) == (line ^ 3);

    count_alone(rope, at_us, line);
    /* Levels read again after a loss have the same time: both lines are then one transition. */
    if (at_us == rope->changed_us && other_line_moved) {
        rope->counts -= rope->step;
    } else {
        remember_ends(rope);
        rope->lines_before = rope->lines;
    }
    int8_t step = steps[rope->lines_before][lines];
    rope->step = (int8_t)(step == LOST ? 0 : step);
    rope->counts += rope->step;
    rope->lines = lines;
    rope->changed_us = at_us;
    rope->impossible += step == LOST;
    return step != LOST;
}

void rope_set_line(struct rope *rope, unsigned sensor, bool level)
{
    unsigned line = sensor == SENSOR_ROPE_A ? LINE_A : LINE_B;

    rope->lines = (uint8_t)((rope->lines & ~line) | (level ? line : 0));
    rope->lines_before = rope->lines;
    rope->step = 0;
}

void rope_zero(struct rope *rope, uint64_t now_us)
{
    rope->counts = 0;
    rope->counts_min = 0;
    rope->counts_max = 0;
    rope->step = 0;
    rope->zeroed = true;
    rope->next_emit_us = now_us;
    rope->changed_us = now_us;
}

static int32_t clamp(int64_t number)
{
    if (number > INT32_MAX) {
        return INT32_MAX;
    }
    return number < INT32_MIN ? INT32_MIN : (int32_t)number;
}

int32_t rope_counts(const struct rope *rope)
{
    return clamp(rope->counts);
}

void rope_read(const struct rope *rope, const struct rope_settings *settings, struct fact *fact)
{
    int64_t counts = settings->reverse ? max(rope->counts_max, rope->counts) - rope->counts
                                       : rope->counts - min(rope->counts_min, rope->counts);

    fact->knots_milli =
        clamp(counts * 1000 / (settings->counts_per_knot ? settings->counts_per_knot : 1));
    fact->counts = rope_counts(rope);
    fact->invalid = rope->impossible;
}

uint64_t rope_deadline_us(const struct rope *rope)
{
    bool is_new = rope->zeroed || rope->counts != rope->emitted_counts ||
                  rope->impossible != rope->emitted_impossible;

    return is_new ? rope->next_emit_us : NEVER_US;
}

void rope_tick(struct rope *rope, uint64_t now_us, const struct rope_settings *settings,
               struct fact_list *out)
{
    if (now_us < rope_deadline_us(rope)) {
        return;
    }
    rope_read(rope, settings, fact_list_add(out, FACT_ROPE_AT, SENSOR_ROPE_A, rope->changed_us));
    rope->emitted_counts = rope->counts;
    rope->emitted_impossible = rope->impossible;
    rope->zeroed = false;
    rope->next_emit_us = now_us + ROPE_PERIOD_US;
}
