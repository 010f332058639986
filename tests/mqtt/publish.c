/* What goes over a connection to the broker, and what does not. */
#include "trial.h"

#include "mqtt/in_flight.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

LET_IN_TEST(nothing_is_published_before_the_news_of_the_connection_was_taken)
{
    trial_await_network(trial);
    assert_int_equal(trial_publish(trial, 1), -ENOTCONN);
    then_heard(trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial_publish(trial, 1), 0);
}

/* What it says would come before what was lost with the connection it believes in. */
LET_IN_TEST(nothing_is_published_over_a_connection_that_is_not_known_yet)
{
    then_heard(trial, BUS_CONNECTED, NULL);
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "trying again");
    assert_int_equal(trial_publish(trial, 1), -ENOTCONN);
    trial_let_in(trial);
    trial_await_network(trial);
    assert_int_equal(trial_publish(trial, 1), -ENOTCONN);
    then_heard(trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial_publish(trial, 1), 0);
}

/* The topic of a SUBSCRIBE, behind its number, its properties and the topic's length. */
static void then_subscribed_to(const struct trial *trial, const char *topic, uint8_t options)
{
    enum { AT_TOPIC = 5 };
    uint8_t body[PACKET_SIZE];
    size_t length = strlen(topic);

    assert_int_equal(trial_read_packet(trial->peer, body), SUBSCRIBE);
    assert_memory_equal(body + AT_TOPIC, topic, length);
    assert_int_equal(body[AT_TOPIC + length], options);
}

/*
 * A retained command must be known as one when it comes live; a status from before as well. At QoS
 * 1 a flood could block the subscription: see client.c.
 */
static void then_subscribed(struct trial *trial)
{
    enum { QOS_0 = 0, AS_PUBLISHED = 8 };

    then_heard(trial, BUS_CONNECTED, "MQTT 5");
    then_subscribed_to(trial, "t/status", QOS_0);
    then_subscribed_to(trial, "t/command/+", QOS_0 | AS_PUBLISHED);
}

LET_IN_TEST(every_connection_subscribes_again)
{
    then_subscribed(trial);
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "trying again");
    trial_let_in(trial);
    then_subscribed(trial);
}

/* Nobody but the caller has read or written since the broker let it in. */
LET_IN_TEST(what_is_published_is_on_the_wire_when_the_call_returns)
{
    uint8_t body[PACKET_SIZE];

    then_subscribed(trial);
    assert_int_equal(trial_publish(trial, 1), 0);
    assert_int_equal(trial_read_packet(trial->peer, body), PUBLISH);
}

LET_IN_TEST(an_acknowledgement_comes_with_the_token_of_its_publication)
{
    uint8_t body[PACKET_SIZE];

    then_subscribed(trial);
    assert_int_equal(trial_publish(trial, 77), 0);
    assert_int_equal(trial_read_packet(trial->peer, body), PUBLISH);
    const uint8_t *mid = body + 2 + body[1];
    const uint8_t puback[] = {0x40, 2, mid[0], mid[1]};
    trial_send(trial, puback, sizeof puback);
    assert_int_equal(then_heard(trial, BUS_ACKNOWLEDGED, NULL), 77);
}

/* While nobody reads at the other end. */
LET_IN_TEST(readings_that_the_network_does_not_take_do_not_pile_up)
{
    enum { ENOUGH = 100000 };
    static char payload[1024];
    int error = 0;
    unsigned sent = 0;

    then_heard(trial, BUS_CONNECTED, NULL);
    struct publication reading = {.topic = "t/rope", .payload = payload, .size = sizeof payload};
    while (!error && sent < ENOUGH) {
        error = trial->bus.publish(trial->bus.self, &reading);
        sent++;
    }
    assert_int_equal(error, -ENOBUFS);
    assert_int_equal(trial_publish(trial, 1), 0); /* an event still has room */
    trial_work(trial);
    assert_null(mqtt_take(trial->mqtt));
    assert_int_equal(trial->bus.publish(trial->bus.self, &reading), -ENOBUFS);
    do {
        trial_await(trial->peer);
        assert_true(recv(trial->peer, payload, sizeof payload, 0) > 0);
        trial_work(trial);
        assert_null(mqtt_take(trial->mqtt));
        error = trial->bus.publish(trial->bus.self, &reading);
    } while (error == -ENOBUFS);
    assert_int_equal(error, 0);
}

LET_IN_TEST(answers_to_a_flood_do_not_pile_up_before_a_slow_broker)
{
    int error = 0;
    unsigned sent = 0;

    then_heard(trial, BUS_CONNECTED, NULL);
    while (!error && sent < 2 * IN_FLIGHT_REPLIES_MAX) {
        error = trial_publish(trial, 0);
        sent += !error;
    }
    assert_int_equal(error, -ENOBUFS);
    assert_int_equal(sent, IN_FLIGHT_REPLIES_MAX);
    assert_int_equal(trial_publish(trial, 1), 0); /* an event still has room */
}

/* At QoS 0, without a payload. */
static size_t message_packet(uint8_t *packet, const char *topic)
{
    size_t length = strlen(topic);

    packet[0] = 0x30;
    packet[1] = (uint8_t)(2 + length + 1);
    packet[2] = 0;
    packet[3] = (uint8_t)length;
    memcpy(packet + 4, topic, length);
    packet[4 + length] = 0; /* properties */
    return 5 + length;
}

LET_IN_TEST(a_command_overtakes_all_queries_that_were_sent_before_it)
{
    enum { QUERIES = 1000 };
    static uint8_t packets[(QUERIES + 1) * PACKET_SIZE];
    size_t size = 0;

    for (unsigned i = 0; i < QUERIES; i++) {
        size += message_packet(packets + size, "t/command/history");
    }
    size += message_packet(packets + size, "t/command/aim");
    then_subscribed(trial);
    trial_send(trial, packets, size);
    struct bus_news *news = trial_take(trial);
    assert_string_equal(news->topic, "t/command/aim");
    mqtt_release(news);
    assert_true(mqtt_has_query(trial->mqtt));
    news = mqtt_take_query(trial->mqtt);
    assert_string_equal(news->topic, "t/command/history");
    mqtt_release(news);
    /* Whoever asked over a connection that is lost asks again. */
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "trying again");
    assert_false(mqtt_has_query(trial->mqtt));
    trial_let_in(trial);
}

LET_IN_TEST(a_subscription_that_the_broker_refuses_is_told)
{
    static const uint8_t not_authorized[] = {0x90, 4, 0, 1, 0, 0x87}; /* of the first one */

    then_subscribed(trial);
    trial_send(trial, not_authorized, sizeof not_authorized);
    then_heard(trial, BUS_REFUSED, "not allowed");
}

ALONE_TEST(what_is_larger_than_the_broker_takes_can_never_be_sent)
{
    static const uint8_t accepted_up_to_64_bytes[] = {0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 64};
    static const char payload[100];
    const struct publication large = {
        .topic = "t/event", .payload = payload, .size = sizeof payload, .qos = 1, .token = 1};
    uint8_t body[PACKET_SIZE];

    trial_take_peer(trial, body);
    trial_send(trial, accepted_up_to_64_bytes, sizeof accepted_up_to_64_bytes);
    then_heard(trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial->bus.publish(trial->bus.self, &large), -EIO);
    assert_int_equal(trial_publish(trial, 2), 0);
}

/* The event may wait for a better broker. */
ALONE_TEST(a_broker_that_takes_no_QoS_1_at_all_is_no_fault_of_the_event)
{
    static const uint8_t accepted_at_QoS_0[] = {0x20, 5, 0, 0, 2, 0x24, 0};
    uint8_t body[PACKET_SIZE];

    trial_take_peer(trial, body);
    trial_send(trial, accepted_at_QoS_0, sizeof accepted_at_QoS_0);
    then_heard(trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial_publish(trial, 1), -EOPNOTSUPP);
}
