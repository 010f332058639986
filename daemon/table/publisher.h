/*
 * All that goes to the broker: events in order and at least once, the retained topics with their
 * latest value, replies, and the queue of queries. It reads what it publishes from the session, the
 * observed table and the ready check, and changes none of them.
 */
#ifndef TABLE_PUBLISHER_H
#define TABLE_PUBLISHER_H

#include "observed.h"
#include "queries.h"
#include "ready_check.h"
#include "session.h"

#include <stdbool.h>

struct command;
struct publisher;

/* All of them outlive the publisher. */
struct publisher_sources {
    const struct config *config;
    const struct table_ports *ports;
    struct session *session;
    const struct observed *observed;
    const struct ready_check *check;
};

/* 0 or -ENOMEM. */
int publisher_open(struct publisher **opened, const struct publisher_sources *sources);
void publisher_close(struct publisher *publisher);

/* The topic below PREFIX/TABLE/, or NULL if it is another one. */
const char *publisher_topic_below(const struct publisher *publisher, const char *topic);

/*
 * The connection to the broker. A new one gets every retained topic and the events that the broker
 * has not acknowledged. `status` is subscribed to: see publisher.c.
 */
void publisher_connected(struct publisher *publisher);
void publisher_disconnected(struct publisher *publisher);
void publisher_acknowledged(struct publisher *publisher, uint32_t token);
void publisher_status(struct publisher *publisher, const struct bus_news *news);

/* Events of the step that the session has applied last, at once; state and score follow. */
void publisher_events(struct publisher *publisher);

/* The session's disk has failed or works again, maybe: publishes what follows from that. */
void publisher_storage(struct publisher *publisher);

/* Pieces (a set) that lie and that the next command makes known to the game: part of `choices`. */
void publisher_fallen(struct publisher *publisher, uint32_t pieces);

/* These have changed. The ready check and the rope are published after a short pause. */
void publisher_ready(struct publisher *publisher);
void publisher_rope(struct publisher *publisher);
void publisher_info(struct publisher *publisher);
void publisher_sensor(struct publisher *publisher, uint16_t sensor);

/* Publishes choices, state, score and ready now if they have changed, as before a reply. */
void publisher_changes(struct publisher *publisher);
void publisher_changes_soon(struct publisher *publisher); /* makes that due after a short pause */

/* Where a message wants its reply: `reply`, or a response topic below it. */
struct reply_address publisher_address(const struct publisher *publisher,
                                       const struct bus_news *news);
void publisher_reply(struct publisher *publisher, const struct reply_address *address,
                     const char *json);

/* Queues a query; it is answered by publisher_tick. */
void publisher_query(struct publisher *publisher, const struct command *command,
                     const struct reply_address *address);

/* Publishes what is due at this table time, and when that will be; 0 if nothing is. */
void publisher_tick(struct publisher *publisher, uint64_t now_us);
uint64_t publisher_due_us(const struct publisher *publisher);

/* Whether choices, state, score and ready are published in this tick. */
bool publisher_changes_due(const struct publisher *publisher, uint64_t now_us);

#endif
