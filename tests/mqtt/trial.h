/* The way to a broker that says what the test wants, when it wants. */
#ifndef TESTS_MQTT_TRIAL_H
#define TESTS_MQTT_TRIAL_H

#include "tests/support/test.h"

#include "mqtt/mqtt.h"

enum {
    PACKET_SIZE = 128,
    CONNECT = 0x10,
    PUBLISH = 0x32, /* at QoS 1 */
    SUBSCRIBE = 0x82,
};

struct trial {
    int listener;
    int peer; /* the broker's end of the connection */
    struct mqtt *mqtt;
    struct bus bus;
};

/* A test of a client that has been let in, or of one to which nobody has answered yet. */
#define LET_IN_TEST(claim) TEST_OF(struct trial *trial, claim, trial_run)
#define ALONE_TEST(claim) TEST_OF(struct trial *trial, claim, trial_run_alone)

void trial_run(void (*test)(struct trial *trial));
void trial_run_alone(void (*test)(struct trial *trial));

/* The same with a list of brokers, in which those without a port are this one. */
void trial_run_at(const char *hosts, void (*test)(struct trial *trial));

/* The client comes; body is that of its CONNECT. */
void trial_take_peer(struct trial *trial, uint8_t body[PACKET_SIZE]);

/* The client comes, and is let in. */
void trial_let_in(struct trial *trial);

/* The broker says this. */
void trial_send(const struct trial *trial, const uint8_t *packet, size_t size);

/* Reads one packet of less than PACKET_SIZE bytes from the client; returns its first byte. */
uint8_t trial_read_packet(int peer, uint8_t body[PACKET_SIZE]);

/* Waits until it can be read from. */
void trial_await(int fd);

/* Waits until the network has something to do; and does what it has to do now, without waiting. */
void trial_await_network(struct trial *trial);
void trial_work(struct trial *trial);

/* Waits for the next news. */
struct bus_news *trial_take(struct trial *trial);

/* Publishes something small at QoS 1. As bus.publish. */
int trial_publish(struct trial *trial, uint32_t token);

/* The next news is of this kind; has is in its reason, or NULL. Its token. */
uint32_t then_heard(struct trial *trial, enum bus_news_kind kind, const char *has);

#endif
