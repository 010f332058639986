/*
 * The tables that the logbook follows. Events are stored as they arrive. What is missing, because
 * the logbook or the broker was away, is read with the queries `games` and `history`, and so are
 * the states of a running game every few seconds. One query at a time is sent to a table.
 *
 * Whoever may publish below the prefix may publish anything: a table is followed once it has
 * answered, and numbers, bytes and the rate of queries are limited.
 */
#ifndef LOGBOOK_FEEDS_H
#define LOGBOOK_FEEDS_H

#include "book.h"

enum {
    FEEDS_MAX = 256,
    FEEDS_ASKED_MAX = 16, /* tables that are read at a time: replies have up to 256 KiB */
    FEEDS_TOPIC_VERB_SIZE = 16,
    FEED_PAGE = 20, /* games at a time */
};

struct feeds;

struct feeds_ports {
    void *self;
    struct book *book;
    /* Sends a query to a table; the reply comes with feeds_reply. */
    void (*ask)(void *self, const char *table, const char *verb, const char *payload);
    int64_t (*now_ms)(void *self); /* monotonic */
    /* The database cannot be used, because of an error of book.h; nothing was stored. */
    void (*failed)(void *self, int error);
};

int feeds_open(struct feeds **opened, const struct feeds_ports *ports);
void feeds_close(struct feeds *feeds); /* accepts NULL */

/* There is a new connection, and no query is under way any more. */
void feeds_connected(struct feeds *feeds);

/* Messages of a table: its status, an event, a reply (to anybody). */
void feeds_status(struct feeds *feeds, const char *table, bool is_online);
void feeds_event(struct feeds *feeds, const char *table, const void *payload, size_t size);
void feeds_reply(struct feeds *feeds, const char *table, const void *payload, size_t size);

/*
 * Stores the events that have arrived, in one transaction for each table. feeds_tick does so a
 * quarter of a second after the first of them: the syncs of a database for each event would slow
 * down a table on the same disk.
 */
void feeds_flush(struct feeds *feeds);

/* Does what is due. Returns the milliseconds until something is, at most a minute. */
int64_t feeds_tick(struct feeds *feeds);

/* Whether this game of a table is being played now: an event has arrived as it happened. */
bool feeds_is_live(const struct feeds *feeds, const char *game);

/* Whether a shot or the end of a game has been stored since the last call: there may be a record.
 */
bool feeds_take_news(struct feeds *feeds);

#endif
