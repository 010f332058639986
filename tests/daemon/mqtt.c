/* The way to the broker, against one that says what the test wants, when it wants. */
#include "daemon/mqtt.h"
#include "daemon/in_flight.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

enum {
    DEADLINE_MS = 20000,
    ANSWER_MS = 1500, /* for this broker's answers */
    TIMER_MS = 10000, /* between two looks of the client whether the broker is still there */
    PACKET_SIZE = 128,
    CONNECT = 0x10,
    PUBLISH = 0x32, /* at QoS 1 */
    SUBSCRIBE = 0x82,
    V3_1_1 = 4,
    V5 = 5,
};

struct trial {
    int listener;
    int peer; /* the broker's end of the connection */
    struct mqtt *mqtt;
    struct bus bus;
};

static const uint8_t connack[] = {0x20, 3, 0, 0, 0};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void await(int fd)
{
    assert_int_equal(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, DEADLINE_MS), 1);
}

/* Reads one packet of less than PACKET_SIZE bytes from the client; returns its first byte. */
static uint8_t read_packet(int peer, uint8_t body[PACKET_SIZE])
{
    uint8_t head[2];

    await(peer);
    assert_int_equal(recv(peer, head, sizeof head, MSG_WAITALL), sizeof head);
    assert_true(head[1] < PACKET_SIZE);
    assert_int_equal(recv(peer, body, head[1], MSG_WAITALL), head[1]);
    return head[0];
}

/* The client comes. */
static void take_peer(struct trial *trial, uint8_t body[PACKET_SIZE])
{
    await(trial->listener);
    trial->peer = accept(trial->listener, NULL, NULL);
    assert_int_equal(read_packet(trial->peer, body), CONNECT);
}

/* The client comes, and is let in. */
static void let_in(struct trial *trial)
{
    uint8_t body[PACKET_SIZE];

    take_peer(trial, body);
    assert_int_equal(send(trial->peer, connack, sizeof connack, 0), sizeof connack);
}

/* A client to which nobody has answered yet. */
static void begin_alone(struct trial *trial)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char problem[200];

    trial->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(trial->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(trial->listener, 1), 0);
    assert_int_equal(getsockname(trial->listener, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(mqtt_open(&trial->mqtt,
                               &(struct mqtt_settings){
                                   .host = "127.0.0.1",
                                   .port = ntohs(address.sin_port),
                                   .client_id = "t",
                                   .username = "",
                                   .password = "",
                                   .tls_ca = "",
                                   .tls_cert = "",
                                   .tls_key = "",
                                   .answer_ms = ANSWER_MS,
                                   .will_topic = "t/status",
                                   .subscriptions = {"t/command/+"},
                               },
                               problem, sizeof problem),
                     0);
    trial->bus = mqtt_bus(trial->mqtt);
}

static void begin(struct trial *trial)
{
    begin_alone(trial);
    let_in(trial);
}

static void end(struct trial *trial)
{
    close(trial->peer);
    close(trial->listener);
    assert_true(mqtt_close(trial->mqtt));
}

/* The next news is of this kind; has is in its reason, or NULL. Its token. */
static uint32_t then_heard(struct trial *trial, enum bus_news_kind kind, const char *has)
{
    struct bus_news *news = mqtt_take(trial->mqtt);

    while (!news) {
        await(mqtt_fd(trial->mqtt));
        news = mqtt_take(trial->mqtt);
    }
    assert_int_equal(news->kind, kind);
    assert_true(!has || strstr(news->reason, has));
    uint32_t token = news->token;
    mqtt_release(news);
    return token;
}

static int publish(struct trial *trial, uint32_t token)
{
    return trial->bus.publish(trial->bus.self, &(struct publication){
                                                   .topic = "t/reply",
                                                   .payload = "{}",
                                                   .size = 2,
                                                   .qos = 1,
                                                   .token = token,
                                               });
}

static void nothing_is_published_before_the_news_of_the_connection_was_taken(void **state)
{
    struct trial trial;

    (void)state;
    begin(&trial);
    await(mqtt_fd(trial.mqtt));
    assert_int_equal(publish(&trial, 1), -ENOTCONN);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(publish(&trial, 1), 0);
    end(&trial);
}

/* What it says would come before what was lost with the connection it believes in. */
static void nothing_is_published_over_a_connection_that_is_not_known_yet(void **state)
{
    struct trial trial;

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    assert_int_equal(publish(&trial, 1), -ENOTCONN);
    let_in(&trial);
    await(mqtt_fd(trial.mqtt));
    assert_int_equal(publish(&trial, 1), -ENOTCONN);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(publish(&trial, 1), 0);
    end(&trial);
}

static void every_connection_subscribes_again(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(read_packet(trial.peer, body), SUBSCRIBE);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    let_in(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(read_packet(trial.peer, body), SUBSCRIBE);
    end(&trial);
}

/* Nobody but the caller has read or written since the broker let it in. */
static void what_is_published_is_on_the_wire_when_the_call_returns(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(read_packet(trial.peer, body), SUBSCRIBE);
    assert_int_equal(publish(&trial, 1), 0);
    assert_int_equal(read_packet(trial.peer, body), PUBLISH);
    end(&trial);
}

static void an_acknowledgement_comes_with_the_token_of_its_publication(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(read_packet(trial.peer, body), SUBSCRIBE);
    assert_int_equal(publish(&trial, 77), 0);
    assert_int_equal(read_packet(trial.peer, body), PUBLISH);
    const uint8_t *mid = body + 2 + body[1];
    const uint8_t puback[] = {0x40, 2, mid[0], mid[1]};
    assert_int_equal(send(trial.peer, puback, sizeof puback, 0), sizeof puback);
    assert_int_equal(then_heard(&trial, BUS_ACKNOWLEDGED, NULL), 77);
    end(&trial);
}

/* Its end of the socket stays open: only the packet tells. */
static void a_broker_that_says_goodbye_is_heard_at_once_with_its_reason(void **state)
{
    static const uint8_t shutting_down[] = {0xE0, 2, 0x8B, 0};
    struct trial trial;

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    int64_t said_ms = now_ms();
    assert_int_equal(send(trial.peer, shutting_down, sizeof shutting_down, 0),
                     sizeof shutting_down);
    then_heard(&trial, BUS_DISCONNECTED, "closed by the broker: Server shutting down, trying");
    assert_in_range(now_ms() - said_ms, 0, TIMER_MS / 2);
    assert_int_equal(publish(&trial, 1), -ENOTCONN);
    end(&trial);
}

/* The client comes and wants this version of MQTT. */
static void take_peer_with(struct trial *trial, uint8_t version)
{
    enum { AT_VERSION = 6 };
    uint8_t body[PACKET_SIZE];

    take_peer(trial, body);
    assert_int_equal(body[AT_VERSION], version);
}

static void refuse_version_5(struct trial *trial)
{
    static const uint8_t unacceptable[] = {0x20, 2, 0, 1};

    take_peer_with(trial, V5);
    assert_int_equal(send(trial->peer, unacceptable, sizeof unacceptable, 0), sizeof unacceptable);
    close(trial->peer);
}

static void let_in_with_3_1_1(struct trial *trial)
{
    static const uint8_t accepted[] = {0x20, 2, 0, 0};

    refuse_version_5(trial);
    take_peer_with(trial, V3_1_1);
    assert_int_equal(send(trial->peer, accepted, sizeof accepted, 0), sizeof accepted);
    then_heard(trial, BUS_CONNECTED, NULL);
}

static void a_broker_that_refuses_version_5_is_asked_again_at_once_with_3_1_1(void **state)
{
    struct trial trial;

    (void)state;
    begin_alone(&trial);
    let_in_with_3_1_1(&trial);
    end(&trial);
}

static void a_broker_that_was_old_is_asked_for_version_5_after_every_connection(void **state)
{
    struct trial trial;

    (void)state;
    begin_alone(&trial);
    let_in_with_3_1_1(&trial);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    let_in_with_3_1_1(&trial);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    take_peer_with(&trial, V5);
    assert_int_equal(send(trial.peer, connack, sizeof connack, 0), sizeof connack);
    then_heard(&trial, BUS_CONNECTED, NULL);
    end(&trial);
}

/* It was not let in, so nothing new is known of the broker. */
static void a_broker_that_is_old_and_does_not_let_us_in_is_asked_for_3_1_1_again(void **state)
{
    struct trial trial;

    (void)state;
    begin_alone(&trial);
    refuse_version_5(&trial);
    take_peer_with(&trial, V3_1_1);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    take_peer_with(&trial, V3_1_1);
    end(&trial);
}

static void a_broker_that_never_answers_is_given_up(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    begin_alone(&trial);
    take_peer(&trial, body);
    then_heard(&trial, BUS_DISCONNECTED, "no answer");
    end(&trial);
}

static void a_broker_that_hangs_up_instead_of_an_answer_is_told(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    begin_alone(&trial);
    take_peer(&trial, body);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "closed by the broker before it answered");
    end(&trial);
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
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    struct publication reading = {.topic = "t/rope", .payload = payload, .size = sizeof payload};
    while (!error && sent < ENOUGH) {
        error = trial.bus.publish(trial.bus.self, &reading);
        sent++;
    }
    assert_int_equal(error, -ENOBUFS);
    assert_int_equal(publish(&trial, 1), 0); /* an event still has room */
    while (mqtt_take(trial.mqtt)) {
    }
    assert_int_equal(trial.bus.publish(trial.bus.self, &reading), -ENOBUFS);
    do {
        await(trial.peer);
        assert_true(recv(trial.peer, payload, sizeof payload, 0) > 0);
        assert_null(mqtt_take(trial.mqtt));
        error = trial.bus.publish(trial.bus.self, &reading);
    } while (error == -ENOBUFS);
    assert_int_equal(error, 0);
    end(&trial);
}

static void answers_to_a_flood_do_not_pile_up_before_a_slow_broker(void **state)
{
    struct trial trial;
    int error = 0;
    unsigned sent = 0;

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    while (!error && sent < 2 * IN_FLIGHT_ANSWERS_MAX) {
        error = publish(&trial, 0);
        sent += !error;
    }
    assert_int_equal(error, -ENOBUFS);
    assert_int_equal(sent, IN_FLIGHT_ANSWERS_MAX);
    assert_int_equal(publish(&trial, 1), 0); /* an event still has room */
    end(&trial);
}

static void a_subscription_that_the_broker_refuses_is_told(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(read_packet(trial.peer, body), SUBSCRIBE);
    const uint8_t not_authorized[] = {0x90, 4, body[0], body[1], 0, 0x87};
    assert_int_equal(send(trial.peer, not_authorized, sizeof not_authorized, 0),
                     sizeof not_authorized);
    then_heard(&trial, BUS_REFUSED, "not allowed");
    end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_published_before_the_news_of_the_connection_was_taken),
        cmocka_unit_test(nothing_is_published_over_a_connection_that_is_not_known_yet),
        cmocka_unit_test(every_connection_subscribes_again),
        cmocka_unit_test(what_is_published_is_on_the_wire_when_the_call_returns),
        cmocka_unit_test(an_acknowledgement_comes_with_the_token_of_its_publication),
        cmocka_unit_test(a_broker_that_says_goodbye_is_heard_at_once_with_its_reason),
        cmocka_unit_test(a_broker_that_refuses_version_5_is_asked_again_at_once_with_3_1_1),
        cmocka_unit_test(a_broker_that_was_old_is_asked_for_version_5_after_every_connection),
        cmocka_unit_test(a_broker_that_is_old_and_does_not_let_us_in_is_asked_for_3_1_1_again),
        cmocka_unit_test(a_broker_that_never_answers_is_given_up),
        cmocka_unit_test(a_broker_that_hangs_up_instead_of_an_answer_is_told),
        cmocka_unit_test(readings_that_the_network_does_not_take_do_not_pile_up),
        cmocka_unit_test(answers_to_a_flood_do_not_pile_up_before_a_slow_broker),
        cmocka_unit_test(a_subscription_that_the_broker_refuses_is_told),
    };

    signal(SIGPIPE, SIG_IGN); /* as the daemon does: the library writes to peers that have gone */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
