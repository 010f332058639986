/* The network thread, its pauses, and what the main thread asks of it. */
#include "daemon/mqtt.h"

#include "daemon/in_flight.h"
#include "daemon/inbox.h"
#include "daemon/mqtt_client.h"

#include <errno.h>
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
    BACKOFF_MIN_MS = 1000,
    BACKOFF_MAX_MS = 60000,
    FAREWELL_MS = 1000,
    JOIN_S = 2,
    REASON_SIZE = MQTT_REASON_SIZE + 320, /* with the broker's address */
};

struct mqtt {
    struct mqtt_settings settings;
    struct inbox *inbox;
    pthread_t thread;
    int stop_fd; /* readable: end the thread */

    /* Only the thread touches these. */
    struct mqtt_client client;
    bool broker_is_old;
    unsigned backoff_ms;

    /* Shared with whoever publishes. */
    pthread_mutex_t lock;
    bool is_open;        /* between a connect and the end of the connection */
    uint32_t connection; /* its number */
    uint32_t told;       /* the number of the one of which the main thread knows */
    struct in_flight in_flight;
};

/*
 * What the thread hears
 */

static void connected(void *self)
{
    struct mqtt *mqtt = self;

    mqtt->backoff_ms = 0;
    inbox_put(mqtt->inbox, &(struct bus_news){.kind = BUS_CONNECTED, .token = mqtt->connection});
}

static void acknowledged(void *self, int mid)
{
    struct mqtt *mqtt = self;

    pthread_mutex_lock(&mqtt->lock);
    uint32_t token = in_flight_end(&mqtt->in_flight, mid);
    pthread_mutex_unlock(&mqtt->lock);
    if (token) {
        inbox_put(mqtt->inbox, &(struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = token});
    }
}

static void heard(void *self, const struct bus_news *message)
{
    inbox_put(((struct mqtt *)self)->inbox, message);
}

/* Tells what about the broker, with its address before it. */
static void tell(struct mqtt *mqtt, enum bus_news_kind kind, const char *what)
{
    char reason[REASON_SIZE];

    snprintf(reason, sizeof reason, "broker %s:%u: %s", mqtt->settings.host, mqtt->settings.port,
             what);
    inbox_put(mqtt->inbox, &(struct bus_news){.kind = kind, .reason = reason});
}

static void refused(void *self, const char *what)
{
    char text[MQTT_REASON_SIZE];

    snprintf(text, sizeof text, "not allowed: %s; see its access rules", what);
    tell(self, BUS_REFUSED, text);
}

static struct mqtt_listener listener_of(struct mqtt *mqtt)
{
    return (struct mqtt_listener){mqtt, connected, acknowledged, heard, refused};
}

/*
 * The thread
 */

static bool is_stopping(const struct mqtt *mqtt)
{
    struct pollfd stop = {.fd = mqtt->stop_fd, .events = POLLIN};

    return poll(&stop, 1, 0) > 0;
}

static void begin_connection(struct mqtt *mqtt)
{
    pthread_mutex_lock(&mqtt->lock);
    mqtt->is_open = true;
    mqtt->connection++;
    memset(&mqtt->in_flight, 0, sizeof mqtt->in_flight);
    pthread_mutex_unlock(&mqtt->lock);
}

static void end_connection(struct mqtt *mqtt)
{
    pthread_mutex_lock(&mqtt->lock);
    mqtt->is_open = false;
    pthread_mutex_unlock(&mqtt->lock);
}

/* One connection from its first try to its end; the client's reason says how it ended. */
static void run_connection(struct mqtt *mqtt)
{
    struct mqtt_client *client = &mqtt->client;
    struct mqtt_listener listener = listener_of(mqtt);
    int error = mqtt_client_open(client, &mqtt->settings, &listener, mqtt->broker_is_old);

    if (!error) {
        error = mqtt_client_connect(client);
    }
    if (!error) {
        begin_connection(mqtt);
    }
    while (!error && !is_stopping(mqtt)) {
        error = mqtt_client_loop(client);
    }
    end_connection(mqtt);
    mqtt->broker_is_old |= client->broker_is_old;
    mqtt_client_close(client);
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
        run_connection(mqtt);
        if (is_stopping(mqtt)) {
            break;
        }
        unsigned pause_ms = next_backoff_ms(mqtt);
        char text[MQTT_REASON_SIZE + 40];
        snprintf(text, sizeof text, "%s, trying again in %u.%u s", mqtt->client.reason,
                 pause_ms / 1000, pause_ms % 1000 / 100);
        tell(mqtt, BUS_DISCONNECTED, text);
        poll(&(struct pollfd){.fd = mqtt->stop_fd, .events = POLLIN}, 1, (int)pause_ms);
    }
    return NULL;
}

/*
 * Publishing, from the main thread
 */

static int hand_over(struct mqtt *mqtt, const struct publication *publication)
{
    int mid = 0;

    if (!in_flight_has_room(&mqtt->in_flight, publication)) {
        return -ENOBUFS;
    }
    int error = mqtt_client_publish(&mqtt->client, publication, &mid);
    if (!error) {
        in_flight_begin(&mqtt->in_flight, publication, mid);
    }
    return error;
}

/*
 * Only over a connection that the main thread has been told of: until then it believes in the one
 * before, and what it says would overtake what was lost with that one.
 */
static int publish(void *self, const struct publication *publication)
{
    struct mqtt *mqtt = self;
    int result = -ENOTCONN;

    pthread_mutex_lock(&mqtt->lock);
    if (mqtt->is_open && mqtt->told == mqtt->connection) {
        result = hand_over(mqtt, publication);
    }
    pthread_mutex_unlock(&mqtt->lock);
    return result;
}

struct bus mqtt_bus(struct mqtt *mqtt)
{
    return (struct bus){.self = mqtt, .publish = publish};
}

int mqtt_fd(const struct mqtt *mqtt)
{
    return inbox_fd(mqtt->inbox);
}

struct bus_news *mqtt_take(struct mqtt *mqtt)
{
    struct bus_news *news = inbox_take(mqtt->inbox);

    if (news && news->kind == BUS_CONNECTED) {
        pthread_mutex_lock(&mqtt->lock);
        mqtt->told = news->token;
        pthread_mutex_unlock(&mqtt->lock);
    }
    return news;
}

void mqtt_release(struct bus_news *news)
{
    inbox_release(news);
}

/*
 * Opening and closing
 */

/* Builds a client once, so that settings that can never work are known at the start. */
static int try_settings(struct mqtt *mqtt, char *problem, size_t size)
{
    struct mqtt_listener listener = listener_of(mqtt);
    int error = mqtt_client_open(&mqtt->client, &mqtt->settings, &listener, false);

    if (error) {
        snprintf(problem, size, "broker %s:%u: %s", mqtt->settings.host, mqtt->settings.port,
                 mqtt->client.reason);
        return error;
    }
    mqtt_client_close(&mqtt->client);
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
    mqtt_library_open();
    mqtt->settings = *settings;
    pthread_mutex_init(&mqtt->lock, NULL);
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

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether the broker acknowledges this token in time. Whatever else is heard is too late. */
static bool await_acknowledgement(struct mqtt *mqtt, uint32_t token)
{
    struct pollfd news = {.fd = inbox_fd(mqtt->inbox), .events = POLLIN};
    int64_t until_ms = now_ms() + FAREWELL_MS;
    int64_t left_ms = FAREWELL_MS;

    while (left_ms > 0 && poll(&news, 1, (int)left_ms) > 0) {
        struct bus_news *it = inbox_take(mqtt->inbox);
        bool is_it = it && it->kind == BUS_ACKNOWLEDGED && it->token == token;
        bool is_lost = it && it->kind == BUS_DISCONNECTED;
        inbox_release(it);
        if (is_it || is_lost) {
            return is_it;
        }
        left_ms = until_ms - now_ms();
    }
    return false;
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

    pthread_mutex_lock(&mqtt->lock);
    if (mqtt->is_open) {
        mqtt_client_leave(&mqtt->client, !is_said);
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

bool mqtt_close(struct mqtt *mqtt)
{
    uint64_t one = 1;

    if (!mqtt) {
        return true;
    }
    say_farewell(mqtt);
    (void)!write(mqtt->stop_fd, &one, sizeof one);
    inbox_shut(mqtt->inbox);
    if (!join_in_time(mqtt)) {
        return false;
    }
    inbox_close(mqtt->inbox);
    close(mqtt->stop_fd);
    pthread_mutex_destroy(&mqtt->lock);
    free(mqtt);
    mqtt_library_close();
    return true;
}
