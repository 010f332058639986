#include "daemon/mqtt_connector.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BACKOFF_MIN_MS = 1000,
    BACKOFF_MAX_MS = 60000,
    JOIN_S = 2,
    OURS = 0,   /* the end of the pair that the caller has */
    THEIRS = 1, /* and that of the thread */
};

struct mqtt_connector {
    const struct mqtt_settings *settings;
    int pair[2];
    pthread_t thread;

    /* Only the thread touches these; the client only while it has not handed it over. */
    struct mqtt_client client;
    bool broker_is_old; /* until it lets us in: by the next time it may have been upgraded */
    unsigned backoff_ms;
};

/*
 * The thread
 */

/* From one second to a minute, a quarter of it at random, so that tables do not come in step. */
static unsigned next_backoff_ms(struct mqtt_connector *connector)
{
    unsigned backoff_ms = connector->backoff_ms ? connector->backoff_ms * 2 : BACKOFF_MIN_MS;
    uint16_t random = 0;

    (void)!getrandom(&random, sizeof random, GRND_NONBLOCK);
    connector->backoff_ms = backoff_ms > BACKOFF_MAX_MS ? BACKOFF_MAX_MS : backoff_ms;
    return connector->backoff_ms - connector->backoff_ms / 4 * random / UINT16_MAX;
}

static bool hand_over(const struct mqtt_connector *connector, const struct mqtt_attempt *attempt)
{
    return send(connector->pair[THEIRS], attempt, sizeof *attempt, MSG_NOSIGNAL) ==
           (ssize_t)sizeof *attempt;
}

/* Waits until the connection is given back; false when the caller wants no more of them. */
static bool await_return(const struct mqtt_connector *connector)
{
    char byte;

    return recv(connector->pair[THEIRS], &byte, sizeof byte, 0) > 0;
}

/* One connection from its first try to its end; the client's reason says how it ended. */
static void run_connection(struct mqtt_connector *connector)
{
    struct mqtt_client *client = &connector->client;
    struct mqtt_attempt success = {.client = client};
    int error = mqtt_client_open(client, connector->settings, connector->broker_is_old);

    if (!error) {
        error = mqtt_client_connect(client, connector->pair[THEIRS]);
    }
    if (!error) {
        connector->backoff_ms = 0;
        connector->broker_is_old = false;
        if (hand_over(connector, &success)) {
            await_return(connector);
        }
    }
    mqtt_client_close(client);
}

/* Tells why there is no connection and waits; false when the caller wants no more of them. */
static bool pause_between(struct mqtt_connector *connector)
{
    struct pollfd end = {.fd = connector->pair[THEIRS], .events = POLLIN};
    unsigned pause_ms = next_backoff_ms(connector);
    struct mqtt_attempt failure = {0};

    snprintf(failure.reason, sizeof failure.reason, "%s, trying again in %u.%u s",
             connector->client.reason, pause_ms / 1000, pause_ms % 1000 / 100);
    return hand_over(connector, &failure) && poll(&end, 1, (int)pause_ms) == 0;
}

static void *run(void *self)
{
    struct mqtt_connector *connector = self;
    bool goes_on = true;

    while (goes_on) {
        run_connection(connector);
        if (connector->client.broker_is_old) {
            connector->broker_is_old = true; /* it answered, so it can be asked again at once */
        } else {
            goes_on = pause_between(connector);
        }
    }
    return NULL;
}

/*
 * The caller
 */

int mqtt_connector_open(struct mqtt_connector **opened, const struct mqtt_settings *settings)
{
    struct mqtt_connector *connector = calloc(1, sizeof *connector);

    if (!connector) {
        return -ENOMEM;
    }
    connector->settings = settings;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, connector->pair)) {
        int error = -errno;
        free(connector);
        return error;
    }
    int error = -pthread_create(&connector->thread, NULL, run, connector);
    if (error) {
        close(connector->pair[OURS]);
        close(connector->pair[THEIRS]);
        free(connector);
        return error;
    }
    *opened = connector;
    return 0;
}

bool mqtt_connector_close(struct mqtt_connector *connector)
{
    struct timespec until;

    if (!connector) {
        return true;
    }
    shutdown(connector->pair[OURS], SHUT_WR); /* ends each wait of the thread that we can end */
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += JOIN_S;
    if (pthread_timedjoin_np(connector->thread, NULL, &until)) {
        return false;
    }
    close(connector->pair[OURS]);
    close(connector->pair[THEIRS]);
    free(connector);
    return true;
}

int mqtt_connector_fd(const struct mqtt_connector *connector)
{
    return connector->pair[OURS];
}

bool mqtt_connector_take(struct mqtt_connector *connector, struct mqtt_attempt *attempt)
{
    return recv(connector->pair[OURS], attempt, sizeof *attempt, MSG_DONTWAIT) ==
           (ssize_t)sizeof *attempt;
}

void mqtt_connector_give_back(struct mqtt_connector *connector)
{
    const char byte = 0;

    (void)!send(connector->pair[OURS], &byte, sizeof byte, MSG_DONTWAIT | MSG_NOSIGNAL);
}
