/* The sensor thread through its public functions. */
#include "fixture.h"

#include "hw/recorder.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TEST_EACH(fixture_setup, fixture_teardown)

HW_TEST(injected_edges_become_facts)
{
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_BUTTON, 1), 0);
    assert_int_equal(fixture_await(fixture, FACT_PRESSED).button, 0);
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_TILT + PIECE_PIRATE, 1), 0);
    assert_int_equal(fixture_await(fixture, FACT_TOPPLED).piece, PIECE_PIRATE);
}

HW_TEST(a_sensor_that_does_not_exist_cannot_be_injected)
{
    static const unsigned strange[] = {SENSOR_NONE, SENSOR_COUNT, UINT32_MAX, SENSOR_BUTTON + 1,
                                       SENSOR_TILT + PIECE_KRAKEN};

    for (unsigned i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_int_equal(hw_inject_edge(fixture->hw, strange[i], 1), -EINVAL);
    }
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_ROPE_A, 2), -EINVAL);
}

HW_TEST(the_descriptor_is_readable_exactly_while_facts_wait)
{
    struct pollfd wanted = {.fd = hw_fd(fixture->hw), .events = POLLIN};
    struct fact facts[8];

    assert_int_equal(poll(&wanted, 1, 0), 0);
    hw_zero_rope(fixture->hw);
    assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1);
    assert_int_equal(hw_take(fixture->hw, facts, 0), 0);
    assert_int_equal(poll(&wanted, 1, 0), 1);
    assert_int_equal(hw_take(fixture->hw, facts, 8), 1);
    assert_int_equal(facts[0].kind, FACT_ROPE_AT);
    assert_int_equal(facts[0].knots_milli, 0);
    assert_int_equal(poll(&wanted, 1, 0), 0);
}

/* Whether the caller got the edge; else the thread had not gone to sleep yet, and took it. */
static bool caller_gets(struct hw *hw, unsigned level)
{
    struct pollfd either[] = {{.fd = hw_edges_fd(hw), .events = POLLIN},
                              {.fd = hw_fd(hw), .events = POLLIN}};
    struct fact fact;

    hw_wait(hw);
    assert_int_equal(hw_inject_edge(hw, SENSOR_ROPE_A, level), 0);
    assert_true(poll(either, 2, FIXTURE_DEADLINE_MS) > 0);
    bool is_ours = either[0].revents && !either[1].revents && hw_read(hw, &fact, 1) == 1;
    if (is_ours) {
        assert_int_equal(fact.kind, FACT_ROPE_AT);
        assert_int_equal(poll(either, 2, 0), 0);
        return true;
    }
    hw_work(hw);
    return false;
}

HW_TEST(a_caller_that_waits_reads_the_edges_itself)
{
    enum { TRIES = 20 };
    unsigned tries = 1;

    while (!caller_gets(fixture->hw, tries % 2)) {
        fixture_await(fixture, FACT_ROPE_AT);
        assert_true(++tries <= TRIES);
    }
}

/* It came while the caller waited, and the caller does something else first. */
HW_TEST(an_edge_that_the_caller_leaves_is_read_by_the_thread)
{
    struct pollfd edges = {.fd = hw_edges_fd(fixture->hw), .events = POLLIN};

    hw_wait(fixture->hw);
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_ROPE_A, 1), 0);
    assert_int_equal(poll(&edges, 1, FIXTURE_DEADLINE_MS), 1);
    hw_work(fixture->hw);
    fixture_await(fixture, FACT_ROPE_AT);
}

HW_TEST(a_zero_counts_before_the_edges_after_it)
{
    struct fact fact;

    hw_wait(fixture->hw);
    hw_zero_rope(fixture->hw);
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_ROPE_A, 1), 0);
    hw_read(fixture->hw, &fact, 1);
    hw_finish(fixture->hw);
    do {
        fact = fixture_await(fixture, FACT_ROPE_AT);
    } while (fact.counts == 0);
    assert_int_equal(fact.counts, 1);
}

HW_TEST(a_reading_that_waits_at_zero_is_dropped)
{
    struct pollfd wanted = {.fd = hw_fd(fixture->hw), .events = POLLIN};

    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_ROPE_A, 1), 0);
    assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1);
    hw_zero_rope(fixture->hw);
    assert_int_equal(fixture_await(fixture, FACT_ROPE_AT).knots_milli, 0);
}

HW_TEST(a_running_thread_wakes_when_asked)
{
    uint64_t before = hw_alive(fixture->hw);
    uint64_t deadline_us = hw_now_us(fixture->hw) + FIXTURE_DEADLINE_MS * UINT64_C(1000);

    while (hw_alive(fixture->hw) == before) {
        assert_true(hw_now_us(fixture->hw) < deadline_us);
    }
}

/* While armed, the thread stays in the read of a client's line. */
static struct {
    atomic_bool is_armed;
    sem_t reads;
    sem_t goes_on;
} gate;

ssize_t __real_recv(int fd, void *data, size_t size, int flags);
ssize_t __wrap_recv(int fd, void *data, size_t size, int flags);

ssize_t __wrap_recv(int fd, void *data, size_t size, int flags)
{
    if (atomic_exchange(&gate.is_armed, false)) {
        sem_post(&gate.reads);
        sem_wait(&gate.goes_on);
    }
    return __real_recv(fd, data, size, flags);
}

/* The line is no edge: nothing but the request can wake the thread again. */
HW_TEST(a_request_while_the_thread_reads_is_handled_when_it_has_read)
{
    sem_init(&gate.reads, 0, 0);
    sem_init(&gate.goes_on, 0, 0);
    gate.is_armed = true;
    fixture_send(fixture->client, "nonsense\n");
    sem_wait(&gate.reads);
    hw_zero_rope(fixture->hw);
    sem_post(&gate.goes_on);
    assert_int_equal(fixture_await(fixture, FACT_ROPE_AT).knots_milli, 0);
}

HW_TEST(new_settings_apply_at_once)
{
    struct filter_settings settings = fixture->settings.filters;

    settings.tilt_settle_ms = 7;
    hw_apply(fixture->hw, &settings);
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_TILT + PIECE_RED_1, 1), 0);
    assert_int_equal(fixture_await(fixture, FACT_TOPPLED).evidence.settle_us, 7000);
}

/* Button presses, 100 ms apart, until the queue is full. */
HW_TEST(a_sensor_that_fills_the_queue_is_chattering)
{
    unsigned long long at_us = hw_now_us(fixture->hw);
    unsigned pressed = 0;

    for (unsigned i = 0; i < 2000; i++, at_us += 50 * MS) {
        char line[64];
        snprintf(line, sizeof line, "@%llu button.end %u", at_us, (i + 1) % 2);
        fixture_move(fixture->client, line);
    }
    struct fact fact = fixture_await(fixture, FACT_PRESSED);
    for (; fact.kind != FACT_HEALTH; pressed += fact.kind == FACT_PRESSED) {
        assert_int_equal(hw_take(fixture->hw, &fact, 1), 1);
    }
    assert_true(pressed > 800 && pressed < 1000);
    assert_int_equal(fact.sensor, SENSOR_BUTTON);
    assert_int_equal(fact.health, HEALTH_CHATTERING);
}

HW_TEST(a_record_file_that_is_a_pipe_is_an_error)
{
    struct hw_settings settings = fixture->settings;
    struct hw *hw;

    snprintf(settings.record_path, HW_PATH_SIZE, "%s/pipe", fixture->folder);
    snprintf(settings.socket_path, HW_PATH_SIZE, "%s/other", fixture->folder);
    assert_int_equal(mkfifo(settings.record_path, 0600), 0);
    assert_int_equal(hw_open(&hw, &settings), -EMEDIUMTYPE);
    unlink(settings.record_path);
}

/* Moves a dock until recording has stopped; returns why. */
static int record_until_it_stops(struct fixture *fixture)
{
    uint64_t deadline_us = hw_now_us(fixture->hw) + FIXTURE_DEADLINE_MS * UINT64_C(1000);
    int problem = 0;

    for (unsigned level = 1; !problem; level = !level) {
        assert_true(hw_now_us(fixture->hw) < deadline_us);
        assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_DOCK + HARBOUR_RED, level), 0);
        fixture_await(fixture, FACT_SENSED);
        problem = hw_take_record_problem(fixture->hw);
    }
    assert_int_equal(hw_take_record_problem(fixture->hw), 0);
    return problem;
}

static off_t size_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

HW_TEST(a_recording_at_its_size_limit_stops_and_reports_it_once)
{
    const char *path = fixture->settings.record_path;

    fixture_close(fixture);
    assert_int_equal(truncate(path, RECORDER_SIZE_MAX - 60), 0);
    assert_int_equal(hw_open(&fixture->hw, &fixture->settings), 0);
    assert_int_equal(record_until_it_stops(fixture), -EFBIG);
    off_t size = size_of(path);
    assert_in_range(size, RECORDER_SIZE_MAX - 60, RECORDER_SIZE_MAX + 100);
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_BUTTON, 1), 0);
    fixture_await(fixture, FACT_PRESSED);
    assert_int_equal(size_of(path), size);
}

static bool ends_with_newline(const char *path)
{
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    int last = fgetc(file);
    fclose(file);
    return last == '\n';
}

HW_TEST(a_recording_that_cannot_be_written_stops_and_reports_it_once)
{
    struct rlimit before;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){70, before.rlim_max}), 0);
    assert_int_equal(record_until_it_stops(fixture), -EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_in_range(size_of(fixture->settings.record_path), 30, 70);
    assert_true(ends_with_newline(fixture->settings.record_path));
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_BUTTON, 1), 0);
    fixture_await(fixture, FACT_PRESSED);
}

struct disturber {
    struct hw *hw;
    atomic_bool runs;
    atomic_bool stops;
};

static void *disturb(void *self)
{
    struct disturber *disturber = self;
    const struct edge nothing[1] = {0};

    while (!atomic_load(&disturber->stops)) {
        hw_put(disturber->hw, nothing, 0);
        atomic_store(&disturber->runs, true);
    }
    return NULL;
}

/* Another thread reads most of the time, so that several reports wait for it. */
HW_TEST(several_sensors_may_be_reported_silent_at_once)
{
    struct disturber disturber = {.hw = fixture->hw};
    bool silent[SENSOR_COUNT] = {false};
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, disturb, &disturber), 0);
    while (!atomic_load(&disturber.runs)) {
    }
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        hw_report_silent(fixture->hw, SENSOR_TILT + piece);
    }
    atomic_store(&disturber.stops, true);
    pthread_join(thread, NULL);
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        struct fact fact = fixture_await(fixture, FACT_HEALTH);
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

HW_TEST(a_gpio_line_that_does_not_exist_is_reported_with_its_sensor)
{
    struct hw_settings settings = fixture->settings;
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

HW_TEST(many_threads_may_inject_and_no_edge_is_lost)
{
    pthread_t threads[INJECTORS];

    for (unsigned i = 0; i < INJECTORS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, inject_many, fixture->hw), 0);
    }
    for (unsigned i = 0; i < INJECTORS; i++) {
        pthread_join(threads[i], NULL);
    }
    while (fixture_await(fixture, FACT_SENSED).edges < INJECTORS * EDGES_EACH) {
    }
}
