/* What goes over a connection to the broker, and what does not. */
#include "trial.h"

#include "mqtt/in_flight.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void nothing_is_published_before_the_news_of_the_connection_was_taken(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin(&trial);
    trial_await(mqtt_fd(trial.mqtt));
    assert_int_equal(trial_publish(&trial, 1), -ENOTCONN);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial_publish(&trial, 1), 0);
    trial_end(&trial);
}

/* What it says would come before what was lost with the connection it believes in. */
static void nothing_is_published_over_a_connection_that_is_not_known_yet(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    assert_int_equal(trial_publish(&trial, 1), -ENOTCONN);
    trial_let_in(&trial);
    trial_await(mqtt_fd(trial.mqtt));
    assert_int_equal(trial_publish(&trial, 1), -ENOTCONN);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial_publish(&trial, 1), 0);
    trial_end(&trial);
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

/* A retained command must be known as one when it comes live; a status from before as well. */
static void then_subscribed(struct trial *trial)
{
    enum { QOS_1 = 1, AS_PUBLISHED = 8 };

    then_heard(trial, BUS_CONNECTED, "MQTT 5");
    then_subscribed_to(trial, "t/status", QOS_1);
    then_subscribed_to(trial, "t/command/+", QOS_1 | AS_PUBLISHED);
}

static void every_connection_subscribes_again(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin(&trial);
    then_subscribed(&trial);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    trial_let_in(&trial);
    then_subscribed(&trial);
    trial_end(&trial);
}

/* Nobody but the caller has read or written since the broker let it in. */
static void what_is_published_is_on_the_wire_when_the_call_returns(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    trial_begin(&trial);
    then_subscribed(&trial);
    assert_int_equal(trial_publish(&trial, 1), 0);
    assert_int_equal(trial_read_packet(trial.peer, body), PUBLISH);
    trial_end(&trial);
}

static void an_acknowledgement_comes_with_the_token_of_its_publication(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    trial_begin(&trial);
    then_subscribed(&trial);
    assert_int_equal(trial_publish(&trial, 77), 0);
    assert_int_equal(trial_read_packet(trial.peer, body), PUBLISH);
    const uint8_t *mid = body + 2 + body[1];
    const uint8_t puback[] = {0x40, 2, mid[0], mid[1]};
    trial_send(&trial, puback, sizeof puback);
    assert_int_equal(then_heard(&trial, BUS_ACKNOWLEDGED, NULL), 77);
    trial_end(&trial);
}

/* While nobody reads at the other end. */
static void readings_that_the_network_does_not_take_do_not_pile_up(void **state)
{
    enum { ENOUGH = 100000 };
    static char payload[1024];
    struct trial trial;
    int error = 0;
    unsigned sent = 0;

    (void)state;
    trial_begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    struct publication reading = {.topic = "t/rope", .payload = payload, .size = sizeof payload};
    while (!error && sent < ENOUGH) {
        error = trial.bus.publish(trial.bus.self, &reading);
        sent++;
    }
    assert_int_equal(error, -ENOBUFS);
    assert_int_equal(trial_publish(&trial, 1), 0); /* an event still has room */
    while (mqtt_take(trial.mqtt)) {
    }
    assert_int_equal(trial.bus.publish(trial.bus.self, &reading), -ENOBUFS);
    do {
        trial_await(trial.peer);
        assert_true(recv(trial.peer, payload, sizeof payload, 0) > 0);
        assert_null(mqtt_take(trial.mqtt));
        error = trial.bus.publish(trial.bus.self, &reading);
    } while (error == -ENOBUFS);
    assert_int_equal(error, 0);
    trial_end(&trial);
}

static void answers_to_a_flood_do_not_pile_up_before_a_slow_broker(void **state)
{
    struct trial trial;
    int error = 0;
    unsigned sent = 0;

    (void)state;
    trial_begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    while (!error && sent < 2 * IN_FLIGHT_REPLIES_MAX) {
        error = trial_publish(&trial, 0);
        sent += !error;
    }
    assert_int_equal(error, -ENOBUFS);
    assert_int_equal(sent, IN_FLIGHT_REPLIES_MAX);
    assert_int_equal(trial_publish(&trial, 1), 0); /* an event still has room */
    trial_end(&trial);
}

static void a_subscription_that_the_broker_refuses_is_told(void **state)
{
    static const uint8_t not_authorized[] = {0x90, 4, 0, 1, 0, 0x87}; /* of the first one */
    struct trial trial;

    (void)state;
    trial_begin(&trial);
    then_subscribed(&trial);
    trial_send(&trial, not_authorized, sizeof not_authorized);
    then_heard(&trial, BUS_REFUSED, "not allowed");
    trial_end(&trial);
}

static void what_is_larger_than_the_broker_takes_can_never_be_sent(void **state)
{
    static const uint8_t accepted_up_to_64_bytes[] = {0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 64};
    static const char payload[100];
    const struct publication large = {
        .topic = "t/event", .payload = payload, .size = sizeof payload, .qos = 1, .token = 1};
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    trial_begin_alone(&trial);
    trial_take_peer(&trial, body);
    trial_send(&trial, accepted_up_to_64_bytes, sizeof accepted_up_to_64_bytes);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial.bus.publish(trial.bus.self, &large), -EIO);
    assert_int_equal(trial_publish(&trial, 2), 0);
    trial_end(&trial);
}

/* The event may wait for a better broker. */
static void a_broker_that_takes_no_QoS_1_at_all_is_no_fault_of_the_event(void **state)
{
    static const uint8_t accepted_at_QoS_0[] = {0x20, 5, 0, 0, 2, 0x24, 0};
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    trial_begin_alone(&trial);
    trial_take_peer(&trial, body);
    trial_send(&trial, accepted_at_QoS_0, sizeof accepted_at_QoS_0);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(trial_publish(&trial, 1), -EOPNOTSUPP);
    trial_end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_published_before_the_news_of_the_connection_was_taken),
        cmocka_unit_test(nothing_is_published_over_a_connection_that_is_not_known_yet),
        cmocka_unit_test(every_connection_subscribes_again),
        cmocka_unit_test(what_is_published_is_on_the_wire_when_the_call_returns),
        cmocka_unit_test(an_acknowledgement_comes_with_the_token_of_its_publication),
        cmocka_unit_test(readings_that_the_network_does_not_take_do_not_pile_up),
        cmocka_unit_test(answers_to_a_flood_do_not_pile_up_before_a_slow_broker),
        cmocka_unit_test(a_subscription_that_the_broker_refuses_is_told),
        cmocka_unit_test(what_is_larger_than_the_broker_takes_can_never_be_sent),
        cmocka_unit_test(a_broker_that_takes_no_QoS_1_at_all_is_no_fault_of_the_event),
    };

    signal(SIGPIPE, SIG_IGN); /* as the daemon does: the library writes to peers that have gone */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
