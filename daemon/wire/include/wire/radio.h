/*
 * Messages of sensors over MQTT: what a payload means. Pure: the same bytes give the same reading.
 * A payload may contain any bytes, without a NUL at the end.
 */
#ifndef WIRE_RADIO_H
#define WIRE_RADIO_H

#include "hw/settings.h"

#include <stddef.h>

enum {
    RADIO_PAYLOAD_MAX = 4096, /* bytes; a longer message is ignored */
    NODE_NAME_SIZE = 33,      /* of a node, its sensors and its boot */
    NODE_EDGES_MAX = 256,     /* in one message */
    NODE_SENSORS_MAX = 16,
};

enum radio_level { RADIO_INACTIVE, RADIO_ACTIVE, RADIO_NO_LEVEL };

struct radio_reading {
    enum radio_level level;
    struct radio_link link;
};

/* What a message on the topic of the source says; a level only if it is a reading. */
void radio_read(const struct radio_source *source, const void *payload, size_t size,
                struct radio_reading *reading);

/*
 * The text of a message's value, whatever its match: the payload, or the member at the path. False
 * if it has none that a VALUE could be compared with.
 */
bool radio_read_text(const struct radio_source *source, const void *payload, size_t size,
                     char text[RADIO_TEXT_SIZE]);

/* Availability: `online` is active, `offline` is not, anything else is none. */
enum radio_level radio_read_alive(const void *payload, size_t size);

/* A sensor of a node and its level; age_us: how long before the message it changed. */
struct node_edge {
    char sensor[NODE_NAME_SIZE];
    bool level;
    uint64_t age_us;
};

/* A message of a node on its topic `edges`. */
struct node_message {
    char boot[NODE_NAME_SIZE];
    uint64_t number; /* from 1 in each boot */
    uint64_t sent_us;
    unsigned edge_count;
    unsigned level_count;
    struct node_edge edges[NODE_EDGES_MAX];
    struct node_edge levels[NODE_SENSORS_MAX]; /* after the edges; age_us 0 */
};

/* False if it is not such a message; the message is then undefined. */
bool radio_read_node(const void *payload, size_t size, struct node_message *message);

/* A message on the topic `info` of a node. */
void radio_read_info(const void *payload, size_t size, struct radio_link *link);

#endif
