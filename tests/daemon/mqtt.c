/* The way to the broker, against one that says what the test wants, when it wants. */
#include "daemon/mqtt.h"
#include "daemon/in_flight.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

enum { DEADLINE_MS = 20000, CONNECT = 0x10, SUBSCRIBE = 0x82 };

struct trial {
    int listener;
    int peer; /* the broker's end of the connection */
    struct mqtt *mqtt;
    struct bus bus;
};

static const uint8_t connack[] = {0x20, 3, 0, 0, 0};

static void await(int fd)
{
    assert_int_equal(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, DEADLINE_MS), 1);
}

/* Reads one packet of less than 128 bytes from the client; returns its first byte. */
static uint8_t read_packet(int peer, uint8_t body[128])
{
    uint8_t head[2];

    await(peer);
    assert_int_equal(recv(peer, head, sizeof head, MSG_WAITALL), sizeof head);
    assert_true(head[1] < 128);
    assert_int_equal(recv(peer, body, head[1], MSG_WAITALL), head[1]);
    return head[0];
}

/* The client comes, and is let in. */
static void let_in(struct trial *trial)
{
    uint8_t body[128];

    await(trial->listener);
    trial->peer = accept(trial->listener, NULL, NULL);
    assert_int_equal(read_packet(trial->peer, body), CONNECT);
    assert_int_equal(send(trial->peer, connack, sizeof connack, 0), sizeof connack);
}

static void begin(struct trial *trial)
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
                                   .will_topic = "t/status",
                                   .subscriptions = {"t/command/+"},
                               },
                               problem, sizeof problem),
                     0);
    trial->bus = mqtt_bus(trial->mqtt);
    let_in(trial);
}

static void end(struct trial *trial)
{
    close(trial->peer);
    close(trial->listener);
    assert_true(mqtt_close(trial->mqtt));
}

/* The next news is of this kind; has is in its reason, or NULL. */
static void then_heard(struct trial *trial, enum bus_news_kind kind, const char *has)
{
    await(mqtt_fd(trial->mqtt));
    struct bus_news *news = mqtt_take(trial->mqtt);
    assert_non_null(news);
    assert_int_equal(news->kind, kind);
    assert_true(!has || strstr(news->reason, has));
    mqtt_release(news);
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
    uint8_t body[128];

    (void)state;
    begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    close(trial.peer);
    let_in(&trial);
    assert_int_equal(read_packet(trial.peer, body), SUBSCRIBE); /* so it is connected again */
    assert_int_equal(publish(&trial, 1), -ENOTCONN);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    assert_int_equal(publish(&trial, 1), -ENOTCONN);
    then_heard(&trial, BUS_CONNECTED, NULL);
    assert_int_equal(publish(&trial, 1), 0);
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
    uint8_t body[128];

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

static void room_for_answers_is_measured_in_bytes_too_and_comes_back(void **state)
{
    static struct in_flight in_flight;
    struct publication half = {.size = IN_FLIGHT_ANSWER_BYTES_MAX / 2, .qos = 1};

    (void)state;
    in_flight_begin(&in_flight, &half, 1);
    assert_true(in_flight_has_room(&in_flight, &half));
    in_flight_begin(&in_flight, &half, 2);
    assert_false(in_flight_has_room(&in_flight, &half));
    half.retain = true;
    assert_true(in_flight_has_room(&in_flight, &half));
    half.retain = false;
    assert_int_equal(in_flight_end(&in_flight, 1), 0);
    assert_true(in_flight_has_room(&in_flight, &half));
}

static void an_acknowledgement_gives_its_token_back_once(void **state)
{
    static struct in_flight in_flight;

    (void)state;
    in_flight_begin(&in_flight, &(struct publication){.size = 2, .qos = 1, .token = 7}, 3);
    assert_int_equal(in_flight_end(&in_flight, 4), 0);
    assert_int_equal(in_flight_end(&in_flight, 3), 7);
    assert_int_equal(in_flight_end(&in_flight, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_published_before_the_news_of_the_connection_was_taken),
        cmocka_unit_test(nothing_is_published_over_a_connection_that_is_not_known_yet),
        cmocka_unit_test(answers_to_a_flood_do_not_pile_up_before_a_slow_broker),
        cmocka_unit_test(a_subscription_that_the_broker_refuses_is_told),
        cmocka_unit_test(room_for_answers_is_measured_in_bytes_too_and_comes_back),
        cmocka_unit_test(an_acknowledgement_gives_its_token_back_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
