/* Sensors over MQTT, as they are written in a file. */
#include "loaded.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 2048, SECTION_SIZE = 32 };

#define TEN_LEVELS "a/b/c/d/e/f/g/h/i/j/"
#define FIFTY_LEVELS TEN_LEVELS TEN_LEVELS TEN_LEVELS TEN_LEVELS TEN_LEVELS
#define MANY_LEVELS "mqtt " FIFTY_LEVELS FIFTY_LEVELS "a"

static const struct line_config *red_1(const char *value)
{
    char text[TEXT_SIZE + SECTION_SIZE];

    snprintf(text, sizeof text, "[piece.red-1]\ntilt = %s\n", value);
    return &load(text)->hw.lines[SENSOR_TILT + PIECE_RED_1];
}

TEST(beams_measure_the_speed_only_if_their_times_do)
{
    static const struct {
        const char *ini;
        uint32_t gap_um;
    } cases[] = {
        {"beam = GPIO5\nbeam2 = GPIO6\n", 20000},
        {"beam = node cannon beam\nbeam2 = node cannon beam2\n", 20000},
        {"beam = node cannon beam\nbeam2 = node other beam2\n", 0},
        {"beam = GPIO5\nbeam2 = node cannon beam2\n", 0},
        {"beam = mqtt ball/one\nbeam2 = mqtt ball/two\n", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_SIZE];
        snprintf(text, sizeof text, "[cannon]\nbeam_gap_mm = 20\n%s", cases[i].ini);
        assert_int_equal(config_filter_settings(load(text)).beam_gap_um, cases[i].gap_um);
    }
}

TEST(every_form_is_written_as_it_was_read)
{
    static const char *const values[] = {
        "mqtt ship/binary_sensor/tilt/state",
        "mqtt ball ON",
        "mqtt zigbee2mqtt/blue-1 contact=false",
        "mqtt stat/x/RESULT Switch1.Action=ON",
        "mqtt home/gw/BTtoMQTT/AA rot>45",
        "mqtt x a.b<-0.5",
        "mqtt x action=tilt once",
        "mqtt x contact=null alive=x/availability alive=zigbee2mqtt/bridge/state late=1500",
        "mqtt \"my ship/state\" \"on its side\" alive=\"my ship/status\"",
        "mqtt x text=\"a b\"",
        "mqtt x \"once\"",
        "mqtt x \"a=b\"",
        "mqtt x late=0",
        "node cannon beam",
        "node reel a late=20",
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char written[TEXT_SIZE];
        struct text text = text_begin(written, sizeof written);
        const struct line_config *line = red_1(values[i]);
        assert_true(line_is_radio(line));
        config_write_line(line, true, &text);
        assert_string_equal(written, values[i]);
    }
}

TEST(options_are_stored)
{
    const struct radio_source *radio =
        &red_1("mqtt  \"a b\"  angle_x>12.5 late=700 once alive=x alive=y")->radio;

    assert_string_equal(radio->topic, "a b");
    assert_string_equal(radio->path, "angle_x");
    assert_int_equal(radio->match, MATCH_ABOVE);
    assert_true(radio->number == 12.5 && radio->is_number && radio->once && radio->has_late);
    assert_int_equal(radio->late_ms, 700);
    assert_string_equal(radio->alive[0], "x");
    assert_string_equal(radio->alive[1], "y");
}

/* The problem of a value, without what every line accepts. */
static void assert_hint(const char *value, const char *hint)
{
    char text[TEXT_SIZE + SECTION_SIZE];

    snprintf(text, sizeof text, "[piece.red-1]\ntilt = %s\n", value);
    const char *problem = problems_in(text);
    const char *end = strstr(problem, "node NODE SENSOR; ");
    if (strncmp(problem, "t:2: [piece.red-1] tilt = ", 26) != 0 || !end ||
        strncmp(end + strlen("node NODE SENSOR; "), hint, strlen(hint)) != 0) {
        fail_msg("%s: %s", value, problem);
    }
}

TEST(each_mistake_is_reported_with_what_is_accepted)
{
    char longest[600];

    assert_hint("mqtt", "expected a topic of 1 to 255 bytes");
    assert_hint("mqtt \"\"", "expected a topic of 1 to 255 bytes");
    assert_hint("mqtt a/+/b", "expected a topic without the wildcards + and #");
    assert_hint("mqtt a/#", "expected a topic without the wildcards + and #");
    assert_hint("mqtt $share/a/b", "a topic of a sensor does not begin with $share/");
    assert_hint(MANY_LEVELS, "a topic of a sensor has at most 100 levels");
    assert_hint("mqtt \"a b", "a closing \" is missing");
    assert_hint("mqtt a \"b # c\"", "a closing \" is missing");
    assert_hint("mqtt a =x", "expected a PATH");
    assert_hint("mqtt a .b=x", "expected a PATH");
    assert_hint("mqtt a b..c=x", "expected a PATH");
    assert_hint("mqtt a b=", "expected a VALUE");
    assert_hint("mqtt a b>c", "expected a decimal number after < or >");
    assert_hint("mqtt a b>1e3", "expected a decimal number after < or >");
    assert_hint("mqtt a late=10001", "expected late= once, with a number from 0 to 10000");
    assert_hint("mqtt a late=1 late=2", "expected late= once, with a number from 0 to 10000");
    assert_hint("mqtt a alive=b alive=c alive=d", "expected alive= at most twice");
    assert_hint("mqtt a alive=b/#", "expected a topic without the wildcards + and #");
    assert_hint("mqtt a b c", "expected once, alive=TOPIC or late=MS");
    assert_hint("mqtt a once once", "expected once, alive=TOPIC or late=MS");
    assert_hint("node cannon", "expected node NODE SENSOR, both 1 to 32");
    assert_hint("node can/non beam", "expected node NODE SENSOR, both 1 to 32");
    assert_hint("node cannon beam once", "expected only late=MS after the sensor of a node");
    snprintf(longest, sizeof longest, "mqtt %0256d", 0);
    assert_hint(longest, "expected a topic of 1 to 255 bytes");
    snprintf(longest, sizeof longest, "mqtt %0500d", 0);
    assert_hint(longest, "a word is too long");
}

TEST(a_source_may_be_as_long_as_its_parts)
{
    char value[TEXT_SIZE];

    snprintf(value, sizeof value, "mqtt %0255d %063d=%063d alive=%0255d alive=%0255d", 1, 2, 3, 4,
             5);
    const struct radio_source *radio = &red_1(value)->radio;
    assert_int_equal(strlen(radio->topic), 255);
    assert_int_equal(strlen(radio->path), 63);
    assert_int_equal(strlen(radio->value), 63);
    assert_int_equal(strlen(radio->alive[1]), 255);
    assert_int_equal(radio->alive[1][254], '5');
}

TEST(sources_come_and_go_without_a_restart_and_lines_do_not)
{
    static const struct {
        const char *before;
        const char *after;
        unsigned effects;
    } changes[] = {
        {"", "mqtt a", CONFIG_LIVE},           {"mqtt a", "mqtt a x=1", CONFIG_LIVE},
        {"mqtt a", "", CONFIG_LIVE},           {"GPIO17", "mqtt a", CONFIG_LIVE},
        {"mqtt a", "GPIO17", CONFIG_RESTART},  {"GPIO17", "", CONFIG_RESTART},
        {"node a b", "node a b", CONFIG_SAME},
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char text[TEXT_SIZE];
        unsigned effects;
        snprintf(text, sizeof text, "[piece.red-1]\ntilt = %s\n", changes[i].before);
        struct config current = *load(text);
        snprintf(text, sizeof text, "[piece.red-1]\ntilt = %s\n", changes[i].after);
        const struct config *next = load(text);
        update(&current, next, &effects);
        assert_int_equal(effects, changes[i].effects);
        assert_int_equal(memcmp(&current, next, sizeof current) == 0,
                         changes[i].effects != CONFIG_RESTART);
    }
}
