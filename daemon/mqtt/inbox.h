/*
 * The queue of received news. Nothing is read from the network while there is something in it, so
 * that a flood waits in the broker and not in our memory.
 */
#ifndef MQTT_INBOX_H
#define MQTT_INBOX_H

#include "common/bus.h"

enum {
    INBOX_PAYLOAD_MAX = 4096 + 1, /* a longer payload is cut here, and refused later */
    INBOX_TOPIC_MAX = 512,        /* no subscribed topic is longer */
    INBOX_BYTES_MAX = 4 << 20,    /* of all messages; the library reads several at once */
};

struct message;

/* A zeroed one is empty. */
struct inbox {
    struct message *first;
    struct message *last;
    size_t bytes; /* of its messages */
};

/*
 * Adds a copy. A message for which there is no room, or whose topic is too long, is dropped. If the
 * response topic or the correlation data are too long, the message loses both.
 */
void inbox_put(struct inbox *inbox, const struct bus_news *news);

bool inbox_is_empty(const struct inbox *inbox);

/* Takes the oldest news, to be freed with inbox_release, or NULL. */
struct bus_news *inbox_take(struct inbox *inbox);
void inbox_release(struct bus_news *news);

/* Removes everything. */
void inbox_clear(struct inbox *inbox);

#endif
