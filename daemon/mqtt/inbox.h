/*
 * What has been heard and not been taken yet. Whoever fills it stops reading from the network while
 * there is something in it, so that a flood is held up in the broker and not in our memory.
 */
#ifndef DAEMON_INBOX_H
#define DAEMON_INBOX_H

#include "common/bus.h"

enum {
    INBOX_PAYLOAD_MAX = 4096 + 1, /* of a longer one only the beginning is kept, to be refused */
    INBOX_TOPIC_MAX = 512,        /* no topic that is listened to is longer */
    INBOX_BYTES_MAX = 4 << 20,    /* of all messages; the library reads several at a time */
};

struct letter;

/* A zeroed one is empty. */
struct inbox {
    struct letter *first;
    struct letter *last;
    size_t bytes; /* of the messages in it */
};

/*
 * Copies the news in. A message for which there is no room, or with a topic that is too long, is
 * dropped. A response topic or correlation data that are too long leave a message without either.
 */
void inbox_put(struct inbox *inbox, const struct bus_news *news);

bool inbox_is_empty(const struct inbox *inbox);

/* The oldest news, to be given back with inbox_release, or NULL. */
struct bus_news *inbox_take(struct inbox *inbox);
void inbox_release(struct bus_news *news);

/* Forgets all that is in it. */
void inbox_clear(struct inbox *inbox);

#endif
