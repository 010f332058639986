/*
 * Where the network thread leaves its news for the main thread: a bounded queue and an eventfd.
 * A writer waits while it is full, so that a flood is held up in the broker and not in our memory.
 */
#ifndef DAEMON_INBOX_H
#define DAEMON_INBOX_H

#include "daemon/bus.h"

struct inbox;

/* 0 or -errno. */
int inbox_open(struct inbox **opened, unsigned capacity);
void inbox_close(struct inbox *inbox);

/* Readable while there is news. */
int inbox_fd(const struct inbox *inbox);

/* Copies the news in; waits for room. After inbox_shut it drops them. */
void inbox_put(struct inbox *inbox, const struct bus_news *news);

/* The oldest news, to be given back with inbox_release, or NULL. */
struct bus_news *inbox_take(struct inbox *inbox);
void inbox_release(struct bus_news *news);

/* Lets a waiting writer go, for good. */
void inbox_shut(struct inbox *inbox);

#endif
