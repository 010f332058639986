/* What the payloads of sensors over MQTT mean. */
#include "tests/support/test.h"

#include "wire/radio.h"

#include <stdio.h>
#include <string.h>

enum { NONE = RADIO_NO_LEVEL, TEXT_SIZE = 256 };

static struct radio_reading read_text(const struct radio_source *source, const char *payload)
{
    struct radio_reading reading;

    radio_read(source, payload, strlen(payload), &reading);
    return reading;
}

static void assert_level(const struct radio_source *source, const char *payload, int level)
{
    int is = (int)read_text(source, payload).level;

    if (is != level) {
        fail_msg("%s: expected %d, got %d", payload, level, is);
    }
}

TEST(a_plain_topic_knows_the_usual_words_in_any_case)
{
    static const struct radio_source source = {.match = MATCH_WORD};
    static const char *const active[] = {"ON", "on", "1", "true", "True", "open", "PRESSED"};
    static const char *const inactive[] = {"OFF", "off", "0", "false", "closed", "Released"};
    static const char *const neither[] = {"", "ONN", "O", "ON ", "2", "{}", "null", "online"};

    for (size_t i = 0; i < sizeof active / sizeof active[0]; i++) {
        assert_level(&source, active[i], 1);
    }
    for (size_t i = 0; i < sizeof inactive / sizeof inactive[0]; i++) {
        assert_level(&source, inactive[i], 0);
    }
    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        assert_level(&source, neither[i], NONE);
    }
}

TEST(a_value_is_compared_with_the_whole_payload)
{
    static const struct radio_source source = {.match = MATCH_VALUE, .value = "on its side"};

    assert_level(&source, "on its side", 1);
    assert_level(&source, "On its side", 0);
    assert_level(&source, "on its side ", 0);
    assert_level(&source, "", 0);
}

static const struct {
    struct radio_source source;
    const char *payload;
    int level;
} members[] = {
#define MEMBER(at, is)                                                                             \
    {                                                                                              \
        .match = MATCH_MEMBER, .path = at, .value = is                                             \
    }
#define NUMBER(how, at, limit)                                                                     \
    {                                                                                              \
        .match = (how), .path = at, .number = (limit), .is_number = true                           \
    }
    {MEMBER("contact", "false"), "{\"contact\":false,\"battery\":97}", 1},
    {MEMBER("contact", "false"), "{\"contact\":true}", 0},
    {MEMBER("contact", "false"), "{\"contact\":\"false\"}", 1},
    {MEMBER("contact", "false"), "{\"battery\":97}", NONE},
    {MEMBER("contact", "false"), "{\"contact\":null}", NONE},
    {MEMBER("contact", "false"), "{\"contact\":{}}", NONE},
    {MEMBER("contact", "false"), "{\"contact\":[false]}", NONE},
    {MEMBER("contact", "null"), "{\"contact\":null}", 1},
    {MEMBER("contact", "null"), "{\"contact\":true}", 0},
    {MEMBER("contact", "null"), "{\"contact\":[]}", NONE},
    {MEMBER("contact", "false"), "{\"contact\":false", NONE},
    {MEMBER("contact", "false"), "[false]", NONE},
    {MEMBER("contact", "false"), "", NONE},
    {MEMBER("Switch1.Action", "ON"), "{\"Switch1\":{\"Action\":\"ON\"}}", 1},
    {MEMBER("Switch1.Action", "ON"), "{\"Switch1\":{\"Action\":\"OFF\"}}", 0},
    {MEMBER("Switch1.Action", "ON"), "{\"Switch1\":\"ON\"}", NONE},
    {MEMBER("Switch1", "ON"), "{\"Time\":\"2026\",\"Switch1\":\"ON\"}", 1},
    {NUMBER(MATCH_MEMBER, "state", 1), "{\"state\":1}", 1},
    {NUMBER(MATCH_MEMBER, "state", 1), "{\"state\":1.0}", 1},
    {NUMBER(MATCH_MEMBER, "state", 1), "{\"state\":2}", 0},
    {NUMBER(MATCH_ABOVE, "rot", 45), "{\"rot\":45.5,\"batt\":100}", 1},
    {NUMBER(MATCH_ABOVE, "rot", 45), "{\"rot\":45}", 0},
    {NUMBER(MATCH_ABOVE, "rot", 45), "{\"rot\":\"90\"}", NONE},
    {NUMBER(MATCH_BELOW, "rot", -1), "{\"rot\":-2}", 1},
    {NUMBER(MATCH_BELOW, "rot", -1), "{\"rot\":0}", 0},
    {NUMBER(MATCH_BELOW, "rot", -1), "{\"rot\":true}", NONE},
};

TEST(a_member_of_json_is_compared_as_its_text)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        assert_level(&members[i].source, members[i].payload, members[i].level);
    }
}

TEST(a_source_that_reports_once_has_no_inactive_level)
{
    static const struct radio_source source = {
        .match = MATCH_MEMBER, .path = "action", .value = "tilt", .once = true};

    assert_level(&source, "{\"action\":\"tilt\"}", 1);
    assert_level(&source, "{\"action\":\"vibration\"}", NONE);
}

TEST(battery_and_link_are_next_to_the_reading)
{
    static const struct radio_source source = {
        .match = MATCH_MEMBER, .path = "contact", .value = "false"};
    struct radio_reading reading =
        read_text(&source, "{\"battery\":97,\"contact\":true,\"linkquality\":131,\"rssi\":-61}");

    assert_int_equal(reading.link.battery, 97);
    assert_int_equal(reading.link.linkquality, 131);
    assert_int_equal(reading.link.rssi, -61);
    reading = read_text(&source, "{\"batt\":14.6}");
    assert_int_equal(reading.link.battery, 14);
    reading =
        read_text(&source, "{\"battery\":null,\"linkquality\":-1,\"rssi\":\"x\",\"batt\":101}");
    assert_int_equal(reading.link.battery, RADIO_UNKNOWN);
    assert_int_equal(reading.link.linkquality, RADIO_UNKNOWN);
    assert_int_equal(reading.link.rssi, RADIO_UNKNOWN);
}

TEST(a_message_that_is_too_long_is_no_reading)
{
    static const struct radio_source source = {
        .match = MATCH_MEMBER, .path = "contact", .value = "false"};
    char payload[RADIO_PAYLOAD_MAX + 2];

    snprintf(payload, sizeof payload, "{\"contact\":false%*s}", RADIO_PAYLOAD_MAX - 17, "");
    assert_int_equal(strlen(payload), RADIO_PAYLOAD_MAX);
    assert_level(&source, payload, 1);
    snprintf(payload, sizeof payload, "{\"contact\":false%*s}", RADIO_PAYLOAD_MAX - 16, "");
    assert_level(&source, payload, NONE);
}

TEST(availability_is_a_word_or_a_state)
{
    static const struct {
        const char *payload;
        int level;
    } cases[] = {
        {"online", 1},
        {"Online", 1},
        {"OFFLINE", 0},
        {"{\"state\":\"online\"}", 1},
        {"{\"state\":\"offline\"}", 0},
        {"{\"state\":1}", NONE},
        {"", NONE},
        {"on", NONE},
        {"\"online\"", NONE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(radio_read_alive(cases[i].payload, strlen(cases[i].payload)),
                         cases[i].level);
    }
}

static bool read_node(const char *payload, struct node_message *message)
{
    return radio_read_node(payload, strlen(payload), message);
}

TEST(a_node_sends_its_edges_with_their_ages_and_all_levels)
{
    static struct node_message message;

    assert_true(read_node("{\"boot\":\"a1f3\",\"n\":17,\"t\":90112233,"
                          "\"edges\":[[\"beam\",1,5230],[\"beam2\",0,1210]],"
                          "\"levels\":{\"beam\":1,\"beam2\":0}}",
                          &message));
    assert_string_equal(message.boot, "a1f3");
    assert_int_equal(message.number, 17);
    assert_int_equal(message.sent_us, 90112233);
    assert_int_equal(message.edge_count, 2);
    assert_string_equal(message.edges[0].sensor, "beam");
    assert_true(message.edges[0].level && !message.edges[1].level);
    assert_int_equal(message.edges[1].age_us, 1210);
    assert_int_equal(message.level_count, 2);
}

TEST(an_invalid_message_of_a_node_is_refused_as_a_whole)
{
    static const char *const payloads[] = {
        "",
        "[]",
        "{}",
        "{\"boot\":\"\",\"n\":1,\"t\":1,\"edges\":[],\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":-1,\"t\":1,\"edges\":[],\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":1.5,\"t\":1,\"edges\":[],\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":1,\"t\":1,\"edges\":[]}",
        "{\"boot\":\"a\",\"n\":1,\"t\":1,\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":1,\"t\":1,\"edges\":[[\"x\",1]],\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":1,\"t\":1,\"edges\":[[\"x\",2,0]],\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":1,\"t\":1,\"edges\":[[\"x\",1,2]],\"levels\":{}}",
        "{\"boot\":\"a\",\"n\":1,\"t\":1,\"edges\":[],\"levels\":{\"x\":true}}",
        ("{\"boot\":\"012345678901234567890123456789012\",\"n\":1,\"t\":1,\"edges\":[],"
         "\"levels\":{}}"),
    };
    static struct node_message message;

    for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
        assert_false(read_node(payloads[i], &message));
    }
}
