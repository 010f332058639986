/* The rope's encoder, 20 counts a knot. */
#include "rig.h"

/* The lines a and b after so many counts from 00: 10, 11, 01, 00. */
static unsigned lines_at(int64_t counts)
{
    static const unsigned lines[4] = {0, 2, 3, 1};

    return lines[counts & 3];
}

/* Turns the encoder from one count to another, an edge every step_us. */
static uint64_t turn(struct rig *rig, int64_t from, int64_t to, uint64_t at_us, uint32_t step_us)
{
    while (from != to) {
        int64_t next = from < to ? from + 1 : from - 1;
        unsigned changed = lines_at(from) ^ lines_at(next);
        rig_edge(rig, changed == 2 ? "rope.a" : "rope.b", at_us, lines_at(next) & changed);
        from = next;
        at_us += step_us;
    }
    return at_us;
}

static void pulling_counts_knots(void **state)
{
    struct rig *rig = *state;

    turn(rig, 0, 40, SECOND, 100);
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1003900 knots=2\n");
}

static void a_drawn_cycle_is_four_counts(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "rope.a", SECOND, 100, "_##__");
    rig_draw(rig, "rope.b", SECOND, 100, "__##_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000100 knots=0.05\n"
                    "rope-at rope.a at=1000400 knots=0.2\n");
}

static void readings_come_twenty_times_a_second_and_the_last_one_always(void **state)
{
    struct rig *rig = *state;

    turn(rig, 0, 20, SECOND, 10 * MS);
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1040000 knots=0.25\n"
                    "rope-at rope.a at=1090000 knots=0.5\n"
                    "rope-at rope.a at=1140000 knots=0.75\n"
                    "rope-at rope.a at=1190000 knots=1\n");
}

static void winding_back_goes_back_and_below_zero(void **state)
{
    struct rig *rig = *state;

    uint64_t at_us = turn(rig, 0, 30, SECOND, 100);
    turn(rig, 30, -10, at_us, 100);
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1006900 knots=-0.5\n");
}

static void reverse_turns_the_direction(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.rope_reverse = true;
    rig_restart(rig, &settings);
    turn(rig, 0, -20, SECOND, 100);
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1001900 knots=1\n");
}

static void zero_is_answered_and_measured_from(void **state)
{
    struct rig *rig = *state;

    turn(rig, 0, 20, SECOND, 100);
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1001900 knots=1\n");
    filters_zero_rope(&rig->filters, 3 * SECOND, &rig->facts);
    rig_note(rig);
    rig_expect(rig, "rope-at rope.a at=3000000 knots=0\n");
    turn(rig, 20, 50, 4 * SECOND, 100);
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "rope-at rope.a at=4000000 knots=0.05\n"
                    "rope-at rope.a at=4002900 knots=1.5\n");
}

static void a_thousand_knots_forth_and_back_end_at_zero(void **state)
{
    struct rig *rig = *state;
    uint64_t at_us = SECOND;

    for (int knot = 0; knot < 2000; knot++) {
        int64_t from = knot < 1000 ? knot * 20 : (2000 - knot) * 20;
        at_us = turn(rig, from, knot < 1000 ? from + 20 : from - 20, at_us, 53);
        rig_run(rig, at_us);
        rig->text_length = 0; /* what was read on the way does not matter */
    }
    rig_run(rig, at_us + SECOND);
    rig_expect(rig, "rope-at rope.a at=3119947 knots=0\n");
    assert_int_equal(rig->filters.rope.counts, 0);
    assert_int_equal(rig->filters.rope.impossible, 0);
}

static void bouncing_contacts_count_one_forth_and_one_back(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "rope.a", SECOND, 10, "#_#_#####################_#_____________");
    rig_draw(rig, "rope.b", SECOND, 10, "__________#_#_####################_#____");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1000360 knots=0.2\n");
}

static void edges_of_two_lines_in_one_batch_may_come_line_by_line(void **state)
{
    struct rig *rig = *state;

    for (unsigned cycle = 0; cycle < 5; cycle++) {
        rig_draw(rig, "rope.b", SECOND + cycle * 400, 100, "_##__");
    }
    for (unsigned cycle = 0; cycle < 5; cycle++) {
        rig_draw(rig, "rope.a", SECOND + cycle * 400, 100, "##__");
    }
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1001900 knots=1\n");
}

static void lost_edges_are_impossible_and_make_the_encoder_a_suspect(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < 4; i++) {
        rig_edge(rig, "rope.b", SECOND + i * MS, false);
    }
    rig_run(rig, SECOND + 3 * MS);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0 invalid=1\n"
                    "health rope.b at=1003000 impossible\n");
    rig_run(rig, 10 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1003000 knots=0 invalid=4\n"
                    "health rope.b at=6003000 ok\n");
}

static void both_lines_at_the_same_time_move_nothing(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "rope.a", SECOND, true);
    rig_edge(rig, "rope.b", SECOND, true);
    rig_run(rig, 2 * SECOND);
    assert_int_equal(rig->filters.rope.counts, 0);
    assert_int_equal(rig->filters.rope.impossible, 1);
    turn(rig, 2, 6, 3 * SECOND, 100);
    rig_run(rig, 4 * SECOND);
    assert_int_equal(rig->filters.rope.counts, 4);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(pulling_counts_knots),
        CASE(a_drawn_cycle_is_four_counts),
        CASE(readings_come_twenty_times_a_second_and_the_last_one_always),
        CASE(winding_back_goes_back_and_below_zero),
        CASE(reverse_turns_the_direction),
        CASE(zero_is_answered_and_measured_from),
        CASE(a_thousand_knots_forth_and_back_end_at_zero),
        CASE(bouncing_contacts_count_one_forth_and_one_back),
        CASE(edges_of_two_lines_in_one_batch_may_come_line_by_line),
        CASE(lost_edges_are_impossible_and_make_the_encoder_a_suspect),
        CASE(both_lines_at_the_same_time_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
