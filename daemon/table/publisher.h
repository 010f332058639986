/*
 * The retained topics, with their latest value, and what a new connection gets. It reads what it
 * publishes from the session, the observed table and the ready check, and changes none of them.
 */
#ifndef TABLE_PUBLISHER_H
#define TABLE_PUBLISHER_H

#include "common/bus.h"
#include "observed.h"
#include "outbox.h"
#include "ready_check.h"
#include "session.h"

#include <stdbool.h>

struct publisher;

/* All of them outlive the publisher. */
struct publisher_sources {
    const struct config *config;
    const struct table_ports *ports;
    struct session *session;
    const struct observed *observed;
    const struct ready_check *check;
    struct outbox *outbox; /* connected, acknowledged and asked again by the publisher */
    const char *base;      /* of all topics: PREFIX/TABLE/ */
};

/* 0 or -ENOMEM. */
int publisher_open(struct publisher **opened, const struct publisher_sources *sources);
void publisher_close(struct publisher *publisher);

/*
 * The connection to the broker. A new one gets every retained topic and the events that the broker
 * has not acknowledged. `status` is subscribed to: see publisher.c.
 */
void publisher_connected(struct publisher *publisher);
void publisher_disconnected(struct publisher *publisher);
void publisher_acknowledged(struct publisher *publisher, uint32_t token);
void publisher_status(struct publisher *publisher, const struct bus_news *news);

/*
 * A message on a topic below `sensor`. Those are read once after each connection, and what is
 * retained for a sensor that is not configured any more is cleared.
 */
void publisher_old_sensor(struct publisher *publisher, const struct bus_news *news);

/* The session's disk has failed or works again, maybe: publishes what follows from that. */
void publisher_storage(struct publisher *publisher);

/* Pieces (a set) that lie and that the next command makes known to the game: part of `choices`. */
void publisher_fallen(struct publisher *publisher, uint32_t pieces);

/* These have changed. State with choices and score, ready and rope follow after a short pause. */
void publisher_game(struct publisher *publisher);
void publisher_ready(struct publisher *publisher);
void publisher_rope(struct publisher *publisher);
void publisher_info(struct publisher *publisher);
void publisher_sensor(struct publisher *publisher, uint16_t sensor);

/* Publishes choices, state, score and ready now if they have changed, as before a reply. */
void publisher_changes(struct publisher *publisher);
void publisher_changes_soon(struct publisher *publisher); /* makes that due after a short pause */

/* Publishes what is due at this table time, and when that will be; 0 if nothing is. */
void publisher_tick(struct publisher *publisher, uint64_t now_us);
uint64_t publisher_due_us(const struct publisher *publisher);

/* Whether choices, state, score and ready are published in this tick. */
bool publisher_changes_due(const struct publisher *publisher, uint64_t now_us);

#endif
