/*
 * Home Assistant: announces the table by MQTT discovery, and gives it a topic on which each event
 * is published at most once.
 *
 * An announcement is retained by the broker. The file `announced` has the ids of all announcements
 * that the broker may have, so that those of another table name, and all after [mqtt] homeassistant
 * was set to no, are cleared.
 */
#ifndef TABLE_DISCOVERY_H
#define TABLE_DISCOVERY_H

#include "common/bus.h"
#include "session.h"
#include "table/table.h"

enum {
    DISCOVERY_IDS_MAX = 4, /* of a table that was renamed again and again without a connection */
    TOKEN_DISCOVERY = 0x7d000000, /* and one for each id; no seq is as large */
};

struct discovery {
    const struct config *config;
    const struct table_ports *ports;
    const char *base; /* PREFIX/TABLE/ */

    bool connected;
    char id[TOPIC_SIZE]; /* of the announcement; "" if there is none */
    struct setup setup;  /* whose players have been announced */
    bool has_setup;

    char stale[DISCOVERY_IDS_MAX][TOPIC_SIZE]; /* to be cleared; "" if done */
    bool is_saved;                             /* the file has what the broker may have */
    bool is_saving;
    struct job save;
    char saved[TOPIC_SIZE + 1]; /* of the job: the id and an end of line */
};

/* Reads the file, and adds the id of this table to it. What it refers to outlives the discovery. */
void discovery_open(struct discovery *discovery, const struct config *config,
                    const struct table_ports *ports, const char *base);

/* setup is that of the game, or NULL if there is none. */
void discovery_connected(struct discovery *discovery, const struct setup *setup);
void discovery_disconnected(struct discovery *discovery);
void discovery_acknowledged(struct discovery *discovery, uint32_t token);

/* Events have happened, which are safe on disk. */
void discovery_step(struct discovery *discovery, const struct session *session);

#endif
