/*
 * Publications that the broker has not acknowledged yet, with their tokens. Their number and size
 * are limited here, and those of replies further: otherwise a flood of commands to a slow broker
 * would fill the memory of the MQTT library with replies.
 */
#ifndef MQTT_IN_FLIGHT_H
#define MQTT_IN_FLIGHT_H

#include "common/bus.h"

enum {
    IN_FLIGHT_MAX = 4096,
    IN_FLIGHT_REPLIES_MAX = IN_FLIGHT_MAX - 256,
    IN_FLIGHT_CROWDED_MAX = 128, /* replies, before there is no room for those to a flood */
    IN_FLIGHT_OVERHEAD = 512,    /* bytes of each in the library besides its contents */
    IN_FLIGHT_BYTES_MAX = 6 << 20,
    IN_FLIGHT_REPLY_BYTES_MAX = 4 << 20,
};

struct publication_in_flight {
    int mid; /* 0: free */
    uint32_t token;
    bool is_reply;
    uint32_t bytes; /* with topic, correlation data and overhead */
};

/* A zeroed one is empty. */
struct in_flight {
    struct publication_in_flight list[IN_FLIGHT_MAX];
    unsigned top; /* from here on all are free */
    unsigned count;
    size_t bytes;
    unsigned replies; /* of those */
    size_t reply_bytes;
};

/*
 * Whether one more may be published. A part of the room is reserved for retained publications and
 * events, and another one for replies to clients that do not flood; QoS 0 needs none.
 */
bool in_flight_has_room(const struct in_flight *in_flight, const struct publication *publication);

/* The connection has ended: none is in flight any more. */
void in_flight_clear(struct in_flight *in_flight);

/* It was published, and there was room for it. mid is the number that the library gave it. */
void in_flight_begin(struct in_flight *in_flight, const struct publication *publication, int mid);

/* The broker acknowledged it. Returns its token, or 0. */
uint32_t in_flight_end(struct in_flight *in_flight, int mid);

#endif
