/* Commands and their replies, at the table itself. */
#include "stage.h"

#include "tests/support/fake_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *send(struct stage *stage, const char *verb, const char *json)
{
    stage->seen = fake_bus_count(stage->fake.bus);
    return fake_table_send(&stage->fake, verb, quoted(json));
}

static void an_accepted_command_is_answered_with_its_seq_after_its_events(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "new-game", "{'id':'a'}");
    then_said(&stage, "event/game-started 'seq':1 'first':1", "event/turn-started 'seq':2",
              "event/phase-started 'seq':3 'phase':'shooting'",
              "reply {'id':'a','ok':true,'seq':3,'messages':[");
    then_retained(&stage, "state", "'seq':3 'phase':'shooting'");
    then_retained(&stage, "score", "'seq':3 'phase':'shooting'");
    stage_end(&stage);
}

static void a_command_without_an_id_is_carried_out_each_time(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "aim red-1", "aim red-1");
    then_said(&stage, "event/aimed 'seq':5", "reply {'id':null,'ok':true,'seq':5,'messages':[");
    stage_end(&stage);
}

static void a_repeated_id_is_carried_out_once_and_answered_alike(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    send(&stage, "aim", "{'id':'a','piece':'red-1'}");
    then_said(&stage, "event/aimed 'seq':4", "reply {'id':'a','ok':true,'seq':4,'messages':[");
    say(&stage, "aim red-2");
    send(&stage, "aim", "{'id':'a','piece':'red-1'}");
    then_said(&stage, "reply {'id':'a','ok':true,'seq':4,'messages':[");
    send(&stage, "end-phase", "{'id':'a'}");
    then_said(&stage, "reply {'id':'a','ok':true,'seq':4,'messages':[");
    stage_end(&stage);
}

static void a_repeated_id_is_answered_alike_after_a_restart(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "new-game", "{'id':'a'}");
    send(&stage, "aim", "{'id':'b','piece':'red-1'}");
    stage_restart(&stage);
    send(&stage, "aim", "{'id':'b','piece':'red-1'}");
    then_said(&stage, "reply {'id':'b','ok':true,'seq':4,'messages':[");
    send(&stage, "new-game", "{'id':'a','abandon':true}");
    then_said(&stage, "reply {'id':'a','ok':true,'seq':3,'messages':[");
    stage_end(&stage);
}

static void a_refusal_is_answered_alike_too_and_changes_nothing(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    send(&stage, "roll-move", "{'id':'a','value':2}");
    then_said(&stage, "reply 'id':'a' 'ok':false 'error':'not-in-phase' 'rule':'G3'");
    say(&stage, "end-phase");
    send(&stage, "roll-move", "{'id':'a','value':2}");
    then_said(&stage, "reply 'id':'a' 'ok':false 'error':'not-in-phase' 'rule':'G3'");
    send(&stage, "roll-move", "{'id':'b','value':2}");
    then_said(&stage, "event/move-rolled", "reply 'id':'b' 'ok':true");
    stage_end(&stage);
}

/* A viewer may send history with the id that somebody else is about to use. */
static void queries_and_what_cannot_be_read_leave_their_id_free(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "history", "{'id':'a'}");
    then_said(&stage, "reply 'id':'a' 'error':'no-game'");
    send(&stage, "history", "{'id':'a','from':'x'}");
    then_said(&stage, "reply 'id':'a' 'error':'bad-value'");
    send(&stage, "aim", "{'id':'a','piece':'red-9'}");
    then_said(&stage, "reply 'id':'a' 'error':'unknown-piece'");
    send(&stage, "dance", "{'id':'a'}");
    then_said(&stage, "reply 'id':'a' 'error':'unknown-command'");
    send(&stage, "aim", "not json");
    then_said(&stage, "reply 'id':null 'error':'bad-json'");
    then_has(send(&stage, "new-game", "{'id':'a'}"), "'id':'a','ok':true,'seq':3");
    stage_end(&stage);
}

/* Else a query with the id of a command would cost a look through the whole game each time. */
static void a_query_with_the_id_of_a_command_is_a_query(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "new-game", "{'id':'a'}");
    then_has(send(&stage, "history", "{'id':'a','from':3}"),
             "'id':'a' 'ok':true 'events':[ 'seq':3,");
    stage_end(&stage);
}

static void a_retained_command_is_ignored(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    stage.seen = fake_bus_count(stage.fake.bus);
    fake_table_message(&stage.fake, &(struct bus_news){
                                        .kind = BUS_MESSAGE,
                                        .topic = FAKE_BASE "command/new-game",
                                        .payload = "{}",
                                        .size = 2,
                                        .retained = true,
                                    });
    then_nothing_said(&stage);
    assert_int_equal(table_game(stage.fake.table)->phase, PHASE_LOBBY);
    assert_true(fake_log_has("retained"));
    stage_end(&stage);
}

static const struct fake_message *ask_for_answer_to(struct stage *stage, const char *topic,
                                                    const void *correlation, size_t size)
{
    fake_table_message(&stage->fake, &(struct bus_news){
                                         .kind = BUS_MESSAGE,
                                         .topic = FAKE_BASE "command/aim",
                                         .payload = "{}",
                                         .size = 2,
                                         .response_topic = topic,
                                         .correlation = correlation,
                                         .correlation_size = size,
                                     });
    return fake_bus_message(stage->fake.bus, fake_bus_count(stage->fake.bus) - 1);
}

static void the_reply_goes_to_the_response_topic_with_its_correlation_data(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    const struct fake_message *reply =
        ask_for_answer_to(&stage, FAKE_BASE "reply/phone-7", "x\0y", 3);
    assert_string_equal(reply->topic, FAKE_BASE "reply/phone-7");
    assert_int_equal(reply->correlation_size, 3);
    assert_memory_equal(reply->correlation, "x\0y", 3);
    assert_false(reply->retain);
    assert_int_equal(reply->qos, 1);
    then_has(reply->payload, "'ok':false 'error':'missing-field'");
    stage_end(&stage);
}

#define SIXTEEN "0123456789abcdef"
#define SIXTY_FOUR SIXTEEN SIXTEEN SIXTEEN SIXTEEN

/* The daemon may write where whoever asks may not, and a broker may hang up on a strange topic. */
static void a_response_topic_that_is_not_below_reply_is_ignored(void **state)
{
    static const char *const taken[] = {
        FAKE_BASE "reply/a",
        FAKE_BASE "reply/Phone_7-b",
        FAKE_BASE "reply/" SIXTY_FOUR,
    };
    static const char *const ignored[] = {
        "",
        "phone/7",
        "zigbee2mqtt/bridge/request/restart",
        "homeassistant/device/x/config",
        "shipahoy/attic/reply/a",
        FAKE_BASE,
        FAKE_BASE "status",
        FAKE_BASE "command/undo",
        FAKE_BASE "reply",
        FAKE_BASE "reply/",
        FAKE_BASE "reply/a/b",
        FAKE_BASE "reply/a/",
        FAKE_BASE "reply/+",
        FAKE_BASE "reply/#",
        FAKE_BASE "reply/a.b",
        FAKE_BASE "reply/a b",
        FAKE_BASE "reply/\u00e9",
        FAKE_BASE "reply/" SIXTY_FOUR "0",
    };
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        assert_string_equal(ask_for_answer_to(&stage, taken[i], NULL, 0)->topic, taken[i]);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        const struct fake_message *reply = ask_for_answer_to(&stage, ignored[i], "x", 1);
        assert_string_equal(reply->topic, FAKE_BASE "reply");
        assert_int_equal(reply->correlation_size, 0);
    }
    stage_end(&stage);
}

/* A part of it would be the data of somebody else's question. */
static void with_too_much_correlation_data_the_response_topic_is_ignored(void **state)
{
    static const char data[CORRELATION_MAX + 1];
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    const struct fake_message *reply =
        ask_for_answer_to(&stage, FAKE_BASE "reply/a", data, CORRELATION_MAX);
    assert_string_equal(reply->topic, FAKE_BASE "reply/a");
    assert_int_equal(reply->correlation_size, CORRELATION_MAX);
    reply = ask_for_answer_to(&stage, FAKE_BASE "reply/a", data, CORRELATION_MAX + 1);
    assert_string_equal(reply->topic, FAKE_BASE "reply");
    assert_int_equal(reply->correlation_size, 0);
    stage_end(&stage);
}

static void start_game_begins_a_game_but_never_leaves_one(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    then_has(fake_table_send(&stage.fake, "start-game", "{}"), "'ok':true");
    then_has(fake_table_send(&stage.fake, "start-game", "{}"), "'error':'game-running'");
    then_has(fake_table_send(&stage.fake, "start-game", "{\"abandon\":true}"),
             "'error':'bad-value'");
    then_has(fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}"), "'ok':true");
    stage_end(&stage);
}

static void without_commands_over_mqtt_nothing_is_carried_out_or_answered(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[mqtt]\ncommands = no\n[button.end]\nline = GPIO5\ncommand = new-game\n");
    say(&stage, "new-game");
    then_nothing_said(&stage);
    say(&stage, "button 0");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    stage_end(&stage);
}

static void a_message_for_another_table_is_not_heard(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    stage.seen = fake_bus_count(stage.fake.bus);
    fake_table_message(&stage.fake, &(struct bus_news){
                                        .kind = BUS_MESSAGE,
                                        .topic = "shipahoy/attic/command/new-game",
                                        .payload = "{}",
                                        .size = 2,
                                    });
    then_nothing_said(&stage);
    assert_int_equal(table_game(stage.fake.table)->phase, PHASE_LOBBY);
    stage_end(&stage);
}

static void simulated_edges_are_taken_over_the_bus(void **state)
{
    struct stage stage;
    struct bus_news edge = {
        .kind = BUS_MESSAGE, .topic = FAKE_BASE "sim/blue-2/tilt", .payload = "1", .size = 1};

    (void)state;
    stage_begin(&stage, "");
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "blue-2.tilt 1");
    edge.payload = "0";
    edge.retained = true;
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "blue-2.tilt 1");
    edge.retained = false;
    edge.payload = "2";
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "blue-2.tilt 1");
    assert_true(fake_log_has("expected 0 or 1"));
    edge.payload = "1";
    edge.topic = FAKE_BASE "sim/harbour/red/dock";
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "harbour.red.dock 1");
    edge.topic = FAKE_BASE "sim/blue-2.tilt"; /* as topics once were */
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "harbour.red.dock 1");
    stage_end(&stage);
}

/*
 * History
 */

static void history_gives_the_events_since_with_their_first_words(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left speed_mps=4.125");
    const char *event = fake_bus_message(stage.fake.bus, stage.seen)->payload;
    const char *reply = send(&stage, "history", "{'id':'h','from':4}");
    char expected[2048];
    snprintf(expected, sizeof expected,
             "{\"id\":\"h\",\"ok\":true,\"seq\":4,\"more\":false,\"events\":[%s]}", event);
    assert_string_equal(reply, expected);
    reply = send(&stage, "history", "{'from':5}");
    then_has(reply, "'seq':4 'more':false 'events':[]");
    stage_end(&stage);
}

static void history_that_does_not_fit_says_that_there_is_more(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    for (unsigned i = 0; i < 120; i++) {
        say(&stage, "aim red-1");
    }
    const char *reply = send(&stage, "history", "{}");
    then_has(reply, "'seq':123 'more':true 'seq':100,");
    assert_null(strstr(reply, "\"seq\":101,"));
    reply = send(&stage, "history", "{'from':101}");
    then_has(reply, "'more':false 'seq':101, 'seq':123,");
    stage_end(&stage);
}

static void history_in_the_lobby_is_refused(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    then_has(send(&stage, "history", "{}"), "'ok':false 'error':'no-game'");
    stage_end(&stage);
}

static void history_needs_no_disk(void **state)
{
    const struct fake_faults broken = {.fail_at = 1, .fail_count = 1000, .fail_errno = 5};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_disk_set_faults(stage.fake.disk, &broken);
    then_has(send(&stage, "history", "{'id':'h'}"), "'id':'h' 'ok':true 'seq':3,");
    stage_end(&stage);
}

enum { SOON_US = 10 };

static void post_query(struct stage *stage)
{
    fake_table_message(&stage->fake, &(struct bus_news){
                                         .kind = BUS_MESSAGE,
                                         .topic = FAKE_BASE "command/history",
                                         .payload = "",
                                         .response_topic = FAKE_BASE "reply/asker",
                                     });
}

static unsigned count_answers_to_queries(const struct stage *stage)
{
    unsigned count = 0;

    for (size_t i = 0; i < fake_bus_count(stage->fake.bus); i++) {
        count += strcmp(fake_bus_message(stage->fake.bus, i)->topic, FAKE_BASE "reply/asker") == 0;
    }
    return count;
}

static void a_flood_of_queries_is_bounded_and_commands_do_not_wait_for_it(void **state)
{
    enum { FLOOD = 1000, KEPT = 64 };
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    for (unsigned i = 0; i < FLOOD; i++) {
        post_query(&stage);
    }
    assert_int_equal(count_answers_to_queries(&stage), 0);
    then_has(send(&stage, "aim", "{'id':'a','piece':'red-1'}"), "'id':'a' 'ok':true");
    fake_table_wait(&stage.fake, SOON_US);
    assert_int_equal(count_answers_to_queries(&stage), 1); /* and the next not at once */
    fake_table_wait(&stage.fake, 5 * FAKE_SECOND_US);
    assert_int_equal(count_answers_to_queries(&stage), KEPT);
    post_query(&stage);
    fake_table_wait(&stage.fake, SOON_US);
    assert_int_equal(count_answers_to_queries(&stage), KEPT + 1);
    stage_end(&stage);
}

static void a_slow_broker_gets_the_reply_to_one_query_at_a_time(void **state)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_bus_set_faults(stage.fake.bus, &slow);
    fake_table_hear(&stage.fake);
    for (unsigned i = 0; i < 3; i++) {
        post_query(&stage);
    }
    fake_table_wait(&stage.fake, 5 * FAKE_SECOND_US);
    assert_int_equal(count_answers_to_queries(&stage), 1);
    fake_bus_acknowledge(stage.fake.bus, 100, false);
    fake_table_hear(&stage.fake);
    fake_table_wait(&stage.fake, SOON_US);
    assert_int_equal(count_answers_to_queries(&stage), 2);
    /* Whoever asked over a connection that is lost asks again. */
    fake_table_connect(&stage.fake);
    fake_table_wait(&stage.fake, FAKE_SECOND_US);
    assert_int_equal(count_answers_to_queries(&stage), 2);
    post_query(&stage);
    fake_table_wait(&stage.fake, FAKE_SECOND_US);
    assert_int_equal(count_answers_to_queries(&stage), 3);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accepted_command_is_answered_with_its_seq_after_its_events),
        cmocka_unit_test(a_command_without_an_id_is_carried_out_each_time),
        cmocka_unit_test(a_repeated_id_is_carried_out_once_and_answered_alike),
        cmocka_unit_test(a_repeated_id_is_answered_alike_after_a_restart),
        cmocka_unit_test(a_refusal_is_answered_alike_too_and_changes_nothing),
        cmocka_unit_test(queries_and_what_cannot_be_read_leave_their_id_free),
        cmocka_unit_test(a_query_with_the_id_of_a_command_is_a_query),
        cmocka_unit_test(a_retained_command_is_ignored),
        cmocka_unit_test(the_reply_goes_to_the_response_topic_with_its_correlation_data),
        cmocka_unit_test(a_response_topic_that_is_not_below_reply_is_ignored),
        cmocka_unit_test(with_too_much_correlation_data_the_response_topic_is_ignored),
        cmocka_unit_test(start_game_begins_a_game_but_never_leaves_one),
        cmocka_unit_test(without_commands_over_mqtt_nothing_is_carried_out_or_answered),
        cmocka_unit_test(a_message_for_another_table_is_not_heard),
        cmocka_unit_test(simulated_edges_are_taken_over_the_bus),
        cmocka_unit_test(history_gives_the_events_since_with_their_first_words),
        cmocka_unit_test(history_that_does_not_fit_says_that_there_is_more),
        cmocka_unit_test(history_in_the_lobby_is_refused),
        cmocka_unit_test(history_needs_no_disk),
        cmocka_unit_test(a_flood_of_queries_is_bounded_and_commands_do_not_wait_for_it),
        cmocka_unit_test(a_slow_broker_gets_the_reply_to_one_query_at_a_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
