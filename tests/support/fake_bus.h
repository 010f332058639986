/*
 * A broker in memory that can be away, slow, or lost at any publication.
 *
 * It keeps all that has arrived, in order, as a subscriber to everything would have seen it, and
 * the retained values. News for the daemon waits until it is taken, as in the real inbox: nothing
 * happens within a call of publish.
 */
#ifndef TESTS_SUPPORT_FAKE_BUS_H
#define TESTS_SUPPORT_FAKE_BUS_H

#include "common/bus.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a publication is when the connection is lost at it. */
enum fake_bus_loss {
    LOST_BEFORE,     /* it was not taken: publish fails */
    LOST_ON_THE_WAY, /* it was taken, and never arrives */
    LOST_AFTER,      /* it has arrived, and is never acknowledged */
    FAKE_BUS_LOSSES,
};

/* Publications are numbered from 1, counted anew by fake_bus_set_faults. 0: never. */
struct fake_bus_faults {
    unsigned lose_at; /* the connection is lost at this one */
    enum fake_bus_loss loss;
    unsigned fail_at;    /* this one fails, and the connection stays */
    unsigned fail_count; /* and so many in all; 0: it alone */
    int fail_errno;      /* 0: ENOMEM */
    bool is_slow;        /* acknowledges only when fake_bus_acknowledge says so */
};

/* Something that has arrived. */
struct fake_message {
    char *topic;
    char *payload;
    int qos;
    bool retain;
    char correlation[CORRELATION_MAX + 1];
    size_t correlation_size;
};

/* Called with each message that arrives. */
typedef void fake_bus_watch_fn(void *context, const struct fake_message *message);

struct fake_bus;

struct fake_bus *fake_bus_new(void);
void fake_bus_free(struct fake_bus *bus);

/* The broker as the table sees it; valid as long as bus is. */
struct bus fake_bus_interface(struct fake_bus *bus);

/* NULL: it is quick and safe again. */
void fake_bus_set_faults(struct fake_bus *bus, const struct fake_bus_faults *faults);
void fake_bus_set_watch(struct fake_bus *bus, fake_bus_watch_fn *watch, void *context);

/* How many there were since the faults were set. */
unsigned fake_bus_publications(const struct fake_bus *bus);

/* Of the connection that there is. */
bool fake_bus_is_subscribed(const struct fake_bus *bus, const char *topic);
unsigned fake_bus_subscriptions(const struct fake_bus *bus);

/* How often a topic was subscribed to, in all. */
unsigned fake_bus_subscribed(const struct fake_bus *bus);

bool fake_bus_is_up(const struct fake_bus *bus);
void fake_bus_disconnect(struct fake_bus *bus);

/* A new connection; one that there was is lost. */
void fake_bus_connect(struct fake_bus *bus);

/* The daemon has gone: nobody is connected, and its news is nobody's. */
void fake_bus_forget_client(struct fake_bus *bus);

/* Acknowledges so many of the publications that wait, the latest first if they come in disorder. */
void fake_bus_acknowledge(struct fake_bus *bus, unsigned count, bool in_disorder);

/* The oldest news for the daemon; false if there is none. */
bool fake_bus_take(struct fake_bus *bus, struct bus_news *news);

/* What has arrived since the start. */
size_t fake_bus_count(const struct fake_bus *bus);
const struct fake_message *fake_bus_message(const struct fake_bus *bus, size_t index);

/* The retained value of a topic, or NULL. */
const char *fake_bus_retained(const struct fake_bus *bus, const char *topic);

#endif
