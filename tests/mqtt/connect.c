/* How a connection to the broker begins and ends. */
#include "trial.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

enum {
    TIMER_MS = 10000, /* between two looks of the client whether the broker is still there */
    V3_1_1 = 4,
    V5 = 5,
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The client comes and wants this version of MQTT. */
static void take_peer_with(struct trial *trial, uint8_t version)
{
    enum { AT_VERSION = 6 };
    uint8_t body[PACKET_SIZE];

    trial_take_peer(trial, body);
    assert_int_equal(body[AT_VERSION], version);
}

/* The client comes with this version, and the connection is closed without an answer. */
static void close_on(struct trial *trial, uint8_t version)
{
    take_peer_with(trial, version);
    close(trial->peer);
}

static void refuse_version_5(struct trial *trial)
{
    static const uint8_t unacceptable[] = {0x20, 2, 0, 1};

    take_peer_with(trial, V5);
    trial_send(trial, unacceptable, sizeof unacceptable);
    close(trial->peer);
}

static void let_in_with_3_1_1(struct trial *trial)
{
    static const uint8_t accepted[] = {0x20, 2, 0, 0};

    take_peer_with(trial, V3_1_1);
    trial_send(trial, accepted, sizeof accepted);
    then_heard(trial, BUS_CONNECTED, "MQTT 3.1.1");
}

static void let_in_with_5(struct trial *trial)
{
    static const uint8_t accepted[] = {0x20, 3, 0, 0, 0};

    take_peer_with(trial, V5);
    trial_send(trial, accepted, sizeof accepted);
    then_heard(trial, BUS_CONNECTED, "MQTT 5");
}

ALONE_TEST(a_broker_that_refuses_version_5_is_asked_again_at_once_with_3_1_1)
{
    refuse_version_5(trial);
    let_in_with_3_1_1(trial);
}

/* RabbitMQ before 3.13. */
ALONE_TEST(a_broker_that_closes_on_version_5_is_asked_again_at_once_with_3_1_1)
{
    close_on(trial, V5);
    let_in_with_3_1_1(trial);
}

ALONE_TEST(every_lost_connection_is_followed_by_version_5)
{
    refuse_version_5(trial);
    let_in_with_3_1_1(trial);
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "trying again");
    let_in_with_5(trial);
}

ALONE_TEST(the_versions_alternate_until_one_connects)
{
    refuse_version_5(trial);
    close_on(trial, V3_1_1);
    then_heard(trial, BUS_DISCONNECTED, "closed by the broker before it answered, trying again");
    close_on(trial, V5);
    close_on(trial, V3_1_1);
    then_heard(trial, BUS_DISCONNECTED, "trying again");
    let_in_with_5(trial);
}

ALONE_TEST(a_login_that_is_refused_is_no_question_of_the_version)
{
    static const uint8_t not_authorized[] = {0x20, 3, 0, 0x87, 0};

    take_peer_with(trial, V5);
    trial_send(trial, not_authorized, sizeof not_authorized);
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "refused: Not authorized, trying again");
    let_in_with_5(trial);
}

ALONE_TEST(three_connections_that_end_alike_make_a_hint)
{
    static const uint8_t taken_over[] = {0xE0, 2, 0x8E, 0};

    let_in_with_5(trial);
    trial_send(trial, taken_over, sizeof taken_over);
    then_heard(trial, BUS_DISCONNECTED, "Session taken over, trying again");
    close(trial->peer);
    for (unsigned i = 0; i < 3; i++) {
        let_in_with_5(trial);
        close(trial->peer);
        then_heard(trial, BUS_DISCONNECTED, "trying again");
    }
    then_heard(trial, BUS_REFUSED, "it ends connections that it has accepted");
}

/* Nothing listens on port 1. */
static void run_at_two_brokers(void (*test)(struct trial *trial))
{
    trial_run_at("127.0.0.1:1, 127.0.0.1", test);
}

TEST_OF(struct trial *trial, a_broker_that_fails_is_followed_by_the_next_of_the_list,
        run_at_two_brokers)
{
    then_heard(trial, BUS_DISCONNECTED, "broker 127.0.0.1:1: Connection refused, trying the next");
    let_in_with_5(trial);
}

static void run_at_two_that_are_one(void (*test)(struct trial *trial))
{
    trial_run_at("127.0.0.1, 127.0.0.1", test);
}

TEST_OF(struct trial *trial, brokers_that_end_each_connection_at_once_are_not_tried_without_a_pause,
        run_at_two_that_are_one)
{
    let_in_with_5(trial);
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "trying the next broker");
    let_in_with_5(trial);
    close(trial->peer);
    then_heard(trial, BUS_DISCONNECTED, "trying again in");
}

TEST(a_list_of_brokers_has_names_and_addresses_with_and_without_ports)
{
    static const char list[] = " a.local, b.local:1884,10.0.0.1 ,::1, [fe80::1]:1885";
    static const char *const names[] = {"a.local:1883", "b.local:1884", "10.0.0.1:1883", "::1:1883",
                                        "[fe80::1]:1885"};

    assert_int_equal(mqtt_broker_count(list), 5);
    for (unsigned i = 0; i < 10; i++) {
        assert_string_equal(mqtt_broker_at(list, i, 1883).name, names[i % 5]);
    }
    assert_string_equal(mqtt_broker_at(list, 1, 1883).host, "b.local");
    assert_string_equal(mqtt_broker_at(list, 3, 1883).host, "::1");
    assert_string_equal(mqtt_broker_at(list, 4, 1883).host, "fe80::1");
    assert_int_equal(mqtt_broker_count(""), 1);
    assert_string_equal(mqtt_broker_at("", 3, 1883).host, "");
}

ALONE_TEST(a_broker_that_never_answers_is_given_up)
{
    uint8_t body[PACKET_SIZE];

    trial_take_peer(trial, body);
    then_heard(trial, BUS_DISCONNECTED, "no answer");
}

/* Its end of the socket stays open: only the packet tells. */
LET_IN_TEST(a_broker_that_says_goodbye_is_heard_at_once_with_its_reason)
{
    static const uint8_t shutting_down[] = {0xE0, 2, 0x8B, 0};

    then_heard(trial, BUS_CONNECTED, NULL);
    int64_t said_ms = now_ms();
    trial_send(trial, shutting_down, sizeof shutting_down);
    then_heard(trial, BUS_DISCONNECTED, "closed by the broker: Server shutting down, trying");
    assert_in_range(now_ms() - said_ms, 0, TIMER_MS / 2);
    assert_int_equal(trial_publish(trial, 1), -ENOTCONN);
}
