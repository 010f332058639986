/* Pairing: which sensor over MQTT a person moves. */
#include "radio_stage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct radio_stage radio;

#define ANNOUNCE(id, topic, more)                                                                  \
    "homeassistant/binary_sensor/" id "/contact/config {'state_topic':'" topic "','device':"       \
    "{'name':'" id "'}" more "}"
#define CONTACT ",'value_template':'{{ value_json[\"contact\"] }}'"

static void announce(const char *line)
{
    char text[1024];

    /* The template has quotes of its own. */
    snprintf(text, sizeof text, "%s", line);
    char *quote = strstr(text, "[\"");
    if (quote) {
        quote[1] = '\'';
        strstr(quote, "\"]")[0] = '\'';
        char escaped[1024];
        snprintf(escaped, sizeof escaped, "%.*s[\\'%.*s\\']%s", (int)(quote - text), text,
                 (int)(strstr(quote + 2, "'") - quote - 2), quote + 2, strstr(quote, "']") + 2);
        radio_hear_retained(&radio, escaped);
    } else {
        radio_hear_retained(&radio, text);
    }
}

static void begin(void)
{
    radio_begin(&radio, "");
    assert_true(fake_reply_is_ok(
        fake_table_send(&radio.stage.fake, "pair", "{\"sensor\":\"red-1.tilt\"}")));
    then_retained(&radio.stage, "pairing", "'sensor':'red-1.tilt' 'step':'tip' 'candidates':[]");
    announce(ANNOUNCE("one", "z/one", CONTACT ",'availability':[{'topic':'z/bridge'}]"));
    announce(ANNOUNCE("two", "z/two", CONTACT));
    announce(ANNOUNCE("esp", "esp/tilt/state", ",'avty_t':'esp/status'"));
}

TEST(what_changes_and_changes_back_is_the_sensor_and_its_value_in_between_is_active)
{
    begin();
    assert_true(fake_bus_is_subscribed(radio.stage.fake.bus, "z/one"));
    radio_hear(&radio, "z/two {'contact':true,'battery':100}"); /* reports something else */
    radio_hear(&radio, "z/one {'contact':false}");
    then_retained(&radio.stage, "pairing", "'step':'raise'");
    radio_hear(&radio, "z/one {'contact':true}");
    then_retained(&radio.stage, "pairing", "'step':'raise' alone");
    radio_wait_ms(&radio, 5000);
    assert_string_equal(radio.stage.fake.paired,
                        "red-1.tilt mqtt z/one contact=false alive=z/bridge");
    table_paired(radio.stage.fake.table, 0);
    then_retained(&radio.stage, "pairing", "'step':'done' 'name':'one'");
    assert_int_equal(fake_bus_subscriptions(radio.stage.fake.bus), 1);
    radio_end(&radio);
}

TEST(a_retained_state_is_what_the_sensor_changes_back_to)
{
    begin();
    radio_hear_retained(&radio, "esp/tilt/state OFF");
    radio_hear(&radio, "esp/tilt/state OFF");
    then_retained(&radio.stage, "pairing", "'step':'tip'");
    radio_hear(&radio, "esp/tilt/state ON");
    radio_hear(&radio, "esp/tilt/state OFF");
    radio_wait_ms(&radio, 1000);
    assert_string_equal(radio.stage.fake.paired,
                        "red-1.tilt mqtt esp/tilt/state ON alive=esp/status");
    radio_end(&radio);
}

TEST(a_report_before_the_first_movement_does_not_invert_the_values)
{
    begin();
    radio_hear(&radio, "z/one {'contact':true}"); /* it stands */
    radio_hear(&radio, "z/one {'contact':false}");
    radio_wait_ms(&radio, 4900);
    radio_hear(&radio, "z/one {'contact':true}");
    radio_wait_ms(&radio, 4900);
    assert_string_equal(radio.stage.fake.paired, "");
    radio_wait_ms(&radio, 100);
    assert_string_equal(radio.stage.fake.paired,
                        "red-1.tilt mqtt z/one contact=false alive=z/bridge");
    radio_end(&radio);
}

TEST(what_never_rests_is_not_paired)
{
    begin();
    for (unsigned i = 0; i < 15; i++) {
        radio_hear(&radio, i % 2 ? "z/one {'contact':true}" : "z/one {'contact':false}");
        radio_wait_ms(&radio, 4000);
    }
    assert_string_equal(radio.stage.fake.paired, "");
    then_retained(&radio.stage, "pairing", "'step':'failed' 'reason':'timeout'");
    radio_end(&radio);
}

TEST(a_name_with_a_dot_is_not_read_as_a_path)
{
    begin();
    announce(ANNOUNCE("dot", "z/dot", ",'value_template':'{{ value_json[\"A.B\"] }}'"));
    assert_false(fake_bus_is_subscribed(radio.stage.fake.bus, "z/dot"));
    radio_wait_ms(&radio, 60000);
    then_retained(&radio.stage, "pairing", "'unsupported':['dot']");
    radio_end(&radio);
}

TEST(several_that_move_are_listed_and_none_is_taken)
{
    begin();
    radio_hear(&radio, "z/one {'contact':false}");
    radio_hear(&radio, "z/two {'contact':false}");
    radio_hear(&radio, "z/one {'contact':true}");
    radio_hear(&radio, "z/two {'contact':true}");
    radio_wait_ms(&radio, 5000);
    assert_string_equal(radio.stage.fake.paired, "");
    then_retained(&radio.stage, "pairing", "'step':'tip' 'name':'one' 'name':'two' Several");
    radio_hear(&radio, "z/two {'contact':false}");
    radio_hear(&radio, "z/two {'contact':true}");
    radio_wait_ms(&radio, 1000);
    assert_string_equal(radio.stage.fake.paired, "red-1.tilt mqtt z/two contact=false");
    radio_end(&radio);
}

TEST(the_sensor_of_a_node_is_found_by_its_levels)
{
    static const char edges[] = FAKE_BASE "node/n1/edges {'boot':'a','n':%u,'t':%u,'edges':[],"
                                          "'levels':{'tilt':%u,'beam':0}}";
    char line[256];

    begin();
    for (unsigned i = 1; i <= 3; i++) {
        snprintf(line, sizeof line, edges, i, 1000 * i, i == 2);
        radio_hear(&radio, line);
    }
    radio_wait_ms(&radio, 1000);
    assert_string_equal(radio.stage.fake.paired, "red-1.tilt node n1 tilt");
    radio_end(&radio);
}

/* mosquitto closes the connection of a client that subscribes to more than 200 levels. */
TEST(what_a_broker_may_refuse_is_not_subscribed_to)
{
    char line[512];
    char levels[RADIO_LEVELS_MAX + 1];

    begin();
    unsigned subscribed = fake_bus_subscribed(radio.stage.fake.bus);
    memset(levels, '/', sizeof levels - 1);
    levels[sizeof levels - 1] = '\0';
    snprintf(line, sizeof line, ANNOUNCE("deep", "%s", ""), levels);
    radio_hear_retained(&radio, line);
    radio_hear_retained(&radio, ANNOUNCE("shared", "$share/group/topic", ""));
    radio_hear_retained(&radio, ANNOUNCE("broker", "$SYS/broker/uptime", ""));
    radio_hear_retained(&radio, ANNOUNCE("ours", "shipahoy/other/state", ""));
    assert_int_equal(fake_bus_subscribed(radio.stage.fake.bus), subscribed);
    snprintf(line, sizeof line, ANNOUNCE("tilt", "z/tilt", ",'avty_t':'%s'"), levels);
    radio_hear_retained(&radio, line);
    radio_hear(&radio, "z/tilt ON");
    radio_hear(&radio, "z/tilt OFF");
    radio_wait_ms(&radio, 5000);
    assert_string_equal(radio.stage.fake.paired, "red-1.tilt mqtt z/tilt ON");
    radio_end(&radio);
}

TEST(an_announcement_that_comes_again_is_not_subscribed_to_again)
{
    begin();
    unsigned subscribed = fake_bus_subscribed(radio.stage.fake.bus);
    announce(ANNOUNCE("two", "z/two", CONTACT));
    announce(ANNOUNCE("esp", "esp/tilt/state", ""));
    assert_int_equal(fake_bus_subscribed(radio.stage.fake.bus), subscribed);
    radio_end(&radio);
}

TEST(after_a_minute_or_when_it_cannot_be_stored_pairing_has_failed)
{
    begin();
    announce(ANNOUNCE("odd", "odd/state", ",'value_template':'{{ value|int }}'"));
    radio_wait_ms(&radio, 60000);
    then_retained(&radio.stage, "pairing",
                  "'step':'failed' 'reason':'timeout' 'listening':3 'unsupported':['odd']");
    radio_end(&radio);

    radio_begin(&radio, "");
    fake_table_send(&radio.stage.fake, "pair", "{\"sensor\":\"red-1.tilt\"}");
    radio_wait_ms(&radio, 60000);
    then_retained(&radio.stage, "pairing", "'step':'failed' 'reason':'nothing-announced'");
    radio_end(&radio);

    begin();
    radio_hear(&radio, "z/one {'contact':false}");
    radio_hear(&radio, "z/one {'contact':true}");
    radio_wait_ms(&radio, 5000);
    table_paired(radio.stage.fake.table, -EINVAL);
    then_retained(&radio.stage, "pairing", "'step':'failed' 'reason':'storage'");
    radio_end(&radio);

    begin();
    assert_true(fake_reply_is_ok(fake_table_send(&radio.stage.fake, "pair", "{}")));
    then_retained(&radio.stage, "pairing", "'step':'failed' 'reason':'cancelled'");
    radio_end(&radio);
}

TEST(the_source_of_another_sensor_is_not_taken)
{
    radio_begin(&radio, "[piece.blue-1]\ntilt = mqtt z/one contact=false\n");
    fake_table_send(&radio.stage.fake, "pair", "{\"sensor\":\"red-1.tilt\"}");
    announce(ANNOUNCE("one", "z/one", CONTACT));
    radio_hear(&radio, "z/one {'contact':false}");
    radio_hear(&radio, "z/one {'contact':true}");
    radio_wait_ms(&radio, 5000);
    assert_string_equal(radio.stage.fake.paired, "");
    then_retained(&radio.stage, "pairing", "'step':'failed' 'reason':'in-use' blue-1.tilt");
    radio_end(&radio);
}

TEST(pairing_is_refused_in_a_game_and_for_what_is_no_sensor)
{
    struct fake_table *fake = &radio.stage.fake;

    radio_begin(&radio, "");
    then_has(fake_table_send(fake, "pair", "{\"sensor\":\"red-9.tilt\"}"), "'bad-value'");
    then_has(fake_table_send(fake, "pair", "{\"sensor\":\"rope.b\"}"), "'bad-value' together");
    then_has(fake_table_send(fake, "unpair", "{}"), "'missing-field'");
    then_has(fake_table_send(fake, "pair", "{\"senser\":\"red-1.tilt\"}"), "'bad-value' mean");
    say(&radio.stage, "new-game");
    then_has(fake_table_send(fake, "pair", "{\"sensor\":\"red-1.tilt\"}"), "'game-running'");
    then_has(fake_table_send(fake, "unpair", "{\"sensor\":\"red-1.tilt\"}"), "'game-running'");
    radio_end(&radio);
}

TEST(unpair_is_answered_when_it_is_stored)
{
    struct fake_table *fake = &radio.stage.fake;

    radio_begin(&radio, "");
    assert_null(fake_table_send(fake, "unpair", "{\"sensor\":\"red-1.tilt\",\"id\":\"u\"}"));
    assert_string_equal(fake->paired, "red-1.tilt -");
    radio.stage.seen = fake_bus_count(fake->bus);
    table_paired(fake->table, 0);
    then_said(&radio.stage, "reply 'id':'u' 'ok':true");
    fake_table_send(fake, "unpair", "{\"sensor\":\"red-1.tilt\",\"id\":\"v\"}");
    radio.stage.seen = fake_bus_count(fake->bus);
    table_paired(fake->table, -ENOENT);
    then_said(&radio.stage, "reply 'id':'v' 'error':'nothing-there'");
    radio_end(&radio);
}
