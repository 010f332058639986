/* The GPIO backend on chips in memory. */
#include "tests/support/test.h"

#include "hw/gpio.h"

#include "fake_chips.h"
#include "rules/text.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>

enum { REPORTS_SIZE = 1024, EDGES_MAX = 64, DEADLINE_MS = 20000 };

static const struct line_config lines[SENSOR_COUNT] = {
    [SENSOR_CANNON_BEAM] = {.chip = "gpiochip0", .offset = 3, .fitted = true},
    [SENSOR_CANNON_BEAM2] = {.chip = "gpiochip0", .offset = 4, .fitted = true, .active_low = true},
    [SENSOR_ROPE_A] = {.chip = "gpiochip1", .offset = 0, .fitted = true},
    [SENSOR_ROPE_B] = {.chip = "gpiochip1", .offset = 1, .fitted = true},
};

static struct sensor_names names;

static void note(void *context, unsigned sensor, const char *message)
{
    (void)sensor;
    text_add(context, message);
    text_add(context, "\n");
}

static int open_lines(struct backend *backend, char reports[REPORTS_SIZE])
{
    struct text text = text_begin(reports, REPORTS_SIZE);

    sensor_names_init(&names, &(struct button_names){.count = 0});
    return gpio_open(backend, "auto", lines, &names, note, &text);
}

static void await(const struct backend *backend)
{
    struct pollfd wanted = {.fd = backend->fd(backend->self), .events = POLLIN};

    assert_int_equal(poll(&wanted, 1, DEADLINE_MS), 1);
}

static void add_edges(struct text *text, const struct backend *backend)
{
    struct edge edges[EDGES_MAX];
    size_t count = backend->read(backend->self, edges, EDGES_MAX);

    for (size_t i = 0; i < count; i++) {
        text_add(text, sensor_name(&names, edges[i].sensor));
        text_add(text, edges[i].level ? " 1\n" : " 0\n");
    }
}

static void add_status(struct text *text, const struct backend *backend)
{
    static const char *const words[LINE_STATUS_COUNT] = {
        [LINE_LOSSY] = " lossy\n", [LINE_GONE] = " gone\n", [LINE_BACK] = " back\n"};
    struct line_status status;

    while (backend->status(backend->self, &status)) {
        text_add(text, sensor_name(&names, status.sensor));
        text_add(text, words[status.kind]);
    }
}

/* Waits until there is something to read, and compares all that comes: edges, then status. */
static void expect(const struct backend *backend, const char *expected)
{
    char reports[REPORTS_SIZE];
    struct text text = text_begin(reports, sizeof reports);

    await(backend);
    add_edges(&text, backend);
    add_status(&text, backend);
    assert_string_equal(reports, expected);
}

/* Opens lines that are at rest; the second beam is active low. */
static int open_quiet_lines(void **state)
{
    static struct backend backend;
    char reports[REPORTS_SIZE];

    fake_chips_reset();
    fake_chips_lose(0, 4, true, false);
    *state = &backend;
    assert_int_equal(open_lines(&backend, reports), 0);
    expect(&backend, "");
    return 0;
}

static int close_lines(void **state)
{
    struct backend *backend = *state;

    backend->close(backend->self);
    return 0;
}

TEST_EACH(open_quiet_lines, close_lines)

#define GPIO_TEST(claim) TEST_WITH(struct backend *backend, claim)

GPIO_TEST(levels_at_the_start_are_edges_where_they_are_active)
{
    char reports[REPORTS_SIZE];

    backend->close(backend->self);
    fake_chips_reset();
    fake_chips_lose(1, 1, true, false);
    assert_int_equal(open_lines(backend, reports), 0);
    expect(backend, "cannon.beam2 1\nrope.b 1\n");
}

/* No descriptor becomes readable for the levels that did not fit. */
GPIO_TEST(levels_that_do_not_fit_come_with_the_next_reading)
{
    char reports[REPORTS_SIZE];
    struct edge edge;

    backend->close(backend->self);
    fake_chips_reset();
    fake_chips_lose(0, 4, true, false);
    fake_chips_lose(1, 0, true, false);
    fake_chips_lose(1, 1, true, false);
    assert_int_equal(open_lines(backend, reports), 0);
    assert_int_equal(backend->read(backend->self, &edge, 1), 1);
    assert_int_equal(edge.sensor, SENSOR_ROPE_A);
    assert_int_equal(backend->read(backend->self, &edge, 1), 1);
    assert_int_equal(edge.sensor, SENSOR_ROPE_B);
}

GPIO_TEST(edges_of_several_chips_come_with_their_times)
{
    struct edge edges[EDGES_MAX];
    uint64_t now_us = monotonic_us();

    fake_chips_edge(0, 3, now_us + 1, true);
    fake_chips_edge(1, 0, now_us + 2, true);
    fake_chips_edge(0, 4, now_us + 3, false);
    await(backend);
    assert_int_equal(backend->read(backend->self, edges, EDGES_MAX), 3);
    assert_int_equal(edges[0].sensor, SENSOR_CANNON_BEAM);
    assert_int_equal(edges[0].at_us, now_us + 1);
    assert_int_equal(edges[1].sensor, SENSOR_CANNON_BEAM2);
    assert_int_equal(edges[1].level, 1);
    assert_int_equal(edges[2].sensor, SENSOR_ROPE_A);
    assert_int_equal(edges[2].at_us, now_us + 2);
}

GPIO_TEST(more_edges_than_fit_come_with_the_next_reading)
{
    struct edge edges[4];
    unsigned count = 0;
    uint64_t now_us = monotonic_us();

    for (unsigned i = 1; i <= 10; i++) {
        fake_chips_edge(1, 0, now_us + i, i % 2);
    }
    size_t taken;
    do {
        taken = backend->read(backend->self, edges, 4);
        for (size_t i = 0; i < taken; i++) {
            assert_int_equal(edges[i].at_us, now_us + ++count);
        }
    } while (taken == 4);
    assert_int_equal(count, 10);
}

GPIO_TEST(after_a_loss_that_the_kernel_reports_all_levels_of_the_chip_are_read)
{
    fake_chips_lose(1, 1, true, true);
    fake_chips_edge(1, 0, monotonic_us() + 1, true);
    expect(backend, "rope.a 1\nrope.b 1\nrope.b lossy\n");
}

/* The level is correct, but a whole pulse is missing. */
GPIO_TEST(a_loss_of_an_even_number_of_edges_is_reported_if_the_kernel_reports_it)
{
    fake_chips_lose(1, 0, true, true);
    fake_chips_lose(1, 0, false, true);
    fake_chips_edge(1, 0, monotonic_us() + 1, true);
    expect(backend, "rope.a 1\nrope.a lossy\n");
}

GPIO_TEST(an_event_with_the_level_of_the_last_one_reveals_a_loss)
{
    uint64_t now_us = monotonic_us();

    fake_chips_edge(1, 0, now_us + 1, true);
    fake_chips_lose(1, 0, false, false);
    fake_chips_edge(1, 0, now_us + 3, true);
    expect(backend, "rope.a 1\nrope.a 0\nrope.a 1\nrope.a lossy\n");
}

GPIO_TEST(a_chip_that_goes_away_is_reported_and_the_other_one_works)
{
    fake_chips_unplug(1);
    expect(backend, "rope.a gone\nrope.b gone\n");
    fake_chips_edge(0, 3, monotonic_us() + 1, true);
    expect(backend, "cannon.beam 1\n");
    assert_int_equal(fake_chips_openings(0), 1);
}

GPIO_TEST(a_chip_that_comes_back_is_opened_again_and_its_levels_are_read)
{
    fake_chips_unplug(1);
    expect(backend, "rope.a gone\nrope.b gone\n");
    fake_chips_lose(1, 1, true, false);
    fake_chips_plug(1);
    expect(backend, "rope.b 1\nrope.a back\nrope.b back\n");
    assert_int_equal(fake_chips_openings(1), 2);
}

/* udev may grant access a moment after the chip appears, without another notification. */
GPIO_TEST(a_chip_that_cannot_be_opened_yet_is_tried_again)
{
    fake_chips_refuse(1, 0, EACCES);
    fake_chips_unplug(1);
    expect(backend, "rope.a gone\nrope.b gone\n");
    fake_chips_plug(1);
    expect(backend, "");
    fake_chips_refuse(1, 0, 0);
    expect(backend, "rope.a back\nrope.b back\n");
}

TEST(a_line_that_cannot_be_opened_is_reported_by_name)
{
    struct backend second;
    char reports[REPORTS_SIZE];

    fake_chips_refuse(0, 4, EBUSY);
    assert_int_equal(open_lines(&second, reports), -EBUSY);
    assert_string_equal(reports,
                        "sensor cannon.beam2, line gpiochip0:4: Device or resource busy\n");
}
