/* The connection in the hands of the main thread: read, written, and left. */
#include "mqtt/mqtt.h"

#include "mqtt/connector.h"

#include "in_flight.h"
#include "inbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MISC_MS = 10000, /* how often the library looks whether the broker is still there */
    FAREWELL_MS = 1000,
    ATTEMPT_SIZE = MQTT_REASON_SIZE + 40,
    REASON_SIZE = 640, /* an attempt's reason or a hint, with the broker's address */
};

struct mqtt {
    struct mqtt_settings settings;
    struct mqtt_broker broker; /* of the last attempt */
    struct mqtt_connector *connector;
    struct inbox inbox;

    struct mqtt_client *client; /* NULL while there is no connection */
    int64_t misc_due_ms;
    bool is_known; /* the news of this connection was taken */
    struct in_flight in_flight;
};

/*
 * What is heard
 */

static void acknowledged(void *self, int mid)
{
    struct mqtt *mqtt = self;
    uint32_t token = in_flight_end(&mqtt->in_flight, mid);

    if (token) {
        inbox_put(&mqtt->inbox, &(struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = token});
    }
}

static bool is_query(const struct mqtt *mqtt, const char *topic)
{
    const char *const *queries = mqtt->settings.queries;

    for (unsigned i = 0; i < MQTT_QUERIES_MAX && queries[i]; i++) {
        if (strcmp(topic, queries[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void heard(void *self, const struct bus_news *message)
{
    struct mqtt *mqtt = self;

    if (is_query(mqtt, message->topic)) {
        if (!message->retained) { /* as a retained command, it is not carried out */
            inbox_put_query(&mqtt->inbox, message);
        }
    } else {
        inbox_put(&mqtt->inbox, message);
    }
}

/* Tells what about the broker, with its address before it. */
static void tell(struct mqtt *mqtt, enum bus_news_kind kind, const char *what)
{
    char reason[REASON_SIZE];

    snprintf(reason, sizeof reason, "broker %s: %s", mqtt->broker.name, what);
    inbox_put(&mqtt->inbox, &(struct bus_news){.kind = kind, .reason = reason});
}

static void refused(void *self, const char *what)
{
    char text[MQTT_REASON_SIZE];

    snprintf(text, sizeof text, "not allowed: %s; see its access rules", what);
    tell(self, BUS_REFUSED, text);
}

/*
 * From the connection's handing over to its end
 */

static void end_connection(struct mqtt *mqtt)
{
    inbox_clear_queries(&mqtt->inbox); /* whoever sent them asks again */
    mqtt->client = NULL;
    mqtt->is_known = false;
    mqtt_connector_give_back(mqtt->connector);
}

static void begin_connection(struct mqtt *mqtt, struct mqtt_client *client)
{
    struct mqtt_listener listener = {mqtt, acknowledged, heard, refused};

    mqtt->client = client;
    mqtt->misc_due_ms = mqtt_now_ms() + MISC_MS;
    in_flight_clear(&mqtt->in_flight);
    if (mqtt_client_adopt(client, &listener)) {
        end_connection(mqtt);
        return;
    }
    tell(mqtt, BUS_CONNECTED, client->uses_v311 ? "connected, MQTT 3.1.1" : "connected, MQTT 5");
}

static void take_attempt(struct mqtt *mqtt)
{
    struct mqtt_attempt attempt;

    if (!mqtt_connector_take(mqtt->connector, &attempt)) {
        return;
    }
    mqtt->broker = attempt.broker;
    if (attempt.client) {
        begin_connection(mqtt, attempt.client);
    } else {
        char text[ATTEMPT_SIZE];
        snprintf(text, sizeof text,
                 attempt.has_next ? "%s, trying the next broker in %u.%u s"
                                  : "%s, trying again in %u.%u s",
                 attempt.reason, attempt.retry_ms / 1000, attempt.retry_ms % 1000 / 100);
        tell(mqtt, BUS_DISCONNECTED, text);
        if (attempt.hint) {
            tell(mqtt, BUS_REFUSED, attempt.hint);
        }
    }
}

static int misc(struct mqtt *mqtt)
{
    int64_t now_ms = mqtt_now_ms();

    if (now_ms < mqtt->misc_due_ms) {
        return 0;
    }
    mqtt->misc_due_ms = now_ms + MISC_MS;
    return mqtt_client_misc(mqtt->client);
}

/*
 * Whether there is work that the socket does not show: the library has closed it, or has more in
 * its buffers (TLS) than was read at a time.
 */
static bool is_ready(const struct mqtt *mqtt)
{
    return mqtt_client_fd(mqtt->client) < 0 || !mqtt->client->has_read_all;
}

enum { CONNECTOR, CONNECTION }; /* indexes into fds */

int mqtt_prepare(const struct mqtt *mqtt, struct pollfd fds[MQTT_FDS])
{
    bool wants_write = mqtt->client && mqtt_client_wants_write(mqtt->client);

    fds[CONNECTOR] = (struct pollfd){.fd = mqtt_connector_fd(mqtt->connector), .events = POLLIN};
    fds[CONNECTION] = (struct pollfd){.fd = mqtt->client ? mqtt_client_fd(mqtt->client) : -1,
                                      .events = (short)(wants_write ? POLLIN | POLLOUT : POLLIN)};
    if (!mqtt->client) {
        return -1;
    }
    int64_t left_ms = mqtt->misc_due_ms - mqtt_now_ms();
    return is_ready(mqtt) || left_ms < 0 ? 0 : (int)left_ms;
}

void mqtt_work(struct mqtt *mqtt, const struct pollfd fds[MQTT_FDS])
{
    int error = 0;

    if (mqtt->client) {
        bool has_work = fds[CONNECTION].revents || is_ready(mqtt);
        error = has_work ? mqtt_client_work(mqtt->client) : 0;
        error = error ? error : misc(mqtt);
    }
    if (error) {
        end_connection(mqtt);
    }
    if (fds[CONNECTOR].revents) {
        take_attempt(mqtt);
    }
}

struct bus_news *mqtt_take(struct mqtt *mqtt)
{
    struct bus_news *news = inbox_take(&mqtt->inbox);

    if (news && news->kind == BUS_CONNECTED) {
        mqtt->is_known = mqtt->client;
    }
    return news;
}

bool mqtt_has_more(const struct mqtt *mqtt)
{
    return inbox_has_news(&mqtt->inbox);
}

bool mqtt_should_read(const struct mqtt *mqtt)
{
    return mqtt->client && !mqtt->client->has_read_all && inbox_is_crowded(&mqtt->inbox);
}

struct bus_news *mqtt_take_query(struct mqtt *mqtt)
{
    return inbox_take_query(&mqtt->inbox);
}

bool mqtt_has_query(const struct mqtt *mqtt)
{
    return inbox_has_query(&mqtt->inbox);
}

void mqtt_release(struct bus_news *news)
{
    inbox_release(news);
}

/*
 * Publishing
 */

/*
 * Only over a connection whose news was taken: until then the caller believes in the one before,
 * and what it says would overtake what was lost with that one.
 */
static int publish(void *self, const struct publication *publication)
{
    struct mqtt *mqtt = self;
    int mid = 0;

    if (!mqtt->is_known) {
        return -ENOTCONN;
    }
    if (!in_flight_has_room(&mqtt->in_flight, publication)) {
        return -ENOBUFS;
    }
    int error = mqtt_client_publish(mqtt->client, publication, &mid);
    if (!error) {
        in_flight_begin(&mqtt->in_flight, publication, mid);
    }
    return error;
}

static int subscribe(void *self, const char *topic)
{
    struct mqtt *mqtt = self;

    return mqtt->is_known ? mqtt_client_subscribe(mqtt->client, topic) : -ENOTCONN;
}

static int unsubscribe(void *self, const char *topic)
{
    struct mqtt *mqtt = self;

    return mqtt->is_known ? mqtt_client_unsubscribe(mqtt->client, topic) : -ENOTCONN;
}

struct bus mqtt_bus(struct mqtt *mqtt)
{
    return (struct bus){
        .self = mqtt, .publish = publish, .subscribe = subscribe, .unsubscribe = unsubscribe};
}

/*
 * Opening and closing
 */

/* Builds a client once, so that settings that can never work are known at the start. */
static int try_settings(const struct mqtt *mqtt, char *problem, size_t size)
{
    struct mqtt_client client;
    int error = mqtt_client_open(&client, &mqtt->settings, 0, false);

    if (error) {
        snprintf(problem, size, "broker %s: %s", client.broker.name, client.reason);
        return error;
    }
    mqtt_client_close(&client);
    return 0;
}

static void free_all(struct mqtt *mqtt)
{
    inbox_clear(&mqtt->inbox);
    free(mqtt);
    mqtt_library_close();
}

int mqtt_open(struct mqtt **opened, const struct mqtt_settings *settings, char *problem,
              size_t size)
{
    struct mqtt *mqtt = calloc(1, sizeof *mqtt);

    snprintf(problem, size, "out of memory");
    if (!mqtt) {
        return -ENOMEM;
    }
    mqtt_library_open();
    mqtt->settings = *settings;
    int error = try_settings(mqtt, problem, size);
    if (!error) {
        error = mqtt_connector_open(&mqtt->connector, &mqtt->settings);
    }
    if (error) {
        free_all(mqtt);
        return error;
    }
    *opened = mqtt;
    return 0;
}

/* Whether the broker acknowledges this token in time. Whatever else is heard is too late. */
static bool await_acknowledgement(struct mqtt *mqtt, uint32_t token)
{
    struct pollfd fds[MQTT_FDS];
    int64_t until_ms = mqtt_now_ms() + FAREWELL_MS;
    int64_t left_ms = FAREWELL_MS;
    bool is_it = false;

    while (mqtt->client && left_ms > 0 && !is_it) {
        struct bus_news *news = mqtt_take(mqtt);
        is_it = news && news->kind == BUS_ACKNOWLEDGED && news->token == token;
        if (!news) {
            int wait_ms = mqtt_prepare(mqtt, fds);
            poll(fds, MQTT_FDS, wait_ms >= 0 && wait_ms < left_ms ? wait_ms : (int)left_ms);
            mqtt_work(mqtt, fds);
        }
        inbox_release(news);
        left_ms = until_ms - mqtt_now_ms();
    }
    return is_it;
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
    bool is_said = publish(mqtt, &farewell) == 0 && await_acknowledgement(mqtt, farewell.token);

    if (mqtt->client) {
        mqtt_client_leave(mqtt->client, !is_said);
        end_connection(mqtt);
    }
}

bool mqtt_close(struct mqtt *mqtt)
{
    if (!mqtt) {
        return true;
    }
    say_farewell(mqtt);
    if (!mqtt_connector_close(mqtt->connector)) {
        return false;
    }
    free_all(mqtt);
    return true;
}
