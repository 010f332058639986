#include "trial.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    DEADLINE_MS = 20000,
    ANSWER_MS = 1500, /* for this broker's answers */
    RETRY_MAX_MS = 60000,
};

/* As the daemon does: the library writes to peers that have gone. */
TEST_AT_START(ignore_broken_pipes, signal(SIGPIPE, SIG_IGN))

void trial_await(int fd)
{
    assert_int_equal(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, DEADLINE_MS), 1);
}

uint8_t trial_read_packet(int peer, uint8_t body[PACKET_SIZE])
{
    uint8_t head[2];

    trial_await(peer);
    assert_int_equal(recv(peer, head, sizeof head, MSG_WAITALL), sizeof head);
    assert_true(head[1] < PACKET_SIZE);
    assert_int_equal(recv(peer, body, head[1], MSG_WAITALL), head[1]);
    return head[0];
}

void trial_take_peer(struct trial *trial, uint8_t body[PACKET_SIZE])
{
    trial_await(trial->listener);
    trial->peer = accept(trial->listener, NULL, NULL);
    assert_int_equal(trial_read_packet(trial->peer, body), CONNECT);
}

void trial_send(const struct trial *trial, const uint8_t *packet, size_t size)
{
    assert_int_equal(send(trial->peer, packet, size, 0), size);
}

void trial_let_in(struct trial *trial)
{
    static const uint8_t accepted[] = {0x20, 3, 0, 0, 0};
    uint8_t body[PACKET_SIZE];

    trial_take_peer(trial, body);
    trial_send(trial, accepted, sizeof accepted);
}

/* hosts is a list in which the port of the listener is the default. */
static void begin(struct trial *trial, const char *hosts)
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
                                   .hosts = hosts,
                                   .port = ntohs(address.sin_port),
                                   .client_id = "t",
                                   .username = "",
                                   .password = "",
                                   .tls_ca = "",
                                   .tls_cert = "",
                                   .tls_key = "",
                                   .answer_ms = ANSWER_MS,
                                   .retry_max_ms = RETRY_MAX_MS,
                                   .will_topic = "t/status",
                                   .subscriptions = {"t/command/+"},
                                   .queries = {"t/command/history"},
                               },
                               problem, sizeof problem),
                     0);
    trial->bus = mqtt_bus(trial->mqtt);
}

static void end(struct trial *trial)
{
    close(trial->peer);
    close(trial->listener);
    assert_true(mqtt_close(trial->mqtt));
}

void trial_run_at(const char *hosts, void (*test)(struct trial *trial))
{
    struct trial trial;

    begin(&trial, hosts);
    test(&trial);
    end(&trial);
}

void trial_run_alone(void (*test)(struct trial *trial))
{
    trial_run_at("127.0.0.1", test);
}

void trial_run(void (*test)(struct trial *trial))
{
    struct trial trial;

    begin(&trial, "127.0.0.1");
    trial_let_in(&trial);
    test(&trial);
    end(&trial);
}

void trial_await_network(struct trial *trial)
{
    struct pollfd fds[MQTT_FDS];

    mqtt_prepare(trial->mqtt, fds);
    assert_true(poll(fds, MQTT_FDS, DEADLINE_MS) > 0);
}

void trial_work(struct trial *trial)
{
    struct pollfd fds[MQTT_FDS];

    mqtt_prepare(trial->mqtt, fds);
    poll(fds, MQTT_FDS, 0);
    mqtt_work(trial->mqtt, fds);
}

struct bus_news *trial_take(struct trial *trial)
{
    struct bus_news *news;

    while (!(news = mqtt_take(trial->mqtt))) {
        trial_await_network(trial);
        trial_work(trial);
    }
    return news;
}

uint32_t then_heard(struct trial *trial, enum bus_news_kind kind, const char *has)
{
    struct bus_news *news = trial_take(trial);

    assert_int_equal(news->kind, kind);
    assert_true(!has || strstr(news->reason, has));
    uint32_t token = news->token;
    mqtt_release(news);
    return token;
}

int trial_publish(struct trial *trial, uint32_t token)
{
    return trial->bus.publish(trial->bus.self, &(struct publication){
                                                   .topic = "t/reply",
                                                   .payload = "{}",
                                                   .size = 2,
                                                   .qos = 1,
                                                   .token = token,
                                               });
}
