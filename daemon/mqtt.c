#include "daemon/mqtt.h"

#include "daemon/inbox.h"

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    INBOX_CAPACITY = 256,
    IN_FLIGHT_MAX = 512, /* publications whose acknowledgement somebody waits for */
    KEEPALIVE_S = 60,
    LOOP_TIMEOUT_MS = 20000, /* the socket and our own publishing wake the thread earlier */
    BACKOFF_MIN_MS = 1000,
    BACKOFF_MAX_MS = 60000,
    FAREWELL_MS = 1000,
    JOIN_S = 2,
    PACKET_SIZE_MAX = 65536, /* larger ones stay in the broker (MQTT 5) */
    REASON_SIZE = 200,
};

/* A publication on its way. */
struct in_flight {
    int mid; /* 0: free */
    uint32_t token;
};

struct mqtt {
    struct mqtt_settings settings;
    struct inbox *inbox;
    pthread_t thread;
    int stop_fd; /* readable: end the thread */

    /* Only the thread touches these. */
    int version;
    bool session_was_up;
    unsigned backoff_ms;
    char reason[REASON_SIZE];

    /* Shared with whoever publishes. */
    pthread_mutex_t lock;
    struct mosquitto *client; /* NULL between two connections */
    bool connected;
    struct in_flight in_flight[IN_FLIGHT_MAX];
};

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

/*
 * What the thread hears
 */

static void subscribe(struct mqtt *mqtt, struct mosquitto *client)
{
    for (unsigned i = 0; i < MQTT_SUBSCRIPTIONS_MAX && mqtt->settings.subscriptions[i]; i++) {
        mosquitto_subscribe(client, NULL, mqtt->settings.subscriptions[i], 1);
    }
}

static bool is_version_refusal(int reason)
{
    enum { V3_UNACCEPTABLE_PROTOCOL = 1 };

    return reason == V3_UNACCEPTABLE_PROTOCOL || reason == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION;
}

static void on_connect(struct mosquitto *client, void *self, int reason, int flags,
                       const mosquitto_property *properties)
{
    struct mqtt *mqtt = self;

    (void)flags;
    (void)properties;
    if (reason == 0) {
        subscribe(mqtt, client);
        pthread_mutex_lock(&mqtt->lock);
        mqtt->connected = true;
        pthread_mutex_unlock(&mqtt->lock);
        mqtt->session_was_up = true;
        mqtt->backoff_ms = 0;
        inbox_put(mqtt->inbox, &(struct bus_news){.kind = BUS_CONNECTED});
        return;
    }
    if (is_version_refusal(reason) && mqtt->version == MQTT_PROTOCOL_V5) {
        mqtt->version = MQTT_PROTOCOL_V311;
    }
    snprintf(mqtt->reason, sizeof mqtt->reason, "refused: %s",
             mqtt->version == MQTT_PROTOCOL_V5 ? mosquitto_reason_string(reason)
                                               : mosquitto_connack_string(reason));
}

static void on_publish(struct mosquitto *client, void *self, int mid, int reason,
                       const mosquitto_property *properties)
{
    struct mqtt *mqtt = self;
    uint32_t token = 0;

    (void)client;
    (void)reason; /* refused by the broker: to send it again would not help */
    (void)properties;
    pthread_mutex_lock(&mqtt->lock);
    for (unsigned i = 0; i < IN_FLIGHT_MAX && !token; i++) {
        if (mqtt->in_flight[i].mid == mid) {
            token = mqtt->in_flight[i].token;
            mqtt->in_flight[i] = (struct in_flight){0};
        }
    }
    pthread_mutex_unlock(&mqtt->lock);
    if (token) {
        inbox_put(mqtt->inbox, &(struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = token});
    }
}

static void on_message(struct mosquitto *client, void *self,
                       const struct mosquitto_message *message,
                       const mosquitto_property *properties)
{
    struct mqtt *mqtt = self;
    char *response_topic = NULL;
    void *correlation = NULL;
    uint16_t correlation_size = 0;

    (void)client;
    mosquitto_property_read_string(properties, MQTT_PROP_RESPONSE_TOPIC, &response_topic, false);
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &correlation,
                                   &correlation_size, false);
    inbox_put(mqtt->inbox, &(struct bus_news){
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
 * The thread
 */

static int prepare_client(struct mqtt *mqtt, struct mosquitto *client)
{
    const struct mqtt_settings *settings = &mqtt->settings;
    int error = mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, mqtt->version);

    if (!error) {
        error = mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    }
    if (!error) {
        error = mosquitto_threaded_set(client, true);
    }
    if (!error && settings->username[0]) {
        error = mosquitto_username_pw_set(client, settings->username, settings->password);
    }
    if (!error && settings->tls_ca[0]) {
        error = mosquitto_tls_set(client, settings->tls_ca, NULL, or_null(settings->tls_cert),
                                  or_null(settings->tls_key), NULL);
    }
    if (!error) {
        error = mosquitto_will_set(client, settings->will_topic, (int)strlen("offline"), "offline",
                                   1, true);
    }
    mosquitto_connect_v5_callback_set(client, on_connect);
    mosquitto_publish_v5_callback_set(client, on_publish);
    mosquitto_message_v5_callback_set(client, on_message);
    return error;
}

static struct mosquitto *make_client(struct mqtt *mqtt, int *error)
{
    struct mosquitto *client = mosquitto_new(mqtt->settings.client_id, true, mqtt);

    *error = client ? prepare_client(mqtt, client) : MOSQ_ERR_NOMEM;
    if (*error && client) {
        mosquitto_destroy(client);
        client = NULL;
    }
    return client;
}

static int connect_client(struct mqtt *mqtt, struct mosquitto *client)
{
    mosquitto_property *properties = NULL;
    int error = 0;

    if (mqtt->version == MQTT_PROTOCOL_V5) {
        error = mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE,
                                             PACKET_SIZE_MAX);
    }
    if (!error) {
        error = mosquitto_connect_bind_v5(client, mqtt->settings.host, mqtt->settings.port,
                                          KEEPALIVE_S, NULL, properties);
    }
    mosquitto_property_free_all(&properties);
    return error;
}

static const char *error_text(int error)
{
    return error == MOSQ_ERR_ERRNO ? strerror(errno) : mosquitto_strerror(error);
}

static bool is_stopping(const struct mqtt *mqtt)
{
    struct pollfd stop = {.fd = mqtt->stop_fd, .events = POLLIN};

    return poll(&stop, 1, 0) > 0;
}

static void show_client(struct mqtt *mqtt, struct mosquitto *client)
{
    pthread_mutex_lock(&mqtt->lock);
    mqtt->client = client;
    mqtt->connected = false;
    memset(mqtt->in_flight, 0, sizeof mqtt->in_flight);
    pthread_mutex_unlock(&mqtt->lock);
}

/* One connection from its first try to its end; reason says how it ended. */
static void run_session(struct mqtt *mqtt)
{
    int error;
    struct mosquitto *client = make_client(mqtt, &error);

    mqtt->reason[0] = '\0';
    mqtt->session_was_up = false;
    if (client) {
        error = connect_client(mqtt, client);
    }
    if (!error) {
        show_client(mqtt, client);
    }
    while (!error && !is_stopping(mqtt)) {
        error = mosquitto_loop(client, LOOP_TIMEOUT_MS, 1);
    }
    if (!mqtt->reason[0]) {
        snprintf(mqtt->reason, sizeof mqtt->reason, "%s", error_text(error));
    }
    show_client(mqtt, NULL);
    if (client) {
        mosquitto_destroy(client);
    }
}

/* From one second to a minute, a quarter of it at random, so that tables do not come in step. */
static unsigned next_backoff_ms(struct mqtt *mqtt)
{
    uint16_t random = 0;

    (void)!getrandom(&random, sizeof random, GRND_NONBLOCK);
    mqtt->backoff_ms = mqtt->backoff_ms ? mqtt->backoff_ms * 2 : BACKOFF_MIN_MS;
    if (mqtt->backoff_ms > BACKOFF_MAX_MS) {
        mqtt->backoff_ms = BACKOFF_MAX_MS;
    }
    return mqtt->backoff_ms - mqtt->backoff_ms / 4 * random / UINT16_MAX;
}

static void *run(void *self)
{
    struct mqtt *mqtt = self;

    while (!is_stopping(mqtt)) {
        run_session(mqtt);
        if (is_stopping(mqtt)) {
            break;
        }
        unsigned pause_ms = next_backoff_ms(mqtt);
        char reason[REASON_SIZE + 64];
        snprintf(reason, sizeof reason, "broker %s:%u: %s, trying again in %u.%u s",
                 mqtt->settings.host, mqtt->settings.port, mqtt->reason, pause_ms / 1000,
                 pause_ms % 1000 / 100);
        inbox_put(mqtt->inbox, &(struct bus_news){.kind = BUS_DISCONNECTED, .reason = reason});
        poll(&(struct pollfd){.fd = mqtt->stop_fd, .events = POLLIN}, 1, (int)pause_ms);
    }
    return NULL;
}

/*
 * Publishing, from the main thread
 */

static bool note_in_flight(struct mqtt *mqtt, int mid, uint32_t token)
{
    for (unsigned i = 0; i < IN_FLIGHT_MAX; i++) {
        if (!mqtt->in_flight[i].mid) {
            mqtt->in_flight[i] = (struct in_flight){.mid = mid, .token = token};
            return true;
        }
    }
    return false;
}

static int hand_over(struct mqtt *mqtt, const struct publication *it,
                     mosquitto_property *properties)
{
    int mid = 0;
    int error = mosquitto_publish_v5(mqtt->client, &mid, it->topic, (int)it->size, it->payload,
                                     it->qos, it->retain, properties);

    if (error == MOSQ_ERR_NO_CONN) {
        return -ENOTCONN;
    }
    if (error) {
        return -EIO;
    }
    return it->token == 0 || note_in_flight(mqtt, mid, it->token) ? 0 : -ENOBUFS;
}

static int publish(void *self, const struct publication *it)
{
    struct mqtt *mqtt = self;
    mosquitto_property *properties = NULL;
    int result = -ENOTCONN;

    if (it->correlation) {
        mosquitto_property_add_binary(&properties, MQTT_PROP_CORRELATION_DATA, it->correlation,
                                      (uint16_t)it->correlation_size);
    }
    pthread_mutex_lock(&mqtt->lock);
    if (mqtt->client && mqtt->connected) {
        result = hand_over(mqtt, it, properties);
    }
    pthread_mutex_unlock(&mqtt->lock);
    mosquitto_property_free_all(&properties);
    return result;
}

struct bus mqtt_bus(struct mqtt *mqtt)
{
    return (struct bus){.self = mqtt, .publish = publish};
}

/*
 * Opening and closing
 */

/* Builds a client once, so that settings that can never work are known at the start. */
static int try_settings(struct mqtt *mqtt, char *problem, size_t size)
{
    int error;
    struct mosquitto *client = make_client(mqtt, &error);

    if (error) {
        snprintf(problem, size, "broker %s:%u: %s", mqtt->settings.host, mqtt->settings.port,
                 error_text(error));
        return -EINVAL;
    }
    mosquitto_destroy(client);
    return 0;
}

int mqtt_open(struct mqtt **opened, const struct mqtt_settings *settings, char *problem,
              size_t size)
{
    struct mqtt *mqtt = calloc(1, sizeof *mqtt);

    snprintf(problem, size, "out of memory");
    if (!mqtt) {
        return -ENOMEM;
    }
    mosquitto_lib_init();
    mqtt->settings = *settings;
    pthread_mutex_init(&mqtt->lock, NULL);
    mqtt->version = MQTT_PROTOCOL_V5;
    mqtt->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = mqtt->stop_fd < 0 ? -errno : inbox_open(&mqtt->inbox, INBOX_CAPACITY);
    if (!error) {
        error = try_settings(mqtt, problem, size);
    }
    if (!error) {
        error = -pthread_create(&mqtt->thread, NULL, run, mqtt);
    }
    if (!error) {
        *opened = mqtt;
        return 0;
    }
    inbox_close(mqtt->inbox);
    close(mqtt->stop_fd);
    free(mqtt);
    return error;
}

static void say_farewell(struct mqtt *mqtt)
{
    struct publication farewell = {
        .topic = mqtt->settings.will_topic,
        .payload = "offline",
        .size = strlen("offline"),
        .qos = 1,
        .retain = true,
        .token = UINT32_MAX,
    };
    struct pollfd news = {.fd = inbox_fd(mqtt->inbox), .events = POLLIN};
    bool waiting = publish(mqtt, &farewell) == 0;

    while (waiting && poll(&news, 1, FAREWELL_MS) > 0) {
        struct bus_news *it = inbox_take(mqtt->inbox);
        waiting = it && !(it->kind == BUS_ACKNOWLEDGED && it->token == farewell.token) &&
                  it->kind != BUS_DISCONNECTED;
        inbox_release(it);
    }
    pthread_mutex_lock(&mqtt->lock);
    if (mqtt->client) {
        mosquitto_disconnect_v5(mqtt->client, 0, NULL);
    }
    pthread_mutex_unlock(&mqtt->lock);
}

static bool join_in_time(struct mqtt *mqtt)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += JOIN_S;
    return pthread_timedjoin_np(mqtt->thread, NULL, &until) == 0;
}

void mqtt_close(struct mqtt *mqtt)
{
    uint64_t one = 1;

    if (!mqtt) {
        return;
    }
    say_farewell(mqtt);
    (void)!write(mqtt->stop_fd, &one, sizeof one);
    inbox_shut(mqtt->inbox);
    if (!join_in_time(mqtt)) {
        return; /* it hangs in a connect; the process is about to end anyway */
    }
    inbox_close(mqtt->inbox);
    close(mqtt->stop_fd);
    pthread_mutex_destroy(&mqtt->lock);
    free(mqtt);
    mosquitto_lib_cleanup();
}

int mqtt_fd(const struct mqtt *mqtt)
{
    return inbox_fd(mqtt->inbox);
}

struct bus_news *mqtt_take(struct mqtt *mqtt)
{
    return inbox_take(mqtt->inbox);
}

void mqtt_release(struct bus_news *news)
{
    inbox_release(news);
}
