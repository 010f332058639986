/* doctor: the diagnosis from readings, and the screen. */
#include "tests/support/test.h"

#include "ctl/draw_doctor.h"
#include "ctl/live.h"
#include "ctl/plain.h"
#include "ctl/screen.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEARD(...) .reading = {.heard = true, .health = HEALTH_OK, __VA_ARGS__}
#define GPIO17(...) .line = {.name = "GPIO17", .fitted = true, .bias = BIAS_PULL_UP, __VA_ARGS__}
#define NO_LINK                                                                                    \
    {                                                                                              \
        RADIO_UNKNOWN, RADIO_UNKNOWN, RADIO_UNKNOWN                                                \
    }
#define RADIO(...)                                                                                 \
    .is_radio = true, .line = {.fitted = true, .source = LINE_MQTT, .radio.topic = "ship/state"},  \
    .reading = {.heard = true, .is_radio = true, __VA_ARGS__}
#define UNHEALTHY(what)                                                                            \
    .kind = SENSOR_KIND_BEAM, .reading = {.heard = true, .edges = 9, .health = HEALTH_##what}

/* Each diagnosis: what is known of a sensor, and what follows. */
static const struct {
    struct sensor_case it;
    enum verdict verdict;
    const char *advice;
} diagnoses[] = {
    {{.kind = SENSOR_KIND_MUZZLE, HEARD(.edges = 4)}, VERDICT_OK, ""},
    {{.kind = SENSOR_KIND_TILT, HEARD(.level = true, .edges = 7)}, VERDICT_OK, ""},
    {{.kind = SENSOR_KIND_TILT, HEARD(.level = true, .edges = 1)},
     VERDICT_OK,
     "lying since the start; if it stands, active-low is missing"},
    {{.kind = SENSOR_KIND_TILT, GPIO17()},
     VERDICT_NO_SIGNAL,
     "never changed: move it, or check its wire at GPIO17 pull-up"},
    {{.kind = SENSOR_KIND_TILT, GPIO17(), .simulated = true}, VERDICT_NO_SIGNAL, "never changed"},
    {{.kind = SENSOR_KIND_TILT, HEARD(.level = true, .edges = 1), .simulated = true},
     VERDICT_OK,
     "lying since the start"},
    {{UNHEALTHY(STUCK), .simulated = true}, VERDICT_FAULTY, "active for too long"},
    {{.kind = SENSOR_KIND_MUZZLE, HEARD(.level = true, .edges = 1), GPIO17()},
     VERDICT_FAULTY,
     "always 1: something is in the beam, its two halves are out of line, or active-low is "
     "missing"},
    {{.kind = SENSOR_KIND_BUTTON, HEARD(.level = true, .edges = 1), GPIO17(.active_low = true)},
     VERDICT_FAULTY,
     "always 1: the button jams, or active-low is wrong here"},
    {{.kind = SENSOR_KIND_ROPE_BUTTON, HEARD(.level = true, .edges = 1), GPIO17()},
     VERDICT_FAULTY,
     "always 1: the button jams, or active-low is missing"},
    {{.kind = SENSOR_KIND_BEAM, HEARD(.level = true, .edges = 1), GPIO17()},
     VERDICT_FAULTY,
     "always 1: something is in the beam, its two halves are out of line, or active-low is "
     "missing"},
    {{.kind = SENSOR_KIND_ENCODER, GPIO17(), .partner_changes = true},
     VERDICT_FAULTY,
     "only the other line of the rope changes: check its wire at GPIO17 pull-up"},
    {{UNHEALTHY(STUCK), GPIO17()},
     VERDICT_FAULTY,
     "active for too long: something is in the beam, its two halves are out of line, or active-low "
     "is missing"},
    {{UNHEALTHY(CHATTERING), GPIO17()},
     VERDICT_FAULTY,
     "too many edges: a loose contact, or a long wire beside the mains; check its wire at GPIO17 "
     "pull-up"},
    {{UNHEALTHY(CHATTERING), .line = {.chip = "gpiochip2", .offset = 5, .fitted = true}},
     VERDICT_FAULTY,
     "too many edges: a loose contact, or it needs pull-up or pull-down; check its wire at "
     "gpiochip2:5"},
    {{UNHEALTHY(IMPOSSIBLE), GPIO17()},
     VERDICT_FAULTY,
     "it contradicts its neighbour: wires swapped or loose, or too fast; check its wire at GPIO17 "
     "pull-up"},
    {{UNHEALTHY(SILENT), GPIO17()},
     VERDICT_FAULTY,
     "no signal any more: check its wire at GPIO17 pull-up"},
    {{.kind = SENSOR_KIND_TILT,
      RADIO(.has_reported = true, .health = HEALTH_OK, .edges = 2, .link = NO_LINK)},
     VERDICT_OK,
     ""},
    {{.kind = SENSOR_KIND_TILT,
      RADIO(.has_reported = true, .health = HEALTH_OK, .edges = 2, .link = {97, 131, -61})},
     VERDICT_OK,
     "battery 97 %, link quality 131, -61 dBm"},
    {{.kind = SENSOR_KIND_TILT,
      RADIO(.health = HEALTH_OK, .link = {9, RADIO_UNKNOWN, RADIO_UNKNOWN})},
     VERDICT_NO_SIGNAL,
     "battery 9 %; not heard since the start: move it, or check its source mqtt ship/state"},
    {{.kind = SENSOR_KIND_TILT,
      RADIO(.has_reported = true, .health = HEALTH_SILENT, .link = NO_LINK)},
     VERDICT_FAULTY,
     "it, its gateway or the broker is offline: check its source mqtt ship/state"},
    {{.kind = SENSOR_KIND_TILT,
      RADIO(.has_reported = true, .health = HEALTH_CHATTERING, .link = NO_LINK)},
     VERDICT_FAULTY,
     "too many messages: a loose contact; check its source mqtt ship/state"},
    {{.kind = SENSOR_KIND_BUTTON,
      RADIO(.has_reported = true, .health = HEALTH_OK, .level = true, .edges = 1, .link = NO_LINK)},
     VERDICT_FAULTY,
     "always 1: the button jams, or its source has the wrong value"},
};

TEST(readings_give_a_verdict_and_advice)
{
    uint32_t healths = 0;

    for (size_t i = 0; i < sizeof diagnoses / sizeof diagnoses[0]; i++) {
        struct diagnosis diagnosis;
        diagnose(&diagnoses[i].it, &diagnosis);
        assert_string_equal(diagnosis.advice, diagnoses[i].advice);
        assert_int_equal(diagnosis.verdict, diagnoses[i].verdict);
        healths |= UINT32_C(1) << diagnoses[i].it.reading.health;
    }
    assert_int_equal(healths, (1U << HEALTH_COUNT) - 1); /* each is in the list */
}

/*
 * The screen
 */

static struct sensor_view view;
static struct config config;

static void hear(const char *topic, const char *payload)
{
    sensor_view_hear(&view, topic, payload, strlen(payload));
}

static int a_table(void **state)
{
    (void)state;
    memset(&view, 0, sizeof view);
    config_defaults(&config);
    config.hw.backend = BACKEND_GPIOD;
    config.hw.lines[SENSOR_CANNON_BEAM] = (struct line_config){.name = "GPIO17", .fitted = true};
    config.hw.lines[SENSOR_TILT + PIECE_BLUE_1] =
        (struct line_config){.name = "GPIO22", .fitted = true, .bias = BIAS_PULL_UP};
    config.hw.lines[SENSOR_TILT + PIECE_BLUE_2] =
        (struct line_config){.chip = "gpiochip2", .offset = 5, .fitted = true};
    sensor_view_name(&view.names, &config.hw);
    hear("info", "{\"v\":1,\"backend\":\"gpiod\"}");
    hear("sensor/cannon/beam", "{\"value\":0,\"health\":\"ok\",\"edges\":12,\"rate\":2,"
                               "\"width_us\":4100,\"at\":\"2026-05-31T18:03:07.042Z\"}");
    hear("sensor/blue-2/tilt",
         "{\"value\":1,\"health\":\"chattering\",\"edges\":4711,"
         "\"rate\":950,\"width_us\":null,\"at\":\"2026-05-31T18:03:10.000Z\"}");
    hear("ready", "{\"v\":1,\"check\":\"start\",\"ready\":false,\"problems\":[{\"message\":"
                  "\"blue-2 lies on its side: stand it up.\"}]}");
    return 0;
}

TEST_EACH(a_table, NULL)

static char *draw(int rows, int columns, bool has_keys)
{
    struct link link = {.connected = true, .daemon = DAEMON_ONLINE};
    struct doctor_data data = {.view = &view,
                               .config = &config,
                               .link = &link,
                               .now_ms = INT64_C(1780250591000),
                               .has_keys = has_keys};
    int whole = (int)draw_doctor_rows(&data, (unsigned)columns);
    WINDOW *window = newpad(rows ? rows : whole, columns);

    assert_non_null(window);
    draw_doctor(&data, window, true);
    char *text = screen_text(window);
    assert_non_null(text);
    delwin(window);
    return text;
}

/* Without rows, in a window where everything fits. */
static void assert_drawn(int rows, const char *expected)
{
    char *text = draw(rows, 80, rows > 0);

    assert_string_equal(text, expected);
    free(text);
}

TEST(faulty_sensors_come_first_with_advice_in_80_columns)
{
    assert_drawn(
        0, " SHIP AHOY  the sensors of table table, backend gpiod\n"
           " sensor            now   edges   rate pulse    ago     health     line\n"
           " blue-2.tilt         1    4711  950/s          1 s     chattering gpiochip2:5\n"
           "   too many edges: a loose contact, or it needs pull-up or pull-down; check its\n"
           "   wire at gpiochip2:5\n"
           " cannon.beam         0      12    0/s 4.1 ms   4 s     ok         GPIO17\n"
           " blue-1.tilt         never changed: move it, or check its wire at GPIO22 pull-up\n"
           " blue-2 lies on its side: stand it up.\n"
           " 3 sensors: 1 ok, 1 faulty, 1 without a signal");
}

TEST(what_does_not_fit_is_counted)
{
    assert_drawn(8,
                 " SHIP AHOY  the sensors of table table, backend gpiod\n"
                 " sensor            now   edges   rate pulse    ago     health     line\n"
                 " blue-2.tilt         1    4711  950/s          1 s     chattering gpiochip2:5\n"
                 "   too many edges: a loose contact, or it needs pull-up or pull-down; check its\n"
                 "   wire at gpiochip2:5\n"
                 " and 2 more; --once lists all\n"
                 " blue-2 lies on its side: stand it up.\n"
                 " 3 sensors: 1 ok, 1 faulty, 1 without a signal   q quits");
}

TEST(sensors_over_mqtt_are_shown_with_source_battery_and_link)
{
    struct line_config *beam = &config.hw.lines[SENSOR_CANNON_BEAM];

    *beam = (struct line_config){.source = LINE_NODE, .fitted = true};
    snprintf(beam->radio.topic, sizeof beam->radio.topic, "cannon");
    snprintf(beam->radio.path, sizeof beam->radio.path, "beam");
    config.hw.lines[SENSOR_TILT + PIECE_BLUE_2] = (struct line_config){0};
    hear("info", "{\"v\":1,\"backend\":\"sim\"}");
    hear("sensor/cannon/beam", "{\"value\":0,\"health\":\"ok\",\"edges\":0,\"source\":\"mqtt\","
                               "\"heard\":false,\"battery\":87,\"rssi\":-61}");
    hear("sensor/blue-2/tilt",
         "{\"value\":0,\"health\":\"silent\",\"edges\":2,"
         "\"source\":\"mqtt\",\"line\":\"mqtt z/b2\",\"heard\":true,\"battery\":1e9}");
    assert_drawn(
        0, " SHIP AHOY  the sensors of table table, backend sim: those configured or moved\n"
           " sensor            now   edges   rate pulse    ago     health     line\n"
           " blue-2.tilt         0       2    0/s                  silent     mqtt z/b2\n"
           "   it, its gateway or the broker is offline: check its source mqtt z/b2\n"
           " cannon.beam         0       0    0/s                  ok         node cannon be\n"
           "   battery 87 %, -61 dBm; not heard since the start: move it, or check its\n"
           "   source node cannon beam\n"
           " blue-1.tilt         never changed\n"
           " blue-2 lies on its side: stand it up.\n"
           " 3 sensors: 0 ok, 1 faulty, 2 without a signal");
}

TEST(every_size_of_window_ends_with_the_summary)
{
    static const char summary[] = " 3 sensors: 1 ok, 1 faulty, 1 without a signal   q quits";

    for (int rows = 1; rows <= 12; rows++) {
        for (int columns = 2; columns <= 90; columns++) {
            char *text = draw(rows, columns, true);
            const char *end = strrchr(text, '\n');
            const char *row = end ? end + 1 : text;
            assert_true(row[0] && strncmp(row, summary, strlen(row)) == 0);
            free(text);
        }
    }
}

TEST(what_the_topics_cannot_mean_is_left_out)
{
    struct sensor_view before = view;

    hear("sensor/nobody/tilt", "{\"value\":1,\"health\":\"ok\",\"edges\":1}");
    hear("sensor/cannon/beam", "{\"value\":1,\"health\":\"fine\"}");
    hear("sensor/cannon/beam", "[1]");
    hear("rope", "{\"counts\":\"many\"}");
    hear("ready", "{}");
    assert_memory_equal(&before, &view, sizeof view);
}

TEST(an_empty_message_forgets_the_sensor)
{
    hear("sensor/cannon/beam", "");
    hear("sensor/nobody/tilt", "");
    assert_false(view.readings[SENSOR_CANNON_BEAM].heard);
    assert_true(view.readings[SENSOR_TILT + PIECE_BLUE_2].heard);
}

static int open_hidden(void **state)
{
    (void)state;
    plain_use_utf8();
    return screen_open_hidden();
}

static int close_hidden(void **state)
{
    (void)state;
    screen_close_hidden();
    return 0;
}

TEST_ALL(open_hidden, close_hidden)
