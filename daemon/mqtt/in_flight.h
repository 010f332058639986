/*
 * Publications that the broker has not acknowledged yet: whose they are, and how many answers may
 * be among them. A slow broker is bounded here; without that, a flood of commands would pile up
 * answers in the memory of the MQTT library.
 */
#ifndef DAEMON_IN_FLIGHT_H
#define DAEMON_IN_FLIGHT_H

#include "common/bus.h"

enum {
    IN_FLIGHT_MAX = 4096,
    IN_FLIGHT_ANSWERS_MAX = IN_FLIGHT_MAX - 256,
    IN_FLIGHT_OVERHEAD = 512, /* bytes that the library takes for each besides its contents */
    IN_FLIGHT_BYTES_MAX = 6 << 20,
    IN_FLIGHT_ANSWER_BYTES_MAX = 4 << 20,
};

struct flight {
    int mid; /* 0: free */
    uint32_t token;
    bool is_answer;
    uint32_t bytes; /* with topic, correlation data and overhead */
};

/* A zeroed one is empty. */
struct in_flight {
    struct flight flights[IN_FLIGHT_MAX];
    unsigned top; /* from here on all are free, and most of them have never been touched */
    unsigned count;
    size_t bytes;
    unsigned answers; /* of those */
    size_t answer_bytes;
};

/*
 * Whether one more may be sent. What is retained or somebody waits for has room that no answer can
 * take; QoS 0 needs none.
 */
bool in_flight_has_room(const struct in_flight *in_flight, const struct publication *publication);

/* None is on its way any more. */
void in_flight_clear(struct in_flight *in_flight);

/* It has been sent, and there was room for it. mid is the library's number of it, not 0. */
void in_flight_begin(struct in_flight *in_flight, const struct publication *publication, int mid);

/* The broker has it. Its token, or 0 if nobody waits for it. */
uint32_t in_flight_end(struct in_flight *in_flight, int mid);

#endif
