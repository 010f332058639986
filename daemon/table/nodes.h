/*
 * The messages of one radio node: which of them count, and their edges, with the times at which
 * they happened. Pure.
 *
 *   boot a1f3   n=1  2  3  5          3 again       boot 77e0  n=1     boot a1f3  n=6
 *                         ^ a gap     ^ dropped     ^ starts over      ^ dropped
 *
 * The clock of the node is compared with ours by the fastest message so far: a message that comes
 * later by comparison was delayed by the radio, and its edges are earlier by that delay. The
 * comparison is relaxed with time, because the clocks drift.
 */
#ifndef TABLE_NODES_H
#define TABLE_NODES_H

#include "config/config.h"
#include "edge_batch.h"

enum {
    NODE_BOOTS_MAX = 4,        /* that are remembered, so that none of them starts over */
    NODE_DRIFT_DIVISOR = 5000, /* the clocks drift by less than 200 ppm */
};

/* Zeroed but for its name: nothing heard. */
struct node {
    char name[NODE_NAME_SIZE];
    char boots[NODE_BOOTS_MAX][NODE_NAME_SIZE]; /* the current one first */
    uint64_t number;                            /* of the last message */
    int64_t offset_us; /* our clock minus that of the node, by the fastest message */
    uint64_t heard_us; /* when the last message arrived */
    uint64_t edge_us;  /* the last edge of an encoder, on our clock: the next ones are later, also
                          when the comparison of the clocks has changed */
};

enum node_verdict {
    NODE_OUTDATED, /* to be dropped */
    NODE_BOOTED,   /* the first message of a boot that was not heard before */
    NODE_NEXT,
    NODE_GAP, /* messages before this one are missing */
};

enum node_verdict node_accept(struct node *node, const struct node_message *message,
                              uint64_t now_us);

/* When the message was sent, not more than late_us before it arrived, now. */
uint64_t node_sent_us(const struct node *node, const struct node_message *message, uint64_t now_us,
                      uint64_t late_us);

/* Whether the line is a sensor of the node with this name. */
bool node_has_line(const char *node, const struct line_config *line);

/* The sensor that the node calls so, or SENSOR_NONE. */
unsigned node_find_sensor(const char *node, const char *sensor, const struct config *config);

/* Adds the edges of a message that counts, and what its levels show to be missing. */
void node_add_edges(struct node *node, const struct node_message *message,
                    enum node_verdict verdict, const struct config *config,
                    struct edge_batch *batch);

#endif
