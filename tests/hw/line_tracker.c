/* The level of a line whose events are wrong or incomplete. */
#include "tests/support/test.h"

#include "hw/line_tracker.h"

#include "rules/text.h"

#include <stddef.h>
#include <string.h>

enum { EDGES_SIZE = 64 };

/*
 * Input and edges are drawn, one character per microsecond: in the input `1` and `0` are events and
 * `H` and `L` readings of the level; an edge is `1` or `0`. A `?` at the end: the level must be
 * read.
 */
static void expect_edges(const char *input, const char *expected)
{
    char edges[EDGES_SIZE];
    struct text text = text_begin(edges, sizeof edges);
    struct line_tracker tracker = {0};

    for (uint64_t i = 0; input[i]; i++) {
        bool level = input[i] == '1' || input[i] == 'H';
        bool is_edge = false;
        if (input[i] == 'H' || input[i] == 'L') {
            is_edge = line_tracker_reading(&tracker, i + 1, level);
        } else if (input[i] != ' ') {
            is_edge = line_tracker_event(&tracker, i + 1, level);
        }
        text_add(&text, !is_edge ? " " : tracker.level ? "1" : "0");
    }
    text_add(&text, tracker.uncertain ? "?" : "");
    assert_string_equal(edges, expected);
}

TEST(edges_follow_events_and_readings)
{
    expect_edges(" 1 0 1 ", /* events that alternate */
                 " 1 0 1 ");
    expect_edges(" 0 0 ", /* a pulse that ended before its level was read */
                 " 1 0 ");
    expect_edges(" 1 1 ", /* an event is missing */
                 " 1 0 ?");
    expect_edges(" 1 1 H ", /* and a reading corrects it */
                 " 1 0 1 ");
    expect_edges(" 1  H ", /* a reading of the same level */
                 " 1    ");
}

TEST(a_reading_includes_older_events)
{
    struct line_tracker tracker = {0};

    assert_true(line_tracker_reading(&tracker, 25, true));
    assert_false(line_tracker_event(&tracker, 24, true));
    assert_false(line_tracker_event(&tracker, 25, false));
    assert_true(line_tracker_event(&tracker, 26, false));
}

TEST(edges_alternate_whatever_comes_in)
{
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
