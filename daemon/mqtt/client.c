#include "mqtt/client.h"

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    KEEPALIVE_S = 20,     /* of MQTT: a broker that hangs is given up after twice this time */
    DEAD_PEER_MS = 15000, /* of TCP: after so long without a sign of the other computer */
    PROBE_S = 5,
    UNSENT_MAX = 256,    /* at QoS 0 */
    REFUSED_FROM = 0x80, /* reason codes of refusals */
    READ_MAX = 256,      /* messages at a time, about a millisecond */
};

void mqtt_library_open(void)
{
    mosquitto_lib_init();
}

void mqtt_library_close(void)
{
    mosquitto_lib_cleanup();
}

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

/* Our errno for libmosquitto's error, with a reason unless a better one is known already. */
static int explain(struct mqtt_client *client, int error)
{
    if (error && !client->reason[0]) {
        const char *reason = error == MOSQ_ERR_ERRNO ? strerror(errno) : mosquitto_strerror(error);
        size_t length = strlen(reason); /* the library's sentences have a full stop */
        snprintf(client->reason, sizeof client->reason, "%.*s",
                 (int)(length - (length > 0 && reason[length - 1] == '.')), reason);
    }
    return !error ? 0 : error == MOSQ_ERR_NOMEM ? -ENOMEM : -EIO;
}

/*
 * Callbacks of the library
 */

static void report_refusal(struct mqtt_client *client, const char *what)
{
    if (!client->has_reported_refusal && client->listener.self) {
        client->has_reported_refusal = true;
        client->listener.refused(client->listener.self, what);
    }
}

static bool is_version_refusal(int reason)
{
    enum { V3_UNACCEPTABLE_PROTOCOL = 1 };

    return reason == V3_UNACCEPTABLE_PROTOCOL || reason == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION;
}

static void on_connect(struct mosquitto *mosquitto, void *self, int reason, int flags,
                       const mosquitto_property *properties)
{
    struct mqtt_client *client = self;

    (void)mosquitto;
    (void)flags;
    (void)properties;
    if (reason) {
        bool is_version = is_version_refusal(reason);
        client->end = is_version ? MQTT_END_VERSION : MQTT_END_OTHER;
        snprintf(client->reason, sizeof client->reason, "refused: %s",
                 client->uses_v311 || is_version ? mosquitto_connack_string(reason)
                                                 : mosquitto_reason_string(reason));
        return;
    }
    client->is_accepted = true;
}

/* With MQTT 5 the broker may send a reason; codes below REFUSED_FROM are the library's own. */
static void on_disconnect(struct mosquitto *mosquitto, void *self, int reason,
                          const mosquitto_property *properties)
{
    struct mqtt_client *client = self;

    (void)mosquitto;
    (void)properties;
    if (reason == MQTT_RC_SESSION_TAKEN_OVER) {
        client->end = MQTT_END_TAKEN_OVER;
    }
    if (reason >= REFUSED_FROM && !client->reason[0]) {
        snprintf(client->reason, sizeof client->reason, "closed by the broker: %s",
                 mosquitto_reason_string(reason));
    }
}

static void on_subscribe(struct mosquitto *mosquitto, void *self, int mid, int count,
                         const int *granted, const mosquitto_property *properties)
{
    struct mqtt_client *client = self;

    (void)mosquitto;
    (void)mid;
    (void)properties;
    client->unconfirmed -= client->unconfirmed > 0;
    for (int i = 0; i < count; i++) {
        if (granted[i] >= REFUSED_FROM) {
            report_refusal(client, "a topic cannot be subscribed to");
        }
    }
}

static void on_publish(struct mosquitto *mosquitto, void *self, int mid, int reason,
                       const mosquitto_property *properties)
{
    struct mqtt_client *client = self;

    (void)mosquitto;
    (void)properties;
    /* Sending it again would not help, so it counts as acknowledged. */
    if (reason >= REFUSED_FROM) {
        report_refusal(client, mosquitto_reason_string(reason));
    }
    if (client->listener.self) {
        client->listener.acknowledged(client->listener.self, mid);
    }
}

static void on_message(struct mosquitto *mosquitto, void *self,
                       const struct mosquitto_message *message,
                       const mosquitto_property *properties)
{
    struct mqtt_client *client = self;
    char *response_topic = NULL;
    void *correlation = NULL;
    uint16_t correlation_size = 0;

    (void)mosquitto;
    if (!client->listener.self) {
        return; /* nothing has been subscribed to yet */
    }
    client->received++;
    mosquitto_property_read_string(properties, MQTT_PROP_RESPONSE_TOPIC, &response_topic, false);
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &correlation,
                                   &correlation_size, false);
    client->listener.heard(client->listener.self, &(struct bus_news){
                                                      .kind = BUS_MESSAGE,
                                                      .topic = message->topic,
                                                      .payload = message->payload,
                                                      .size = (size_t)message->payloadlen,
                                                      .retained = message->retain,
                                                      .response_topic = response_topic,
                                                      .correlation = correlation,
                                                      .correlation_size = correlation_size,
                                                  });
    free(response_topic);
    free(correlation);
}

/*
 * The connection
 */

static int prepare(struct mosquitto *mosquitto, const struct mqtt_settings *settings, int version)
{
    int error = mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, version);

    if (!error) {
        error = mosquitto_int_option(mosquitto, MOSQ_OPT_TCP_NODELAY, 1);
    }
    if (!error && settings->username[0]) {
        error = mosquitto_username_pw_set(mosquitto, settings->username, settings->password);
    }
    if (!error && settings->tls_ca[0]) {
        error = mosquitto_tls_set(mosquitto, settings->tls_ca, NULL, or_null(settings->tls_cert),
                                  or_null(settings->tls_key), NULL);
    }
    if (!error && settings->will_topic) {
        error = mosquitto_will_set(mosquitto, settings->will_topic, (int)strlen("offline"),
                                   "offline", 1, true);
    }
    mosquitto_connect_v5_callback_set(mosquitto, on_connect);
    mosquitto_disconnect_v5_callback_set(mosquitto, on_disconnect);
    mosquitto_subscribe_v5_callback_set(mosquitto, on_subscribe);
    mosquitto_publish_v5_callback_set(mosquitto, on_publish);
    mosquitto_message_v5_callback_set(mosquitto, on_message);
    return error;
}

int mqtt_client_open(struct mqtt_client *client, const struct mqtt_settings *settings,
                     unsigned place, bool uses_v311)
{
    *client = (struct mqtt_client){
        .mosquitto = mosquitto_new(settings->client_id, true, client),
        .settings = settings,
        .broker = mqtt_broker_at(settings->hosts, place, settings->port),
        .uses_v311 = uses_v311,
    };
    int error = explain(client, client->mosquitto
                                    ? prepare(client->mosquitto, settings,
                                              uses_v311 ? MQTT_PROTOCOL_V311 : MQTT_PROTOCOL_V5)
                                    : MOSQ_ERR_NOMEM);
    if (error) {
        mqtt_client_close(client);
    }
    return error;
}

/*
 * A computer that has lost its power or its network does not close the connection. Without these
 * the kernel sends for a quarter of an hour, and nobody tries the next broker.
 */
static void watch_peer(int fd)
{
    const int on = 1;
    const int probe_s = PROBE_S;
    const unsigned dead_ms = DEAD_PEER_MS;

    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &probe_s, sizeof probe_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &probe_s, sizeof probe_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &dead_ms, sizeof dead_ms);
}

static int begin_connect(struct mqtt_client *client)
{
    const struct mqtt_settings *settings = client->settings;
    mosquitto_property *properties = NULL;
    int error = 0;

    if (settings->packet_max && !client->uses_v311) {
        error = mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE,
                                             settings->packet_max);
    }
    if (!error) {
        error = mosquitto_connect_bind_v5(client->mosquitto, client->broker.host,
                                          client->broker.port, KEEPALIVE_S, NULL, properties);
    }
    mosquitto_property_free_all(&properties);
    if (!error) {
        watch_peer(mqtt_client_fd(client));
    }
    return explain(client, error);
}

int64_t mqtt_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int fail(struct mqtt_client *client, int error, const char *reason)
{
    snprintf(client->reason, sizeof client->reason, "%s", reason);
    return error;
}

/* During a TLS handshake the library does not notice the end of the connection. */
static bool is_hung_up(const struct mqtt_client *client)
{
    char byte;

    return recv(mqtt_client_fd(client), &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Waits for the broker once. As mqtt_client_connect, and 0 when there is no result yet. */
static int await_broker(struct mqtt_client *client, int other_fd, int timeout_ms)
{
    bool wants_write = mqtt_client_wants_write(client);
    struct pollfd fds[] = {
        {.fd = mqtt_client_fd(client), .events = wants_write ? POLLIN | POLLOUT : POLLIN},
        {.fd = other_fd, .events = POLLIN},
    };

    if (timeout_ms <= 0 || poll(fds, 2, timeout_ms) == 0) {
        client->end = MQTT_END_NO_ANSWER;
        return fail(client, -ETIMEDOUT, "connected, but no answer");
    }
    if (fds[1].revents) {
        return fail(client, -ECANCELED, "canceled");
    }
    if (fds[0].revents & ~POLLOUT && is_hung_up(client)) {
        client->end = MQTT_END_CLOSED;
        return fail(client, -ECONNRESET, "closed by the broker before it answered");
    }
    return mqtt_client_work(client);
}

int mqtt_client_connect(struct mqtt_client *client, int other_fd)
{
    int error = begin_connect(client);
    int64_t until_ms = mqtt_now_ms() + client->settings->answer_ms;

    while (!error && !client->is_accepted) {
        error = await_broker(client, other_fd, (int)(until_ms - mqtt_now_ms()));
    }
    return error;
}

bool mqtt_client_should_use_v311(const struct mqtt_client *client)
{
    return !client->uses_v311 &&
           (client->end == MQTT_END_VERSION || client->end == MQTT_END_CLOSED);
}

const char *mqtt_end_hint(enum mqtt_end end)
{
    static const char *const hints[MQTT_END_COUNT] = {
        [MQTT_END_VERSION] = "it knows neither MQTT 5 nor 3.1.1",
        [MQTT_END_CLOSED] =
            "it answers neither MQTT 5 nor 3.1.1. It may expect TLS ([mqtt] tls_ca), a client "
            "certificate or another protocol on this port; see its log",
        [MQTT_END_NO_ANSWER] =
            "something that does not speak MQTT may listen on this port, or it expects TLS "
            "([mqtt] tls_ca)",
        [MQTT_END_LOST] =
            "it ends connections that it has accepted. It may not accept a topic, QoS 1, retained "
            "messages or the size of a packet, the access rights of this login may be too narrow, "
            "or another client has the same [mqtt] client_id; see its log",
        [MQTT_END_TAKEN_OVER] =
            "another client connects with the same client id; leave [mqtt] client_id empty",
    };

    return hints[end];
}

/*
 * At QoS 0, also what was published at QoS 1. Nothing is lost that QoS 1 would save, because a
 * session ends with its connection. At QoS 1 the broker would wait for our
 * acknowledgements, and mosquitto reads only one of them for every message of each other client: a
 * flood would fill its queue for us, and it would drop the commands of others. And after 20
 * messages that are larger than packet_max, mosquitto 2.0 sends nothing more at QoS 1.
 */
static int subscribe(struct mqtt_client *client, const char *topic, int options)
{
    int error = mosquitto_subscribe_v5(client->mosquitto, NULL, topic, 0, options, NULL);

    client->unconfirmed += error == 0;
    return explain(client, error);
}

int mqtt_client_subscribe(struct mqtt_client *client, const char *topic)
{
    return subscribe(client, topic, 0);
}

int mqtt_client_unsubscribe(struct mqtt_client *client, const char *topic)
{
    return explain(client, mosquitto_unsubscribe(client->mosquitto, NULL, topic));
}

bool mqtt_client_is_subscribed(const struct mqtt_client *client)
{
    return client->unconfirmed == 0;
}

int mqtt_client_adopt(struct mqtt_client *client, const struct mqtt_listener *listener)
{
    const struct mqtt_settings *settings = client->settings;
    const char *const *topics = settings->subscriptions;
    int error = 0;
    /* A retained command is then recognised also when it arrives live. 3.1.1 has no such option. */
    int options = client->uses_v311 ? 0 : MQTT_SUB_OPT_RETAIN_AS_PUBLISHED;
    client->listener = *listener;
    /* Not as published: a status from before this connection must be recognised. */
    if (settings->will_topic) {
        error = subscribe(client, settings->will_topic, 0);
    }
    for (unsigned i = 0; !error && i < MQTT_SUBSCRIPTIONS_MAX && topics[i]; i++) {
        error = subscribe(client, topics[i], options);
    }
    return error;
}

int mqtt_client_fd(const struct mqtt_client *client)
{
    return mosquitto_socket(client->mosquitto);
}

bool mqtt_client_wants_write(const struct mqtt_client *client)
{
    return mosquitto_want_write(client->mosquitto);
}

/* The library closes its socket after a DISCONNECT of the broker, and reports success. */
static int find_end(const struct mqtt_client *client, int error)
{
    return !error && mqtt_client_fd(client) < 0 ? MOSQ_ERR_CONN_LOST : error;
}

/*
 * The connection was closed or reset. The refusal of an old broker is too short for MQTT 5: the
 * library of trixie calls it malformed.
 */
static bool is_closed(int error)
{
    return error == MOSQ_ERR_MALFORMED_PACKET || error == MOSQ_ERR_CONN_LOST ||
           (error == MOSQ_ERR_ERRNO && errno == ECONNRESET);
}

/* As explain, and notes how the connection ended if it did. */
static int end_with(struct mqtt_client *client, int error)
{
    if (error && client->end == MQTT_END_OTHER) {
        bool was_refused = client->reason[0] && !client->is_accepted;
        if (client->is_accepted) {
            client->end = MQTT_END_LOST;
        } else if (is_closed(error) && !was_refused) {
            client->end = MQTT_END_CLOSED;
        }
    }
    return explain(client, error);
}

/* The library reads one packet at a time, and leaves EAGAIN in errno after the last one. */
static int read_packets(struct mqtt_client *client)
{
    int error;

    client->received = 0;
    do {
        errno = 0;
        error = mosquitto_loop_read(client->mosquitto, 1);
    } while (!error && errno != EAGAIN && client->received < READ_MAX &&
             mqtt_client_fd(client) >= 0);
    client->has_read_all = client->received < READ_MAX;
    return error;
}

int mqtt_client_work(struct mqtt_client *client)
{
    int error = read_packets(client);

    if (!error && mqtt_client_wants_write(client)) {
        error = mosquitto_loop_write(client->mosquitto, 1);
    }
    if (!mqtt_client_wants_write(client)) {
        client->unsent = 0;
    }
    return end_with(client, find_end(client, error));
}

int mqtt_client_misc(struct mqtt_client *client)
{
    return end_with(client, find_end(client, mosquitto_loop_misc(client->mosquitto)));
}

/* The owner sees the end when it waits for the socket. */
static int lose(struct mqtt_client *client, int error)
{
    explain(client, error);
    shutdown(mqtt_client_fd(client), SHUT_RDWR);
    return -ENOTCONN;
}

/* An error that is not about the publication or its QoS ends the connection. */
static int explain_publish(struct mqtt_client *client, int error)
{
    switch (error) {
    case MOSQ_ERR_SUCCESS:
        return 0;
    case MOSQ_ERR_INVAL:
    case MOSQ_ERR_MALFORMED_UTF8:
    case MOSQ_ERR_NOT_SUPPORTED:
    case MOSQ_ERR_OVERSIZE_PACKET:
    case MOSQ_ERR_PAYLOAD_SIZE:
        return -EIO;
    case MOSQ_ERR_QOS_NOT_SUPPORTED:
        return -EOPNOTSUPP;
    default:
        return lose(client, error);
    }
}

/* None with 3.1.1, also when a command came with some over an earlier connection. */
static int add_properties(const struct mqtt_client *client, const struct publication *it,
                          mosquitto_property **properties)
{
    int error = 0;

    if (it->response_topic && !client->uses_v311) {
        error =
            mosquitto_property_add_string(properties, MQTT_PROP_RESPONSE_TOPIC, it->response_topic);
    }
    if (!error && it->correlation && !client->uses_v311) {
        error = mosquitto_property_add_binary(properties, MQTT_PROP_CORRELATION_DATA,
                                              it->correlation, (uint16_t)it->correlation_size);
    }
    return error;
}

int mqtt_client_publish(struct mqtt_client *client, const struct publication *it, int *mid)
{
    mosquitto_property *properties = NULL;

    if (it->qos == 0 && client->unsent >= UNSENT_MAX) {
        return -ENOBUFS;
    }
    int error = add_properties(client, it, &properties);
    if (!error) {
        error = mosquitto_publish_v5(client->mosquitto, mid, it->topic, (int)it->size, it->payload,
                                     it->qos, it->retain, properties);
    }
    mosquitto_property_free_all(&properties);
    client->unsent += it->qos == 0 && mqtt_client_wants_write(client);
    return explain_publish(client, error);
}

/* MQTT 3.1.1 cannot disconnect with the will: the broker publishes it without a DISCONNECT. */
void mqtt_client_leave(struct mqtt_client *client, bool with_will)
{
    if (!with_will || !client->uses_v311) {
        mosquitto_disconnect_v5(client->mosquitto, with_will ? MQTT_RC_DISCONNECT_WITH_WILL_MSG : 0,
                                NULL);
    }
}

void mqtt_client_close(struct mqtt_client *client)
{
    if (client->mosquitto) {
        mosquitto_destroy(client->mosquitto);
        client->mosquitto = NULL;
    }
}
