/* A client of the broker that hears one topic filter, counts and times what it hears, and speaks.
 */
#ifndef BENCH_LISTENER_H
#define BENCH_LISTENER_H

#include <stdbool.h>
#include <stddef.h>

enum { LISTENER_TEXT_SIZE = 256 };

struct mosquitto;

struct listener {
    struct mosquitto *client;
    bool subscribed;
    unsigned heard;                      /* messages */
    unsigned refused;                    /* of them: replies that say no */
    double heard_us;                     /* when the last one came, CLOCK_MONOTONIC */
    size_t heard_size;                   /* of its payload */
    char heard_text[LISTENER_TEXT_SIZE]; /* as much of it as fits */
};

/* Returns when the subscription stands. The listener must stay where it is. */
void listener_open(struct listener *listener, unsigned port, const char *filter);
void listener_close(struct listener *listener);

/* Until so many messages have been heard since it was opened. */
void listener_await(struct listener *listener, unsigned count);

/* Hears for so long at most, or until something has come. */
void listener_work(struct listener *listener, unsigned ms);

/* Publishes with QoS 1, without waiting. */
void listener_say(struct listener *listener, const char *topic, const char *payload);

#endif
