/*
 * What has been heard and not been taken yet. Whoever fills it stops reading from the network while
 * there is something in it, so that a flood is held up in the broker and not in our memory.
 */
#ifndef DAEMON_INBOX_H
#define DAEMON_INBOX_H

#include "common/bus.h"

/* Of a longer payload only so much is kept: enough to see that it is longer than any may be. */
enum { INBOX_PAYLOAD_MAX = 4096 + 1 };

struct letter;

/* A zeroed one is empty. */
struct inbox {
    struct letter *first;
    struct letter *last;
};

/* Copies the news in. */
void inbox_put(struct inbox *inbox, const struct bus_news *news);

bool inbox_is_empty(const struct inbox *inbox);

/* The oldest news, to be given back with inbox_release, or NULL. */
struct bus_news *inbox_take(struct inbox *inbox);
void inbox_release(struct bus_news *news);

/* Forgets all that is in it. */
void inbox_clear(struct inbox *inbox);

#endif
