/* The sensor thread as its user sees it. */
#include "stage.h"

#include "hw/recorder.h"
#include "hw/replay.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void injected_edges_become_facts(void **state)
{
    struct stage *stage = *state;

    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_BUTTON, 1), 0);
    assert_int_equal(stage_await(stage, FACT_PRESSED).button, 0);
    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_TILT + PIECE_PIRATE, 1), 0);
    assert_int_equal(stage_await(stage, FACT_TOPPLED).piece, PIECE_PIRATE);
}

static void a_sensor_that_does_not_exist_cannot_be_injected(void **state)
{
    struct stage *stage = *state;
    static const unsigned strange[] = {SENSOR_NONE, SENSOR_COUNT, UINT32_MAX, SENSOR_BUTTON + 1,
                                       SENSOR_TILT + PIECE_KRAKEN};

    for (unsigned i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_int_equal(hw_inject_edge(stage->hw, strange[i], 1), -EINVAL);
    }
    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_ROPE_A, 2), -EINVAL);
}

static void the_descriptor_is_readable_exactly_while_facts_wait(void **state)
{
    struct stage *stage = *state;
    struct pollfd wanted = {.fd = hw_fd(stage->hw), .events = POLLIN};
    struct fact facts[8];

    assert_int_equal(poll(&wanted, 1, 0), 0);
    hw_zero_rope(stage->hw);
    assert_int_equal(poll(&wanted, 1, STAGE_DEADLINE_MS), 1);
    assert_int_equal(hw_take(stage->hw, facts, 0), 0);
    assert_int_equal(poll(&wanted, 1, 0), 1);
    assert_int_equal(hw_take(stage->hw, facts, 8), 1);
    assert_int_equal(facts[0].kind, FACT_ROPE_AT);
    assert_int_equal(facts[0].knots_milli, 0);
    assert_int_equal(poll(&wanted, 1, 0), 0);
}

static void a_reading_that_waits_at_zero_is_dropped(void **state)
{
    struct stage *stage = *state;
    struct pollfd wanted = {.fd = hw_fd(stage->hw), .events = POLLIN};

    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_ROPE_A, 1), 0);
    assert_int_equal(poll(&wanted, 1, STAGE_DEADLINE_MS), 1);
    hw_zero_rope(stage->hw);
    assert_int_equal(stage_await(stage, FACT_ROPE_AT).knots_milli, 0);
}

static void a_thread_that_lives_gives_a_sign_of_life(void **state)
{
    struct stage *stage = *state;
    uint64_t before = hw_alive(stage->hw);
    uint64_t deadline_us = hw_now_us(stage->hw) + STAGE_DEADLINE_MS * UINT64_C(1000);

    while (hw_alive(stage->hw) == before) {
        assert_true(hw_now_us(stage->hw) < deadline_us);
    }
}

static void new_settings_apply_at_once(void **state)
{
    struct stage *stage = *state;
    struct filter_settings settings = stage->settings.filters;

    settings.tilt_settle_ms = 7;
    hw_apply(stage->hw, &settings);
    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_TILT + PIECE_RED_1, 1), 0);
    assert_int_equal(stage_await(stage, FACT_TOPPLED).evidence.settle_us, 7000);
}

/* Button presses, 100 ms apart, until nothing more can fit; nobody takes them. */
static void facts_that_nobody_takes_make_their_sensor_a_suspect(void **state)
{
    struct stage *stage = *state;
    int fd = stage_connect(stage->settings.socket_path);
    unsigned long long at_us = hw_now_us(stage->hw);
    unsigned pressed = 0;

    for (unsigned i = 0; i < 2000; i++, at_us += 50 * MS) {
        char line[64];
        snprintf(line, sizeof line, "@%llu button.end %u", at_us, (i + 1) % 2);
        stage_move(fd, line);
    }
    struct fact fact = stage_await(stage, FACT_PRESSED);
    for (; fact.kind != FACT_HEALTH; pressed += fact.kind == FACT_PRESSED) {
        assert_int_equal(hw_take(stage->hw, &fact, 1), 1);
    }
    assert_true(pressed > 800 && pressed < 1000);
    assert_int_equal(fact.sensor, SENSOR_BUTTON);
    assert_int_equal(fact.health, HEALTH_CHATTERING);
    close(fd);
}

struct told {
    unsigned count;
    struct fact facts[16];
};

static void tell(void *context, const struct fact *fact)
{
    struct told *told = context;

    if (fact->kind == FACT_BALL_LEFT || fact->kind == FACT_TOPPLED || fact->kind == FACT_PRESSED) {
        assert_true(told->count < 16);
        told->facts[told->count++] = *fact;
    }
}

/* Not byte by byte: a fact has gaps between its members. */
static void assert_same_fact(const struct fact *one, const struct fact *other)
{
    assert_int_equal(one->kind, other->kind);
    assert_true(one->at_us == other->at_us);
    assert_int_equal(one->sensor, other->sensor);
    assert_int_equal(one->piece, other->piece);
    assert_int_equal(one->button, other->button);
    assert_int_equal(one->speed_mmps, other->speed_mmps);
    assert_true(one->evidence.at_us == other->evidence.at_us);
    assert_int_equal(one->evidence.sensor, other->evidence.sensor);
    assert_int_equal(one->evidence.width_us, other->evidence.width_us);
    assert_int_equal(one->evidence.settle_us, other->evidence.settle_us);
    assert_int_equal(one->evidence.bounces, other->evidence.bounces);
}

static void hear_time(void *context, uint64_t now_us)
{
    (void)context;
    (void)now_us;
}

/* With the times in the lines: however long this process is kept waiting, it is no hand. */
static void shoot(const struct stage *stage)
{
    int fd = stage_connect(stage->settings.socket_path);
    unsigned long long at_us = hw_now_us(stage->hw);
    char line[64];

    for (unsigned level = 2; level-- > 0; at_us += 4 * MS) {
        snprintf(line, sizeof line, "@%llu cannon.beam %u", at_us, level);
        stage_move(fd, line);
    }
    close(fd);
}

static void a_recording_replays_to_the_very_same_facts(void **state)
{
    struct stage *stage = *state;
    struct told told = {0};
    struct replay_problem problem;
    struct fact live[3];

    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_BUTTON, 1), 0);
    live[0] = stage_await(stage, FACT_PRESSED);
    shoot(stage);
    live[1] = stage_await(stage, FACT_BALL_LEFT);
    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_TILT + PIECE_BLUE_1, 1), 0);
    live[2] = stage_await(stage, FACT_TOPPLED);
    hw_close(stage->hw);
    stage->hw = NULL;

    const struct replay_listener listener = {&told, hear_time, tell, NULL};
    FILE *file = fopen(stage->settings.record_path, "r");
    assert_non_null(file);
    struct replay *replay =
        replay_open(&stage->settings.buttons, &stage->settings.filters, &listener);
    assert_non_null(replay);
    assert_int_equal(replay_file(replay, file, &problem), 0);
    replay_wait(replay, replay_now_us(replay) + SECOND);
    replay_close(replay);
    fclose(file);
    assert_int_equal(told.count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_same_fact(&told.facts[i], &live[i]);
    }
}

static void a_record_file_that_cannot_be_written_is_an_error(void **state)
{
    struct stage *stage = *state;
    struct hw_settings settings = stage->settings;
    struct hw *hw;

    snprintf(settings.record_path, HW_PATH_SIZE, "%s/none/record", stage->folder);
    assert_int_equal(hw_open(&hw, &settings), -ENOENT);
}

static void a_record_file_that_is_a_pipe_is_an_error(void **state)
{
    struct stage *stage = *state;
    struct hw_settings settings = stage->settings;
    struct hw *hw;

    snprintf(settings.record_path, HW_PATH_SIZE, "%s/pipe", stage->folder);
    snprintf(settings.socket_path, HW_PATH_SIZE, "%s/other", stage->folder);
    assert_int_equal(mkfifo(settings.record_path, 0600), 0);
    assert_int_equal(hw_open(&hw, &settings), -EMEDIUMTYPE);
    unlink(settings.record_path);
}

/* Moves a dock until recording has stopped; returns why. */
static int record_until_it_stops(struct stage *stage)
{
    int problem = 0;

    for (unsigned level = 1; !problem; level = !level) {
        assert_int_equal(hw_inject_edge(stage->hw, SENSOR_DOCK + HARBOUR_RED, level), 0);
        stage_await(stage, FACT_SENSED);
        problem = hw_take_record_problem(stage->hw);
    }
    assert_int_equal(hw_take_record_problem(stage->hw), 0);
    return problem;
}

static off_t size_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void a_record_that_has_reached_its_limit_stops_and_says_so_once(void **state)
{
    struct stage *stage = *state;
    const char *path = stage->settings.record_path;

    hw_close(stage->hw);
    stage->hw = NULL;
    assert_int_equal(truncate(path, RECORDER_SIZE_MAX - 60), 0);
    assert_int_equal(hw_open(&stage->hw, &stage->settings), 0);
    assert_int_equal(record_until_it_stops(stage), -EFBIG);
    off_t size = size_of(path);
    assert_in_range(size, RECORDER_SIZE_MAX - 60, RECORDER_SIZE_MAX + 100);
    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_BUTTON, 1), 0);
    stage_await(stage, FACT_PRESSED);
    assert_int_equal(size_of(path), size);
}

static void a_record_that_cannot_be_written_stops_and_says_so_once(void **state)
{
    struct stage *stage = *state;
    struct rlimit before;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){70, before.rlim_max}), 0);
    assert_int_equal(record_until_it_stops(stage), -EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_in_range(size_of(stage->settings.record_path), 0, 70);
    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_BUTTON, 1), 0);
    stage_await(stage, FACT_PRESSED);
}

static void several_sensors_may_be_suspected_at_once(void **state)
{
    struct stage *stage = *state;
    bool silent[SENSOR_COUNT] = {false};

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        hw_report_silent(stage->hw, SENSOR_TILT + piece);
    }
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        struct fact fact = stage_await(stage, FACT_HEALTH);
        assert_int_equal(fact.health, HEALTH_SILENT);
        silent[fact.sensor] = true;
    }
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        assert_true(silent[SENSOR_TILT + piece]);
    }
}

static void keep_message(void *context, unsigned sensor, const char *message)
{
    assert_int_equal(sensor, SENSOR_ROPE_A);
    snprintf(context, HW_PATH_SIZE, "%s", message);
}

static void a_real_line_that_does_not_exist_is_named_with_its_sensor(void **state)
{
    struct stage *stage = *state;
    struct hw_settings settings = stage->settings;
    struct line_config lines[SENSOR_COUNT] = {
        [SENSOR_ROPE_A] = {.name = "no-such-line", .fitted = true},
    };
    char message[HW_PATH_SIZE] = "";
    struct hw *hw;

    settings.backend = HW_BACKEND_GPIOD;
    settings.lines = lines;
    settings.chip = "auto";
    settings.problem = keep_message;
    settings.problem_context = message;
    assert_int_equal(hw_open(&hw, &settings), -ENOENT);
    assert_string_equal(message,
                        "sensor rope.a, line no-such-line: no chip has a line of that name");
}

enum { INJECTORS = 4, EDGES_EACH = 5000 };

static void *inject_many(void *context)
{
    struct hw *hw = context;

    for (unsigned i = 0; i < EDGES_EACH; i++) {
        while (hw_inject_edge(hw, SENSOR_DOCK + HARBOUR_RED, i % 2) == -EAGAIN) {
            hw_alive(hw);
        }
    }
    return NULL;
}

static void many_threads_may_inject_and_no_edge_is_lost(void **state)
{
    struct stage *stage = *state;
    pthread_t threads[INJECTORS];

    for (unsigned i = 0; i < INJECTORS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, inject_many, stage->hw), 0);
    }
    for (unsigned i = 0; i < INJECTORS; i++) {
        pthread_join(threads[i], NULL);
    }
    while (stage_await(stage, FACT_SENSED).edges < INJECTORS * EDGES_EACH) {
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(injected_edges_become_facts),
        CASE(a_sensor_that_does_not_exist_cannot_be_injected),
        CASE(the_descriptor_is_readable_exactly_while_facts_wait),
        CASE(a_reading_that_waits_at_zero_is_dropped),
        CASE(a_thread_that_lives_gives_a_sign_of_life),
        CASE(new_settings_apply_at_once),
        CASE(facts_that_nobody_takes_make_their_sensor_a_suspect),
        CASE(a_recording_replays_to_the_very_same_facts),
        CASE(a_record_file_that_cannot_be_written_is_an_error),
        CASE(a_record_file_that_is_a_pipe_is_an_error),
        CASE(a_record_that_has_reached_its_limit_stops_and_says_so_once),
        CASE(a_record_that_cannot_be_written_stops_and_says_so_once),
        CASE(several_sensors_may_be_suspected_at_once),
        CASE(a_real_line_that_does_not_exist_is_named_with_its_sensor),
        CASE(many_threads_may_inject_and_no_edge_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
