/* Finding lines on the chips of a Raspberry Pi with two expanders. */
#include "tests/support/test.h"

#include "hw/lines.h"

#include "rules/text.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

enum { HEADER_LINES = 54, EXPANDER_LINES = 16, REPORTS_SIZE = 1024 };

static struct chip_line header[HEADER_LINES];
static struct chip_line expanders[2][EXPANDER_LINES];

static const struct chip_list machine = {
    .chips = {{"/dev/gpiochip0", "gpiochip0", "pinctrl-bcm2711", header, HEADER_LINES},
              {"/dev/gpiochip1", "gpiochip1", "mcp23017", expanders[0], EXPANDER_LINES},
              {"/dev/gpiochip2", "gpiochip2", "mcp23017", expanders[1], EXPANDER_LINES}},
    .count = 3,
};

static int name_lines(void **state)
{
    (void)state;
    memset(header, 0, sizeof header);
    memset(expanders, 0, sizeof expanders);
    chip_name_copy(header[17].name, "GPIO17");
    chip_name_copy(header[18].name, "GPIO18");
    chip_name_copy(header[4].name, "BUTTON");
    chip_name_copy(expanders[0][3].name, "BUTTON");
    chip_name_copy(expanders[1][5].name, "TOWER");
    return 0;
}

static void expect_place(const char *default_chip, struct line_config line, unsigned chip,
                         uint32_t offset)
{
    char problem[LINES_PROBLEM_SIZE];
    struct line_place place = {0};

    assert_int_equal(lines_find(&machine, default_chip, &line, &place, problem), 0);
    assert_int_equal(place.chip, chip);
    assert_int_equal(place.offset, offset);
}

static void expect_problem(const char *default_chip, struct line_config line, int error,
                           const char *sentence)
{
    char problem[LINES_PROBLEM_SIZE];
    struct line_place place = {.chip = 99};

    assert_int_equal(lines_find(&machine, default_chip, &line, &place, problem), error);
    assert_string_equal(problem, sentence);
    assert_int_equal(place.chip, 99);
}

TEST_EACH(name_lines, NULL)

TEST(a_name_is_found_on_any_chip)
{
    expect_place("auto", (struct line_config){.name = "GPIO17"}, 0, 17);
    expect_place("auto", (struct line_config){.name = "TOWER"}, 2, 5);
    expect_place("gpiochip0", (struct line_config){.name = "TOWER"}, 2, 5);
}

TEST(a_number_is_found_by_the_chips_name_path_or_label)
{
    expect_place("auto", (struct line_config){.chip = "gpiochip2", .offset = 15}, 2, 15);
    expect_place("auto", (struct line_config){.chip = "/dev/gpiochip1", .offset = 0}, 1, 0);
    expect_place("auto", (struct line_config){.chip = "pinctrl-bcm2711", .offset = 53}, 0, 53);
}

TEST(a_number_alone_is_on_the_default_chip)
{
    expect_place("pinctrl-bcm2711", (struct line_config){.offset = 17}, 0, 17);
    expect_place("/dev/gpiochip2", (struct line_config){.offset = 1}, 2, 1);
}

TEST(the_default_chip_decides_between_equal_names)
{
    expect_problem("auto", (struct line_config){.name = "BUTTON"}, -ENOTUNIQ,
                   "several lines have that name; use the chip and the number of one");
    expect_place("gpiochip1", (struct line_config){.name = "BUTTON"}, 1, 3);
}

TEST(lines_and_chips_that_do_not_exist_are_reported)
{
    expect_problem("auto", (struct line_config){.name = "GPIO99"}, -ENOENT,
                   "no chip has a line of that name");
    expect_problem("auto", (struct line_config){.chip = "gpiochip1", .offset = 16}, -ENOENT,
                   "the lines of gpiochip1 are numbered 0 to 15");
    expect_problem("auto", (struct line_config){.chip = "gpiochip7"}, -ENOENT,
                   "there is no chip with the name, path or label gpiochip7");
    expect_problem("auto", (struct line_config){.chip = "mcp23017"}, -ENOTUNIQ,
                   "several chips are labelled mcp23017; use the name or path of one");
}

/*
 * All of them
 */

static void note(void *context, unsigned sensor, const char *message)
{
    (void)sensor;
    text_add(context, message);
    text_add(context, "\n");
}

/* Finds the lines and compares all reports. */
static int find_all(const struct line_config lines[SENSOR_COUNT], struct wire *wires,
                    const char *sentences)
{
    char reports[REPORTS_SIZE];
    struct text text = text_begin(reports, sizeof reports);
    struct sensor_names names;

    sensor_names_init(&names, &(struct button_names){.count = 0});
    int result = lines_find_all(&machine, "auto", lines, &names, wires, note, &text);
    assert_string_equal(reports, sentences);
    return result;
}

TEST(every_fitted_sensor_gets_its_wire)
{
    struct wire wires[SENSOR_COUNT];
    const struct line_config lines[SENSOR_COUNT] = {
        [SENSOR_CANNON_BEAM] = {.name = "GPIO17", .fitted = true},
        [SENSOR_ROPE_B] = {.chip = "gpiochip1", .offset = 7, .fitted = true},
        [SENSOR_ROPE_BUTTON] = {.name = "GPIO99"},
    };

    assert_int_equal(find_all(lines, wires, ""), 2);
    assert_int_equal(wires[0].sensor, SENSOR_CANNON_BEAM);
    assert_int_equal(wires[0].place.offset, 17);
    assert_int_equal(wires[1].sensor, SENSOR_ROPE_B);
    assert_int_equal(wires[1].place.chip, 1);
    assert_int_equal(wires[1].place.offset, 7);
}

TEST(two_sensors_on_one_line_are_reported_however_it_is_spelled)
{
    struct wire wires[SENSOR_COUNT];
    const struct line_config lines[SENSOR_COUNT] = {
        [SENSOR_CANNON_BEAM] = {.name = "GPIO17", .fitted = true},
        [SENSOR_CANNON_BEAM2] = {.chip = "gpiochip0", .offset = 17, .fitted = true},
        [SENSOR_ROPE_A] = {.chip = "pinctrl-bcm2711", .offset = 17, .fitted = true},
    };

    assert_int_equal(find_all(lines, wires,
                              "sensor cannon.beam2, line gpiochip0:17: that is the line of sensor "
                              "cannon.beam\n"
                              "sensor rope.a, line pinctrl-bcm2711:17: that is the line of sensor "
                              "cannon.beam\n"),
                     -EBUSY);
}

TEST(every_line_that_is_missing_or_in_use_is_reported)
{
    struct wire wires[SENSOR_COUNT];
    const struct line_config lines[SENSOR_COUNT] = {
        [SENSOR_CANNON_BEAM] = {.name = "GPIO99", .fitted = true},
        [SENSOR_ROPE_A] = {.name = "GPIO17", .fitted = true},
        [SENSOR_ROPE_B] = {.name = "GPIO18", .fitted = true},
    };

    header[17].used = true;
    chip_name_copy(header[17].consumer, "w1");
    header[18].used = true;
    assert_int_equal(find_all(lines, wires,
                              "sensor cannon.beam, line GPIO99: no chip has a line of that name\n"
                              "sensor rope.a, line GPIO17: it is in use by w1\n"
                              "sensor rope.b, line GPIO18: it is in use by another program\n"),
                     -ENOENT);
}
