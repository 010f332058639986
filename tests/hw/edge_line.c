/* Sensors by name, and edges as lines of text. */
#include "rig.h"

#include "hw/edge_line.h"

#include <errno.h>
#include <string.h>

static const struct button_names buttons = {.name = {"end", "undo"}, .count = 2};

static struct sensor_names all_names(void)
{
    struct sensor_names names;

    sensor_names_init(&names, &buttons);
    return names;
}

TEST(every_sensor_has_a_name_of_its_own_that_finds_it)
{
    struct sensor_names names = all_names();
    unsigned count = 0;

    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        if (names.name[sensor][0]) {
            assert_int_equal(sensor_named(&names, sensor_name(&names, sensor)), sensor);
            count++;
        }
    }
    /* Cannon 2, rope 3, 16 pieces and two guests with tilt and beam each, docks 4, buttons 2. */
    assert_int_equal(count, 2 + 3 + 18 * 2 + 4 + 2);
}

TEST(what_is_no_sensor_has_no_number_and_no_name)
{
    static const char *const strange[] = {
        "", "cannon", "wind.tilt", "kraken.beam", "button.other", "button."};
    struct sensor_names names = all_names();

    for (unsigned i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_int_equal(sensor_named(&names, strange[i]), SENSOR_NONE);
    }
    assert_string_equal(sensor_name(&names, SENSOR_NONE), "?");
    assert_string_equal(sensor_name(&names, SENSOR_COUNT), "?");
    assert_string_equal(sensor_name(&names, SENSOR_BUTTON + 2), "?");
}

static void expect_edge(const char *line, uint64_t at_us, unsigned sensor, unsigned level)
{
    struct sensor_names names = all_names();
    char error[EDGE_ERROR_SIZE];
    struct edge edge;

    assert_int_equal(edge_line_read(&names, line, &edge, error), 0);
    assert_true(edge.at_us == at_us);
    assert_int_equal(edge.sensor, sensor);
    assert_int_equal(edge.level, level);
}

TEST(a_line_is_a_sensor_and_a_level_with_or_without_a_time)
{
    expect_edge("cannon.beam 1", EDGE_UNTIMED_US, SENSOR_CANNON_BEAM, 1);
    expect_edge("  rope.a\t0  ", EDGE_UNTIMED_US, SENSOR_ROPE_A, 0);
    expect_edge("@0 rope.b 1", 0, SENSOR_ROPE_B, 1);
    expect_edge("@81234567 button.end 1", 81234567, SENSOR_BUTTON, 1);
    expect_edge("@4611686018427387903 rope.b 1", EDGE_TIME_MAX_US, SENSOR_ROPE_B, 1);
}

static void expect_error(const char *line, const char *expected)
{
    struct sensor_names names = all_names();
    char error[EDGE_ERROR_SIZE];
    struct edge edge = {.sensor = 77};

    assert_int_equal(edge_line_read(&names, line, &edge, error), -EINVAL);
    assert_string_equal(error, expected);
    assert_int_equal(edge.sensor, 77);
}

TEST(what_is_wrong_with_a_line_is_said)
{
    expect_error("canon.beam 1", "there is no sensor \"canon.beam\"; the nearest is cannon.beam");
    expect_error("blue-2.titl 1", "there is no sensor \"blue-2.titl\"; the nearest is blue-2.tilt");
    expect_error("xyzzy 1", "there is no sensor \"xyzzy\"; "
                            "a line is SENSOR LEVEL, such as cannon.beam 1");
    expect_error("", "there is no sensor \"\"; a line is SENSOR LEVEL, such as cannon.beam 1");
    expect_error("button.help 1",
                 "there is no sensor \"button.help\"; use one of: button.end button.undo");
    expect_error("cannon.beam", "\"\" is not a level: 1 is active, 0 is not");
    expect_error("cannon.beam 2", "\"2\" is not a level: 1 is active, 0 is not");
    expect_error("cannon.beam 1 0", "\"0\" is too much: a line is SENSOR LEVEL");
    expect_error("@ cannon.beam 1", "\"@\" is not @ and a time in microseconds");
    expect_error("@-5 cannon.beam 1", "\"@-5\" is not @ and a time in microseconds");
    expect_error("@4611686018427387904 rope.a 1",
                 "\"@4611686018427387904\" is not @ and a time in microseconds");
    expect_error("\x1b[2J\xff 1", "there is no sensor \"?[2J?\"; "
                                  "a line is SENSOR LEVEL, such as cannon.beam 1");
}

TEST(a_table_without_buttons_says_so)
{
    struct sensor_names names;
    char error[EDGE_ERROR_SIZE];
    struct edge edge;

    sensor_names_init(&names, &(struct button_names){0});
    assert_int_equal(edge_line_read(&names, "button.end 1", &edge, error), -EINVAL);
    assert_string_equal(error, "there is no sensor \"button.end\"; no button is configured");
}

TEST(what_is_written_is_read_again)
{
    struct sensor_names names = all_names();
    char line[EDGE_LINE_SIZE];
    struct edge edge = {EDGE_TIME_MAX_US, SENSOR_TILT + PIECE_YELLOW_TOWER, 1, EDGE_CHANGE};

    size_t length = edge_line_write(&names, &edge, line);
    assert_string_equal(line, "@4611686018427387903 yellow-tower.tilt 1\n");
    assert_int_equal(length, strlen(line));
    line[length - 1] = '\0';
    expect_edge(line, edge.at_us, edge.sensor, edge.level);
}
