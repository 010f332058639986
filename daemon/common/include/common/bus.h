/*
 * The way to the broker, as the table sees it: a struct of functions, so that tests can lose it.
 * mqtt/mqtt.h is the real one.
 */
#ifndef DAEMON_BUS_H
#define DAEMON_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TOPIC_SIZE = 256,
    CORRELATION_MAX = 256, /* bytes of correlation data that a reply returns */
};

/* Something to be said. Topic and payload are read during the call only. */
struct publication {
    const char *topic; /* whole */
    const char *payload;
    size_t size;
    int qos;
    bool retain;
    const char *response_topic; /* MQTT 5, or NULL */
    const void *correlation;    /* MQTT 5 correlation data, or NULL */
    size_t correlation_size;
    uint32_t token; /* comes back in BUS_ACKNOWLEDGED; 0: nobody wants to know */
};

struct bus {
    void *self;
    /*
     * 0 when it was handed over; -ENOTCONN, -ENOBUFS (an answer, and too many wait for a slow
     * broker already), -EIO (to try this one again will not help) or another -errno, and then it
     * will not be sent.
     */
    int (*publish)(void *self, const struct publication *publication);
};

/* Something that was heard. */
enum bus_news_kind {
    BUS_CONNECTED,    /* session is fresh: publish what is retained, subscribe has been done;
                         reason names the version of MQTT */
    BUS_DISCONNECTED, /* reason says why and when it tries again */
    BUS_REFUSED,      /* reason says what the broker does not let us do, or may not */
    BUS_ACKNOWLEDGED, /* token: the broker has it */
    BUS_MESSAGE,
};

struct bus_news {
    enum bus_news_kind kind;
    uint32_t token;
    const char *reason;
    const char *topic;
    const void *payload;
    size_t size;
    bool retained;
    const char *response_topic; /* MQTT 5, or NULL */
    const void *correlation;    /* MQTT 5, or NULL */
    size_t correlation_size;
};

#endif
