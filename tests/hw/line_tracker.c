/* What is told of a line whose events are not all there. */
#include "hw/line_tracker.h"

#include "rules/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TOLD_SIZE = 256 };

struct happening {
    enum { END, EVENT, READING } kind;
    uint64_t at_us;
    bool level;
};

/* What is told of these, as `TIME LEVEL` words; a `?` at the end: its level must be read. */
static void expect_told(const struct happening *happenings, const char *expected)
{
    char told[TOLD_SIZE];
    struct text text = text_begin(told, sizeof told);
    struct line_tracker tracker = {0};

    for (; happenings->kind != END; happenings++) {
        bool is_edge = happenings->kind == EVENT
                           ? line_tracker_event(&tracker, happenings->at_us, happenings->level)
                           : line_tracker_reading(&tracker, happenings->at_us, happenings->level);
        if (is_edge) {
            text_add_number(&text, (int64_t)happenings->at_us);
            text_add(&text, tracker.level ? " 1 " : " 0 ");
        }
    }
    text_add(&text, tracker.uncertain ? "?" : "");
    assert_string_equal(told, expected);
}

static void events_that_alternate_are_told_as_they_are(void **state)
{
    (void)state;
    expect_told((struct happening[]){{EVENT, 10, true}, {EVENT, 20, false}, {EVENT, 30, true}, {0}},
                "10 1 20 0 30 1 ");
}

static void a_pulse_too_short_for_its_level_to_be_read_keeps_both_its_times(void **state)
{
    (void)state;
    expect_told((struct happening[]){{EVENT, 10, false}, {EVENT, 20, false}, {0}}, "10 1 20 0 ");
}

static void an_event_without_the_one_before_it_leaves_a_doubt(void **state)
{
    (void)state;
    expect_told((struct happening[]){{EVENT, 10, true}, {EVENT, 20, true}, {0}}, "10 1 20 0 ?");
}

static void a_reading_sets_it_right(void **state)
{
    (void)state;
    expect_told(
        (struct happening[]){{EVENT, 10, true}, {EVENT, 20, true}, {READING, 25, true}, {0}},
        "10 1 20 0 25 1 ");
    expect_told((struct happening[]){{EVENT, 10, true}, {READING, 25, true}, {0}}, "10 1 ");
}

static void an_event_from_before_a_reading_is_in_it_already(void **state)
{
    (void)state;
    expect_told(
        (struct happening[]){{READING, 25, true}, {EVENT, 24, true}, {EVENT, 25, false}, {0}},
        "25 1 ");
    expect_told((struct happening[]){{READING, 25, true}, {EVENT, 26, false}, {0}}, "25 1 26 0 ");
}

static void whatever_comes_in_what_comes_out_alternates(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 1U << 12; bits++) {
        struct line_tracker tracker = {0};
        bool last = false;
        for (unsigned i = 0; i < 6; i++) {
            bool level = bits >> (2 * i) & 1;
            bool is_event = bits >> (2 * i) & 2;
            bool is_edge = is_event ? line_tracker_event(&tracker, i + 1, level)
                                    : line_tracker_reading(&tracker, i + 1, level);
            assert_int_equal(tracker.level, is_edge ? !last : last);
            assert_true(is_event || tracker.level == level);
            last = tracker.level;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_that_alternate_are_told_as_they_are),
        cmocka_unit_test(a_pulse_too_short_for_its_level_to_be_read_keeps_both_its_times),
        cmocka_unit_test(an_event_without_the_one_before_it_leaves_a_doubt),
        cmocka_unit_test(a_reading_sets_it_right),
        cmocka_unit_test(an_event_from_before_a_reading_is_in_it_already),
        cmocka_unit_test(whatever_comes_in_what_comes_out_alternates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
