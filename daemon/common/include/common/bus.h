/*
 * The connection to the broker as the table sees it: a struct of functions, so that tests can
 * replace it. mqtt/mqtt.h implements it.
 */
#ifndef COMMON_BUS_H
#define COMMON_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TOPIC_SIZE = 256,
    CORRELATION_MAX = 256, /* bytes of correlation data that a reply returns */
};

/* A message to publish. The pointers need to be valid during the call only. */
struct publication {
    const char *topic; /* with the prefix */
    const char *payload;
    size_t size;
    int qos;
    bool retain;
    const char *response_topic; /* MQTT 5, or NULL */
    const void *correlation;    /* MQTT 5 correlation data, or NULL */
    size_t correlation_size;
    uint32_t token;  /* returned in BUS_ACKNOWLEDGED; 0: none */
    bool is_crowded; /* the reply to a message that was */
};

struct bus {
    void *self;
    /*
     * 0 if the message will be sent. Otherwise it will not: -ENOTCONN, -ENOBUFS (a reply, and too
     * many wait for a slow broker), -EIO (trying again does not help) or another -errno.
     */
    int (*publish)(void *self, const struct publication *publication);

    /*
     * Subscribes to a topic, or ends that, until the connection ends. Retained messages of the
     * topic follow, marked as such; a message that is published later is not, whatever its
     * publisher says. 0, or -ENOTCONN or another -errno.
     */
    int (*subscribe)(void *self, const char *topic);
    int (*unsubscribe)(void *self, const char *topic);
};

/* What the connection reports. */
enum bus_news_kind {
    BUS_CONNECTED,    /* subscribed; retained messages must be published again; reason: where */
    BUS_DISCONNECTED, /* reason: the cause, and when it tries again */
    BUS_REFUSED,      /* reason: what the broker denies, or may deny */
    BUS_ACKNOWLEDGED, /* the broker has the message with this token */
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
    bool is_crowded; /* many more messages of its sender are waiting, or may be: it is not known */
};

#endif
