/* Where replies go, and floods of queries. */
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

TABLE_TEST(the_reply_goes_to_the_response_topic_with_its_correlation_data)
{
    const struct fake_message *reply =
        ask_for_answer_to(stage, FAKE_BASE "reply/phone-7", "x\0y", 3);
    assert_string_equal(reply->topic, FAKE_BASE "reply/phone-7");
    assert_int_equal(reply->correlation_size, 3);
    assert_memory_equal(reply->correlation, "x\0y", 3);
    assert_false(reply->retain);
    assert_int_equal(reply->qos, 1);
    then_has(reply->payload, "'ok':false 'error':'missing-field'");
}

#define SIXTEEN "0123456789abcdef"
#define SIXTY_FOUR SIXTEEN SIXTEEN SIXTEEN SIXTEEN

/* The daemon may write where whoever asks may not, and a broker may hang up on a strange topic. */
TABLE_TEST(a_response_topic_that_is_not_below_reply_is_ignored)
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

    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        assert_string_equal(ask_for_answer_to(stage, taken[i], NULL, 0)->topic, taken[i]);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        const struct fake_message *reply = ask_for_answer_to(stage, ignored[i], "x", 1);
        assert_string_equal(reply->topic, FAKE_BASE "reply");
        assert_int_equal(reply->correlation_size, 0);
    }
}

/* A part of it would be the data of somebody else's question. */
TABLE_TEST(with_too_much_correlation_data_the_response_topic_is_ignored)
{
    static const char data[CORRELATION_MAX + 1];

    const struct fake_message *reply =
        ask_for_answer_to(stage, FAKE_BASE "reply/a", data, CORRELATION_MAX);
    assert_string_equal(reply->topic, FAKE_BASE "reply/a");
    assert_int_equal(reply->correlation_size, CORRELATION_MAX);
    reply = ask_for_answer_to(stage, FAKE_BASE "reply/a", data, CORRELATION_MAX + 1);
    assert_string_equal(reply->topic, FAKE_BASE "reply");
    assert_int_equal(reply->correlation_size, 0);
}

/*
 * History
 */

TABLE_TEST(history_gives_the_events_since_with_their_first_words)
{
    say(stage, "new-game", "ball-left speed_mps=4.125");
    const char *event = fake_bus_message(stage->fake.bus, stage->seen)->payload;
    const char *reply = send(stage, "history", "{'id':'h','from':4}");
    char expected[2048];
    snprintf(expected, sizeof expected,
             "{\"id\":\"h\",\"ok\":true,\"seq\":4,\"more\":false,\"events\":[%s]}", event);
    assert_string_equal(reply, expected);
    reply = send(stage, "history", "{'from':5}");
    then_has(reply, "'seq':4 'more':false 'events':[]");
}

static void post_query(struct stage *stage, const char *payload)
{
    fake_table_message(&stage->fake, &(struct bus_news){
                                         .kind = BUS_MESSAGE,
                                         .topic = FAKE_BASE "command/history",
                                         .payload = payload,
                                         .size = strlen(payload),
                                         .response_topic = FAKE_BASE "reply/asker",
                                     });
}

/* Also one that cannot be read is answered, and costs the next one its time. */
TABLE_TEST(after_a_query_the_table_wants_no_other_one_for_a_while)
{
    static const char *const payloads[] = {"{}", "not json", "{'from':'x'}"};

    say(stage, "new-game");
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(table_query_due_us(stage->fake.table), stage->fake.now_us);
        post_query(stage, payloads[i]);
        size_t last = fake_bus_count(stage->fake.bus) - 1;
        assert_string_equal(fake_bus_message(stage->fake.bus, last)->topic,
                            FAKE_BASE "reply/asker");
        uint64_t due_us = table_query_due_us(stage->fake.table);
        assert_in_range(due_us, stage->fake.now_us + 1000, stage->fake.now_us + 100000);
        fake_table_wait(&stage->fake, due_us - stage->fake.now_us);
    }
}

static void post_queries(struct stage *stage, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        assert_true(table_query_due_us(stage->fake.table));
        post_query(stage, "");
        fake_table_wait(&stage->fake, FAKE_SECOND_US);
    }
}

TABLE_TEST(until_the_broker_has_the_replies_to_four_queries_the_table_wants_no_other_one)
{
    const struct fake_bus_faults slow = {.is_slow = true};

    say(stage, "new-game");
    fake_bus_set_faults(stage->fake.bus, &slow);
    post_queries(stage, 4);
    assert_int_equal(table_query_due_us(stage->fake.table), 0);
    fake_bus_acknowledge(stage->fake.bus, 100, false);
    fake_table_hear(&stage->fake);
    assert_true(table_query_due_us(stage->fake.table));
    post_queries(stage, 4);
    fake_table_disconnect(&stage->fake);
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    assert_int_equal(table_query_due_us(stage->fake.table), 0);
    fake_table_connect(&stage->fake);
    assert_int_equal(table_query_due_us(stage->fake.table), stage->fake.now_us);
}
