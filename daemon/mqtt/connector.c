#include "mqtt/connector.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BACKOFF_MIN_MS = 1000,
    SWITCH_MAX_MS = 250, /* before the next broker of the list */
    STEADY_MS = 5000,    /* a connection that ends before counts as failed */
    JOIN_S = 2,
    HINT_AFTER = 3,     /* connections that ended in the same way */
    LASTING_MS = 60000, /* a connection that lasted so long was good, however it ended */
    OURS = 0,           /* the caller's end of the pair */
    THEIRS = 1,         /* the thread's end */
};

struct mqtt_connector {
    const struct mqtt_settings *settings;
    int pair[2];
    pthread_t thread;

    /* Only the thread touches these; the client only while it has not handed it over. */
    struct mqtt_client client;
    unsigned place;  /* of the broker in the list */
    unsigned failed; /* brokers in a row */
    unsigned backoff_ms;
    enum mqtt_end last_end;
    unsigned same_ends; /* in a row */
};

/*
 * The thread
 */

/* Up to most_ms: tables do not reconnect at the same moment. */
static unsigned random_ms(unsigned most_ms)
{
    uint16_t random = 0;

    (void)!getrandom(&random, sizeof random, GRND_NONBLOCK);
    return most_ms * random / UINT16_MAX;
}

/* Doubles from one second on. */
static unsigned next_backoff_ms(struct mqtt_connector *connector)
{
    unsigned backoff_ms = connector->backoff_ms ? connector->backoff_ms * 2 : BACKOFF_MIN_MS;
    unsigned max_ms = connector->settings->retry_max_ms;

    connector->backoff_ms = backoff_ms > max_ms ? max_ms : backoff_ms;
    return connector->backoff_ms - random_ms(connector->backoff_ms / 4);
}

static bool hand_over(const struct mqtt_connector *connector, const struct mqtt_attempt *attempt)
{
    return send(connector->pair[THEIRS], attempt, sizeof *attempt, MSG_NOSIGNAL) ==
           (ssize_t)sizeof *attempt;
}

/* Waits until the connection is given back; false when the caller closes the connector. */
static bool await_return(const struct mqtt_connector *connector)
{
    char byte;

    return recv(connector->pair[THEIRS], &byte, sizeof byte, 0) > 0;
}

/* One connection from the first attempt to its end; the client says how it ended. */
static void run_connection(struct mqtt_connector *connector, bool uses_v311)
{
    struct mqtt_client *client = &connector->client;
    int error = mqtt_client_open(client, connector->settings, connector->place, uses_v311);

    if (!error) {
        error = mqtt_client_connect(client, connector->pair[THEIRS]);
    }
    if (!error) {
        int64_t began_ms = mqtt_now_ms();
        connector->backoff_ms = 0;
        if (hand_over(connector,
                      &(struct mqtt_attempt){.client = client, .broker = client->broker})) {
            await_return(connector);
        }
        int64_t lasted_ms = mqtt_now_ms() - began_ms;
        if (lasted_ms >= STEADY_MS) {
            connector->failed = 0;
        }
        if (lasted_ms >= LASTING_MS) {
            connector->same_ends = 0;
        }
    }
    mqtt_client_close(client);
}

/* Goes on to the next broker; false when all have failed in a row. */
static bool has_next_broker(struct mqtt_connector *connector)
{
    connector->place++;
    connector->failed = (connector->failed + 1) % mqtt_broker_count(connector->settings->hosts);
    return connector->failed > 0;
}

/* What may be wrong with the broker when connections end in the same way repeatedly; else NULL. */
static const char *find_hint(struct mqtt_connector *connector)
{
    enum mqtt_end end = connector->client.end;

    connector->same_ends = end == connector->last_end ? connector->same_ends + 1 : 1;
    connector->last_end = end;
    return connector->same_ends == HINT_AFTER ? mqtt_end_hint(end) : NULL;
}

/* Reports why there is no connection and waits; false when the caller closes the connector. */
static bool pause_between(struct mqtt_connector *connector)
{
    struct pollfd end = {.fd = connector->pair[THEIRS], .events = POLLIN};
    struct mqtt_attempt failure = {.broker = connector->client.broker,
                                   .has_next = has_next_broker(connector),
                                   .hint = find_hint(connector)};

    failure.retry_ms = failure.has_next ? random_ms(SWITCH_MAX_MS) : next_backoff_ms(connector);
    memcpy(failure.reason, connector->client.reason, sizeof failure.reason);
    return hand_over(connector, &failure) && poll(&end, 1, (int)failure.retry_ms) == 0;
}

static void *run(void *self)
{
    struct mqtt_connector *connector = self;

    do {
        run_connection(connector, false);
        if (mqtt_client_should_use_v311(&connector->client)) {
            run_connection(connector, true);
        }
    } while (pause_between(connector));
    return NULL;
}

/*
 * The caller
 */

/* Signals are for the threads of the caller. */
static int start_thread(struct mqtt_connector *connector)
{
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = -pthread_create(&connector->thread, NULL, run, connector);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

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
    int error = start_thread(connector);
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
