/* Recordings through the filters. */
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

struct told {
    char text[1024];
    uint64_t now_us;
    struct replay *suspecting; /* NULL: whoever listens suspects nobody, or has done so */
};

static void tell(void *context, const struct fact *fact)
{
    struct told *told = context;
    size_t length = strlen(told->text);

    if (fact->kind != FACT_SENSED) {
        snprintf(told->text + length, sizeof told->text - length, "%s at=%llu\n",
                 fact->kind == FACT_HEALTH ? rules_health_name(fact->health)
                                           : fact_name(fact->kind),
                 (unsigned long long)fact->at_us);
    }
}

static void hear_time(void *context, uint64_t now_us)
{
    struct told *told = context;

    assert_true(now_us >= told->now_us);
    told->now_us = now_us;
}

enum { SUSPECTED_US = 1200000 };

static uint64_t when_to_suspect(void *context)
{
    const struct told *told = context;

    return told->suspecting ? SUSPECTED_US : NEVER_US;
}

static void hear_time_and_suspect(void *context, uint64_t now_us)
{
    struct told *told = context;

    hear_time(context, now_us);
    if (told->suspecting && now_us >= SUSPECTED_US) {
        replay_report_silent(told->suspecting, SENSOR_TILT + PIECE_BLUE_1);
        replay_report_silent(told->suspecting, SENSOR_TILT + PIECE_BLUE_2);
        told->suspecting = NULL;
    }
}

static int replay_text(const char *recording, const struct filter_settings *settings,
                       struct told *told, struct replay_problem *problem)
{
    static const struct button_names buttons = {.name = {"end"}, .count = 1};
    const struct replay_listener listener = {told, hear_time, tell, NULL};
    FILE *file = fmemopen((void *)(uintptr_t)recording, strlen(recording), "r");

    assert_non_null(file);
    memset(told, 0, sizeof *told);
    struct replay *replay = replay_open(&buttons, settings, &listener);
    assert_non_null(replay);
    int result = replay_file(replay, file, problem);
    replay_wait(replay, replay_now_us(replay) + SECOND);
    replay_close(replay);
    fclose(file);
    return result;
}

static const char shot[] = "# a shot and a topple\n"
                           "@1000000 cannon.beam 1\n"
                           "@1004000 cannon.beam 0\n"
                           "\n"
                           "@1100000 blue-2.tilt 1\r\n"
                           "@1300000 blue-2.tilt 0\n"
                           "@1310000 blue-2.tilt 1\n"
                           "@1500000 button.end 1\n";

static void a_recording_gives_the_facts_of_its_table(void **state)
{
    struct told told = {0};
    struct replay_problem problem;

    (void)state;
    assert_int_equal(replay_text(shot, &usual, &told, &problem), 0);
    assert_string_equal(told.text, "ball-left at=1000000\n"
                                   "toppled at=1100000\n"
                                   "pressed at=1500000\n");
}

static void a_line_that_is_no_edge_is_named(void **state)
{
    struct told told = {0};
    struct replay_problem problem;

    (void)state;
    assert_int_equal(replay_text("@1 rope.a 1\n@2 rop.a 0\n", &usual, &told, &problem), -EINVAL);
    assert_int_equal(problem.line, 2);
    assert_string_equal(problem.message, "there is no sensor \"rop.a\"; the nearest is rope.a");
    assert_int_equal(replay_text("rope.a 1\n", &usual, &told, &problem), -EINVAL);
    assert_int_equal(problem.line, 1);
    assert_string_equal(problem.message, "the time is missing: a line is @TIME SENSOR LEVEL");
}

static void what_is_no_text_is_no_recording(void **state)
{
    static const char zeros[1000];
    static const struct button_names buttons = {0};
    struct told told = {0};
    const struct replay_listener listener = {&told, hear_time, tell, NULL};
    struct replay_problem problem;
    FILE *file = fmemopen((void *)(uintptr_t)zeros, sizeof zeros, "r");

    (void)state;
    assert_non_null(file);
    struct replay *replay = replay_open(&buttons, &usual, &listener);
    assert_non_null(replay);
    assert_int_equal(replay_file(replay, file, &problem), -EINVAL);
    assert_int_equal(problem.line, 1);
    assert_string_equal(problem.message, "the line is too long, or no text");
    replay_close(replay);
    fclose(file);
}

/* In its time, though no line moves then. */
static void sensors_that_are_suspected_are_silent_from_then_on(void **state)
{
    static const struct button_names buttons = {0};
    struct told told = {0};
    const struct replay_listener listener = {&told, hear_time_and_suspect, tell, when_to_suspect};

    (void)state;
    struct replay *replay = replay_open(&buttons, &usual, &listener);
    assert_non_null(replay);
    told.suspecting = replay;
    replay_wait(replay, SECOND);
    assert_string_equal(told.text, "");
    replay_wait(replay, 2 * SECOND);
    assert_string_equal(told.text, "silent at=1200000\nsilent at=1200000\n");
    replay_close(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_gives_the_facts_of_its_table),
        cmocka_unit_test(a_line_that_is_no_edge_is_named),
        cmocka_unit_test(what_is_no_text_is_no_recording),
        cmocka_unit_test(sensors_that_are_suspected_are_silent_from_then_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
