/* Sensors over MQTT: messages become edges, falls and health. */
#include "radio_stage.h"
#include "table/nodes.h"

#include <stdio.h>
#include <string.h>

/* The window of 3 s, the delay of a radio sensor, and the time until a fall in both is known. */
enum { WINDOW_MS = 3000, LATE_MS = 500, GRACE_MS = 250, SETTLE_MS = 150 };

#define SHIPS                                                                                      \
    "[piece.blue-1]\ntilt = mqtt z/blue-1 contact=false alive=z/blue-1/availability "              \
    "alive=z/bridge\n"                                                                             \
    "[piece.blue-2]\ntilt = mqtt z/blue-2 contact=false\n"                                         \
    "[piece.blue-3]\ntilt = mqtt z/blue-3 action=tilt once\n"
#define NODE                                                                                       \
    "[cannon]\nbeam = node cannon beam\n[rope]\na = node reel a\nb = node reel b\n"                \
    "button = node reel button\n"

static struct radio_stage radio;

static void begin_shot(const char *ini)
{
    radio_begin(&radio, ini);
    say(&radio.stage, "new-game", "ball-left");
}

TEST(S3_a_fall_by_radio_counts_as_a_wired_one_with_its_source)
{
    begin_shot(SHIPS);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, SETTLE_MS);
    then_said(&radio.stage,
              "event/piece-toppled 'piece':'blue-1' 'sensor':'blue-1.tilt' 'source':'mqtt' "
              "'late_ms':500",
              "event/piece-captured 'piece':'blue-1'");
    radio_end(&radio);
}

TEST(S3_a_fall_by_radio_may_be_reported_late_and_a_wired_one_not)
{
    begin_shot(SHIPS);
    radio_wait_ms(&radio, WINDOW_MS + LATE_MS);
    then_nothing_said(&radio.stage);
    then_retained(&radio.stage, "state", "'shot':'open'");
    radio_end(&radio);

    begin_shot(SHIPS);
    radio_wait_ms(&radio, WINDOW_MS + LATE_MS);
    radio_hear(&radio, "z/blue-2 {'contact':false}");
    radio_wait_ms(&radio, SETTLE_MS);
    then_said(&radio.stage, "event/piece-toppled 'piece':'blue-2'", "event/piece-captured");
    radio_wait_ms(&radio, GRACE_MS);
    then_said(&radio.stage, "event/shot-over", "event/phase-started 'phase':'moving'");
    radio_end(&radio);

    begin_shot(SHIPS);
    radio_wait_ms(&radio, WINDOW_MS + 1);
    radio_wired(&radio, SENSOR_TILT + PIECE_GREEN_1, true);
    radio_wait_ms(&radio, LATE_MS + GRACE_MS);
    then_said(&radio.stage, "event/disturbance 'pieces':['green-1']", "event/shot-over",
              "event/phase-started");
    radio_end(&radio);
}

TEST(S3_what_arrives_later_than_late_is_a_disturbance)
{
    begin_shot(SHIPS);
    radio_wait_ms(&radio, WINDOW_MS + LATE_MS + 1);
    radio_hear(&radio, "z/blue-2 {'contact':false}");
    radio_wait_ms(&radio, 1000);
    then_said(&radio.stage, "event/shot-over", "event/phase-started",
              "event/disturbance 'pieces':['blue-2']");
    radio_end(&radio);
}

TEST(S9_a_person_ends_the_waiting_at_once)
{
    begin_shot(SHIPS);
    radio_wait_ms(&radio, WINDOW_MS + 100);
    say(&radio.stage, "end-phase");
    radio_wait_ms(&radio, 100);
    radio_hear(&radio, "z/blue-2 {'contact':false}");
    radio_wait_ms(&radio, 1000);
    then_said(&radio.stage, "event/disturbance 'pieces':['blue-2']");
    radio_end(&radio);
}

TEST(S3_without_a_piece_by_radio_in_play_the_window_is_as_ever)
{
    begin_shot("[harbour.red]\ndock = mqtt dock\n[piece.monster]\ntilt = mqtt monster\n");
    radio_wait_ms(&radio, WINDOW_MS + GRACE_MS);
    then_said(&radio.stage, "event/shot-over", "event/phase-started 'phase':'moving'");
    radio_end(&radio);
}

TEST(S3_the_window_waits_for_the_latest_source)
{
    begin_shot(SHIPS "[piece.red-1]\ntilt = mqtt red late=2000\n");
    radio_wait_ms(&radio, WINDOW_MS + 2000 + GRACE_MS - 1);
    then_nothing_said(&radio.stage);
    radio_wait_ms(&radio, 1);
    then_said(&radio.stage, "event/shot-over", "event/phase-started");
    radio_end(&radio);
}

TEST(a_retained_message_sets_the_level_and_is_never_an_edge)
{
    begin_shot(SHIPS);
    radio_hear_retained(&radio, "z/blue-1 {'contact':false}");
    then_said(&radio.stage, "event/disturbance 'pieces':['blue-1']");
    radio_wait_ms(&radio, WINDOW_MS);
    then_nothing_said(&radio.stage);
    radio_end(&radio);
}

TEST(a_repeated_level_is_not_an_edge)
{
    radio_begin(&radio, SHIPS);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, 1000);
    then_retained(&radio.stage, "ready", "'blue-1.tilt' 'ready':false");
    say(&radio.stage, "anyway", "ball-left");
    radio_hear(&radio, "z/blue-1 {'contact':false,'battery':97}");
    radio_hear(&radio, "z/blue-1 {'battery':97}");
    radio_wait_ms(&radio, 1000);
    then_nothing_said(&radio.stage);
    radio_end(&radio);
}

TEST(contradicting_reports_are_debounced)
{
    begin_shot(SHIPS);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, 50);
    radio_hear(&radio, "z/blue-1 {'contact':true}");
    radio_wait_ms(&radio, 50);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, 50);
    radio_hear(&radio, "z/blue-1 {'contact':true}");
    radio_wait_ms(&radio, 1000);
    then_nothing_said(&radio.stage);
    radio_end(&radio);
}

TEST(once_is_reset_by_raise_and_by_a_new_game)
{
    radio_begin(&radio, SHIPS);
    say(&radio.stage, "new-game", "end-phase");
    radio_hear(&radio, "z/blue-3 {'action':'tilt'}");
    radio_wait_ms(&radio, 1000);
    then_said(&radio.stage, "event/disturbance 'pieces':['blue-3']");
    radio_hear(&radio, "z/blue-3 {'action':'vibration'}");
    radio_hear(&radio, "z/blue-3 {'action':'tilt'}");
    radio_wait_ms(&radio, 1000);
    then_nothing_said(&radio.stage);
    say(&radio.stage, "raise blue-3");
    radio_filter(&radio);
    radio_hear(&radio, "z/blue-3 {'action':'tilt'}");
    radio_wait_ms(&radio, 1000);
    then_said(&radio.stage, "event/disturbance 'pieces':['blue-3']");
    say(&radio.stage, "abandon");
    radio_filter(&radio);
    radio_wait_ms(&radio, 1000);
    then_nothing_said(&radio.stage);
    radio_end(&radio);
}

TEST(S7_falls_that_arrive_together_are_no_knock)
{
    radio_begin(&radio, SHIPS);
    say(&radio.stage, "new-game", "end-phase");
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_hear(&radio, "z/blue-2 {'contact':false}");
    radio_wait_ms(&radio, 2000);
    then_said(&radio.stage, "event/disturbance 'pieces':['blue-1']",
              "event/disturbance 'pieces':['blue-2']");
    radio_hear(&radio, "z/blue-1 {'contact':true}");
    radio_hear(&radio, "z/blue-2 {'contact':true}");
    radio_wait_ms(&radio, 1000);
    radio_wired(&radio, SENSOR_TILT + PIECE_RED_TOWER, true);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, 2000);
    then_said(&radio.stage, "event/disturbance 'pieces':['red-tower','blue-1']");
    radio_end(&radio);
}

TEST(an_offline_sensor_is_silent_until_it_is_online_or_reports)
{
    radio_begin(&radio, SHIPS);
    radio_hear_retained(&radio, "z/blue-1/availability {'state':'offline'}");
    radio_hear_retained(&radio, "z/blue-1 {'contact':true,'linkquality':90}");
    radio_wait_ms(&radio, 600);
    then_retained(&radio.stage, "sensor/blue-1/tilt",
                  "'health':'silent' 'source':'mqtt' 'heard':false 'linkquality':90");
    then_retained(&radio.stage, "ready", "'blue-1.tilt' is silent");
    radio_hear(&radio, "z/bridge offline");
    radio_hear(&radio, "z/blue-1/availability {'state':'online'}");
    then_retained(&radio.stage, "sensor/blue-1/tilt", "'health':'silent'");
    radio_hear(&radio, "z/bridge online");
    then_retained(&radio.stage, "sensor/blue-1/tilt", "'health':'ok'");
    radio_hear(&radio, "z/bridge offline");
    radio_hear(&radio, "z/blue-1 {'contact':true}");
    radio_wait_ms(&radio, 1000);
    then_retained(&radio.stage, "sensor/blue-1/tilt", "'health':'ok' 'heard':true");
    radio_end(&radio);
}

TEST(S3_a_fall_counts_although_its_sensor_is_silent_before_it_has_settled)
{
    begin_shot(SHIPS);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, SETTLE_MS / 2);
    radio_hear(&radio, "z/blue-1/availability offline");
    radio_wait_ms(&radio, SETTLE_MS);
    then_said(&radio.stage, "event/piece-toppled 'piece':'blue-1'", "event/piece-captured");
    radio_end(&radio);
}

TEST(without_the_broker_all_are_silent_and_a_changed_level_is_an_edge)
{
    begin_shot(SHIPS);
    radio_hear(&radio, "z/blue-1 {'contact':true}");
    radio_disconnect(&radio);
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_BLUE_1].state, HEALTH_SILENT);
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_GREEN_1].state, HEALTH_OK);
    radio_connect(&radio);
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_BLUE_1].state, HEALTH_OK);
    radio_wait_ms(&radio, 100);
    radio_hear(&radio, "z/blue-1 {'contact':false}");
    radio_wait_ms(&radio, 1000);
    then_said(&radio.stage, "event/piece-toppled 'piece':'blue-1'", "event/piece-captured");
    radio_end(&radio);
}

TEST(what_is_not_heard_or_has_a_low_battery_is_listed_and_prevents_nothing)
{
    radio_begin(&radio, SHIPS NODE);
    then_retained(&radio.stage, "ready", "'ready':true 'cannon.beam");
    then_has(fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "ready"), "tip");
    assert_non_null(strstr(fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "ready"),
                           "blue-2 has not reported yet: tip it once."));
    radio_hear(&radio, "z/blue-2 {'contact':true,'battery':14}");
    radio_wait_ms(&radio, 1000);
    then_retained(&radio.stage, "ready", "'ready':true");
    const char *ready = fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "ready");
    assert_null(strstr(ready, "blue-2 has not reported yet"));
    assert_non_null(strstr(ready, "blue-2 has a battery at 14 %: replace it soon."));
    then_retained(&radio.stage, "sensor/blue-2/tilt", "'heard':true 'battery':14");
    radio_end(&radio);
}

TEST(a_battery_that_is_low_in_turns_is_published_twice_a_second)
{
    radio_begin(&radio, SHIPS);
    radio_hear(&radio, "z/blue-2 {'contact':true,'battery':50}");
    radio_wait_ms(&radio, 1000);
    size_t before = fake_bus_count(radio.stage.fake.bus);
    for (unsigned i = 0; i < 100; i++) {
        radio_hear(&radio, i % 2 ? "z/blue-2 {'battery':16}" : "z/blue-2 {'battery':14}");
        radio_wait_ms(&radio, 10);
    }
    assert_in_range(fake_bus_count(radio.stage.fake.bus) - before, 1, 6);
    radio_end(&radio);
}

TEST(a_source_that_sends_nothing_for_too_long_is_silent)
{
    radio_begin(&radio, SHIPS "[radio]\nquiet_s = 60\n");
    radio_wait_ms(&radio, 59999);
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_BLUE_1].state, HEALTH_OK);
    radio_hear(&radio, "z/blue-2 {'battery':50}");
    radio_wait_ms(&radio, 1);
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_BLUE_1].state, HEALTH_SILENT);
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_BLUE_2].state, HEALTH_OK);
    radio_hear(&radio, "z/blue-1 {'contact':true}");
    assert_int_equal(radio.filters.health[SENSOR_TILT + PIECE_BLUE_1].state, HEALTH_OK);
    radio_end(&radio);
}

TEST(subscriptions_follow_the_configuration)
{
    const struct fake_bus *bus;

    radio_begin(&radio, SHIPS NODE);
    bus = radio.stage.fake.bus;
    assert_int_equal(fake_bus_subscriptions(bus), 1 + 5 + 2 * 3);
    assert_true(fake_bus_is_subscribed(bus, "z/bridge"));
    assert_true(fake_bus_is_subscribed(bus, FAKE_BASE "node/reel/edges"));
    fake_table_read_config(&radio.stage.fake.config,
                           "[piece.blue-1]\ntilt = mqtt other contact=false alive=z/bridge\n");
    table_configured(radio.stage.fake.table);
    assert_int_equal(fake_bus_subscriptions(bus), 1 + 2);
    assert_true(fake_bus_is_subscribed(bus, "other"));
    assert_true(fake_bus_is_subscribed(bus, "z/bridge"));
    assert_true(radio.stage.fake.is_radio[SENSOR_TILT + PIECE_BLUE_1]);
    assert_false(radio.stage.fake.is_radio[SENSOR_CANNON_BEAM]);
    radio_disconnect(&radio);
    radio_connect(&radio);
    assert_int_equal(fake_bus_subscriptions(bus), 1 + 2);
    radio_end(&radio);
}

/* What is retained of it would otherwise be shown for ever. */
TEST(a_sensor_that_is_not_configured_any_more_has_no_topic)
{
    radio_begin(&radio, SHIPS);
    then_retained(&radio.stage, "sensor/blue-1/tilt", "'source':'mqtt'");
    fake_table_read_config(&radio.stage.fake.config, "");
    table_configured(radio.stage.fake.table);
    assert_string_equal(fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "sensor/blue-1/tilt"),
                        "");
    radio_end(&radio);
}

TEST(what_an_earlier_daemon_has_left_is_cleared_after_a_connection)
{
    const struct fake_bus *bus;

    radio_begin(&radio, SHIPS);
    bus = radio.stage.fake.bus;
    size_t count = fake_bus_count(bus);
    radio_hear_retained(&radio, FAKE_BASE "sensor/blue-1/tilt {'value':1}");
    assert_int_equal(fake_bus_count(bus), count);
    radio_hear_retained(&radio, FAKE_BASE "sensor/red-1/tilt {'value':1}");
    radio_hear_retained(&radio, FAKE_BASE "sensor/an.older/name {'value':1}");
    assert_int_equal(fake_bus_count(bus), count + 2);
    assert_string_equal(fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "sensor/red-1/tilt"), "");
    assert_string_equal(fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "sensor/an.older/name"),
                        "");
    assert_true(fake_bus_is_subscribed(bus, FAKE_BASE "sensor/#"));
    radio_hear(&radio, FAKE_BASE "sensor/blue-1/tilt {'value':0}"); /* our own */
    assert_false(fake_bus_is_subscribed(bus, FAKE_BASE "sensor/#"));
    radio_end(&radio);
}

TEST(the_rope_counts_over_topics_from_the_first_known_levels)
{
    static const struct {
        const char *line;
        int32_t counts; /* after it */
    } messages[] = {{"reel/a ON", 0},  {"reel/b ON", 0},  {"reel/a OFF", 1},
                    {"reel/b OFF", 2}, {"reel/b OFF", 2}, {"reel/a ON", 3}};

    radio_begin(&radio, "[rope]\na = mqtt reel/a\nb = mqtt reel/b\n");
    for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        radio_hear(&radio, messages[i].line);
        radio_wait_ms(&radio, 1);
        assert_int_equal(radio.filters.rope.counts, messages[i].counts);
    }
    assert_int_equal(radio.filters.rope.impossible, 0);
    radio_end(&radio);
}

/*
 * Nodes
 */

TEST(the_times_of_a_node_give_the_pulse)
{
    radio_begin(&radio, NODE);
    say(&radio.stage, "new-game");
    radio_hear(&radio, FAKE_BASE "node/cannon/edges {'boot':'a','n':1,'t':1000000,'edges':"
                                 "[['beam',1,5230],['beam',0,1230]],'levels':{'beam':0}}");
    radio_wait_ms(&radio, 100);
    then_said(&radio.stage, "event/shot-fired 'width_us':4000 'source':'mqtt'");
    radio_end(&radio);
}

TEST(a_message_that_comes_again_or_from_an_earlier_boot_is_dropped)
{
    static const char shot[] = FAKE_BASE "node/cannon/edges {'boot':'%s','n':%u,'t':%u,'edges':"
                                         "[['beam',1,5230],['beam',0,1230]],'levels':{'beam':0}}";
    static const struct {
        const char *boot;
        unsigned number;
        uint32_t edges; /* in all */
    } messages[] = {{"a", 7, 2}, {"a", 7, 2}, {"a", 6, 2}, {"a", 8, 4},
                    {"b", 1, 6}, {"a", 9, 6}, {"b", 2, 8}};
    char line[512];

    radio_begin(&radio, NODE);
    for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        snprintf(line, sizeof line, shot, messages[i].boot, messages[i].number, 1000000 * (i + 1));
        radio_hear(&radio, line);
        radio_wait_ms(&radio, 1000);
        assert_int_equal(radio.filters.health[SENSOR_CANNON_BEAM].edges, messages[i].edges);
    }
    radio_end(&radio);
}

TEST(the_rope_counts_over_a_node_and_reports_what_was_lost)
{
    radio_begin(&radio, NODE);
    radio_hear(&radio, FAKE_BASE "node/reel/edges {'boot':'a','n':1,'t':9000000,'edges':[],"
                                 "'levels':{'a':1,'b':1,'button':0}}");
    assert_int_equal(radio.filters.rope.counts, 0);
    /* The second message is faster than the first: the clocks are compared anew. */
    radio_hear(&radio, FAKE_BASE "node/reel/edges {'boot':'a','n':2,'t':9100000,'edges':"
                                 "[['a',0,300],['b',0,200],['a',1,100]],"
                                 "'levels':{'a':1,'b':0,'button':0}}");
    assert_int_equal(radio.filters.rope.counts, 3);
    assert_int_equal(radio.filters.rope.impossible, 0);
    radio_hear(&radio, FAKE_BASE "node/reel/edges {'boot':'a','n':4,'t':9200000,'edges':[],"
                                 "'levels':{'a':0,'b':0,'button':0}}");
    assert_int_equal(radio.filters.rope.counts, 3);
    assert_true(radio.filters.rope.impossible > 0);
    radio_end(&radio);
}

TEST(a_ball_that_is_reported_late_explains_what_fell_after_it)
{
    radio_begin(&radio, NODE);
    say(&radio.stage, "new-game");
    radio_hear(&radio, FAKE_BASE "node/cannon/edges {'boot':'a','n':1,'t':1000000,'edges':[],"
                                 "'levels':{'beam':0}}");
    radio_wait_ms(&radio, 100);
    radio_wired(&radio, SENSOR_TILT + PIECE_BLUE_1, true);
    radio_wait_ms(&radio, 400);
    then_nothing_said(&radio.stage);
    /* It left 450 ms ago, by the node's clock, and its message was under way for 350 ms. */
    radio_hear(&radio, FAKE_BASE "node/cannon/edges {'boot':'a','n':2,'t':1150000,'edges':"
                                 "[['beam',1,100000],['beam',0,96000]],'levels':{'beam':0}}");
    radio_wait_ms(&radio, 100);
    then_said(&radio.stage, "event/shot-fired", "event/piece-toppled 'piece':'blue-1'",
              "event/piece-captured");
    radio_end(&radio);
}

TEST(a_node_that_goes_offline_makes_its_sensors_silent)
{
    radio_begin(&radio, NODE);
    radio_hear_retained(&radio, FAKE_BASE "node/reel/status offline");
    radio_hear_retained(&radio, FAKE_BASE "node/reel/info {'v':1,'battery':9,'rssi':-61}");
    radio_wait_ms(&radio, 600);
    then_retained(&radio.stage, "sensor/rope/a", "'health':'silent' 'battery':9 'rssi':-61");
    assert_int_equal(radio.filters.health[SENSOR_CANNON_BEAM].state, HEALTH_OK);
    radio_hear(&radio, FAKE_BASE "node/reel/status online");
    then_retained(&radio.stage, "sensor/rope/a", "'health':'ok'");
    radio_end(&radio);
}

TEST(an_edge_from_before_the_start_is_as_old_as_the_last_record)
{
    radio_begin(&radio, NODE);
    say(&radio.stage, "new-game");
    radio_wait_ms(&radio, 100000);
    stage_restart(&radio.stage);
    radio_hear(&radio, FAKE_BASE "node/cannon/edges {'boot':'a','n':1,'t':90000000,'edges':"
                                 "[['beam',1,50005000],['beam',0,50001000]],'levels':{'beam':0}}");
    radio_wait_ms(&radio, 1);
    then_said(&radio.stage, "event/shot-fired 'width_us':4000");
    assert_int_equal(table_game(radio.stage.fake.table)->turn.shot_at_us, 0);
    radio_end(&radio);
}

/* The clock of the node is slower than ours by 100 ppm, so that its messages seem to be late. */
TEST(the_clock_of_a_node_may_drift)
{
    static struct node_message message = {.boot = "a1f3", .number = 1};
    const uint64_t late_us = FAKE_SECOND_US / 2;
    struct node node = {0};
    uint64_t now_us = FAKE_SECOND_US;

    assert_int_equal(node_accept(&node, &message, now_us), NODE_BOOTED);
    message.number = 2;
    message.sent_us = 1000 * FAKE_SECOND_US - FAKE_SECOND_US / 10;
    now_us += 1000 * FAKE_SECOND_US;
    assert_int_equal(node_accept(&node, &message, now_us), NODE_NEXT);
    assert_int_equal(node_sent_us(&node, &message, now_us, late_us), now_us);
    message.number = 3;
    now_us += late_us / 2; /* which is how late this one is */
    assert_int_equal(node_accept(&node, &message, now_us), NODE_NEXT);
    assert_in_range(node_sent_us(&node, &message, now_us, late_us), now_us - late_us / 2,
                    now_us - late_us / 2 + 100);
}
