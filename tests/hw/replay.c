/* Recordings of edges through the filters. */
#include "rig.h"

#include "hw/replay.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct filter_settings usual = {.tilt_settle_ms = 150,
                                             .beam_min_us = 200,
                                             .button_ms = 30,
                                             .stuck_s = 30,
                                             .counts_per_knot = 20};

enum { SILENT_US = 1200000 };

/* The listener: notes the facts, and reports two sensors as silent at SILENT_US if asked to. */
static struct {
    char facts[1024];
    uint64_t now_us;
    bool reports_silent;
    struct replay *replay;
} heard;

static void note_time(void *self, uint64_t now_us)
{
    (void)self;
    assert_true(now_us >= heard.now_us);
    heard.now_us = now_us;
    if (heard.reports_silent && now_us >= SILENT_US) {
        heard.reports_silent = false;
        replay_report_silent(heard.replay, SENSOR_TILT + PIECE_BLUE_1);
        replay_report_silent(heard.replay, SENSOR_TILT + PIECE_BLUE_2);
    }
}

static void note_fact(void *self, const struct fact *fact)
{
    bool is_health = fact->kind == FACT_HEALTH;
    size_t length = strlen(heard.facts);

    (void)self;
    if (fact->kind != FACT_SENSED) {
        snprintf(heard.facts + length, sizeof heard.facts - length, "%s at=%llu\n",
                 is_health ? rules_health_name(fact->health) : fact_name(fact->kind),
                 (unsigned long long)fact->at_us);
    }
}

static uint64_t due_us(void *self)
{
    (void)self;
    return heard.reports_silent ? SILENT_US : NEVER_US;
}

static int open_replay(void **state)
{
    static const struct button_names buttons = {.name = {"end"}, .count = 1};
    static const struct replay_listener listener = {NULL, note_time, note_fact, due_us};

    (void)state;
    memset(&heard, 0, sizeof heard);
    heard.replay = replay_open(&buttons, &usual, &listener);
    return heard.replay ? 0 : -1;
}

static int close_replay(void **state)
{
    (void)state;
    replay_close(heard.replay);
    return 0;
}

static int replay_bytes(const char *bytes, size_t size, struct replay_problem *problem)
{
    FILE *file = fmemopen((void *)(uintptr_t)bytes, size, "r");

    assert_non_null(file);
    int result = replay_file(heard.replay, file, problem);
    fclose(file);
    return result;
}

TEST_EACH(open_replay, close_replay)

TEST(a_recording_gives_the_facts_of_its_table)
{
    static const char shot[] = "# a shot and a fall\n"
                               "@1000000 cannon.beam 1\n"
                               "@1004000 cannon.beam 0\n"
                               "\n"
                               "@1100000 blue-2.tilt 1\r\n"
                               "@1300000 blue-2.tilt 0\n"
                               "@1310000 blue-2.tilt 1\n"
                               "@1500000 button.end 1\n";
    struct replay_problem problem;

    assert_int_equal(replay_bytes(shot, strlen(shot), &problem), 0);
    replay_wait(heard.replay, replay_now_us(heard.replay) + SECOND);
    assert_string_equal(heard.facts, "ball-left at=1000000\n"
                                     "toppled at=1100000\n"
                                     "pressed at=1500000\n");
}

TEST(a_line_that_is_not_an_edge_with_a_time_is_reported)
{
    static const char zeros[1000];
    static const struct {
        const char *bytes;
        size_t size;
        unsigned line;
        const char *message;
    } files[] = {
        {"@1 rope.a 1\n@2 rop.a 0\n", 23, 2, "there is no sensor \"rop.a\"; the nearest is rope.a"},
        {"rope.a 1\n", 9, 1, "the time is missing: a line is @TIME SENSOR LEVEL"},
        {zeros, sizeof zeros, 1, "the line is too long, or no text"},
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct replay_problem problem;
        assert_int_equal(replay_bytes(files[i].bytes, files[i].size, &problem), -EINVAL);
        assert_int_equal(problem.line, files[i].line);
        assert_string_equal(problem.message, files[i].message);
    }
}

/* At the listener's own time, although no line changes then. */
TEST(the_listener_can_report_silent_sensors)
{
    heard.reports_silent = true;
    replay_wait(heard.replay, SECOND);
    assert_string_equal(heard.facts, "");
    replay_wait(heard.replay, 2 * SECOND);
    assert_string_equal(heard.facts, "silent at=1200000\nsilent at=1200000\n");
}
