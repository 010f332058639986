/*
 * Received news until it is taken. A client that floods delays and displaces its own messages only,
 * as far as clients can be told apart: MQTT does not tell who has sent a message, so messages are
 * sorted by their response topic or, without one, by the first three levels of their topic into as
 * many lanes as there are senders, up to a limit. Some lanes are for known senders: those that were
 * heard when nothing else waited. A flood under many names shares the other lanes.
 *
 * Connections and acknowledgements come first. Commands and other messages come next, in the order
 * of their arrival, except that a sender of which many are waiting is crowded and comes after all
 * others. Queries are taken separately, one of each sender in turn.
 */
#ifndef MQTT_INBOX_H
#define MQTT_INBOX_H

#include "common/bus.h"

enum {
    INBOX_PAYLOAD_MAX = 4096 + 1, /* a longer payload is cut here, and refused later */
    INBOX_TOPIC_MAX = 512,        /* no subscribed topic is longer */
    INBOX_KNOWN = 32,     /* lanes of known senders, which come first in an array of lanes */
    INBOX_STRANGERS = 16, /* the lanes of all others */
    INBOX_LANES = INBOX_KNOWN + INBOX_STRANGERS,
    INBOX_LANE_BYTES_MAX = 128 << 10, /* about 500 commands */
    INBOX_QUERY_BYTES_MAX = 16 << 10, /* the same of queries, about 60 */
    INBOX_CROWD = 32,                 /* a sender with more messages is crowded */
};

struct message;

/* A queue, of one sender unless there are more senders than lanes. */
struct lane {
    uint32_t sender; /* a checksum; that of a stranger is valid while the lane is not empty */
    uint64_t heard;  /* the number of the last message of a known sender; 0: the lane is free */
    struct message *first;
    struct message *last;
    unsigned count;
    size_t bytes;
};

/* A zeroed one is empty. */
struct inbox {
    struct lane events; /* connections and acknowledgements */
    struct lane messages[INBOX_LANES];
    struct lane queries[INBOX_LANES];
    uint64_t put;       /* messages so far */
    unsigned last_lane; /* of queries, from which one was taken */
};

/*
 * These add a copy. A message for which there is no room, or whose topic is too long, is dropped.
 * If the response topic or the correlation data are too long, the message loses both.
 */
void inbox_put(struct inbox *inbox, const struct bus_news *news);
void inbox_put_query(struct inbox *inbox, const struct bus_news *message);

/* Whether there is something for inbox_take, and for inbox_take_query. */
bool inbox_has_news(const struct inbox *inbox);
bool inbox_has_query(const struct inbox *inbox);

/* Whether there is news, and the next is a message of a crowded sender. */
bool inbox_is_crowded(const struct inbox *inbox);

/* The next, to be freed with inbox_release, or NULL. */
struct bus_news *inbox_take(struct inbox *inbox);
struct bus_news *inbox_take_query(struct inbox *inbox);
void inbox_release(struct bus_news *news);

/* Remove all queries, and everything. */
void inbox_clear_queries(struct inbox *inbox);
void inbox_clear(struct inbox *inbox);

#endif
