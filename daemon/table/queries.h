/*
 * Queries wait in a queue of their own: anybody who may watch may send them, and a reply can be
 * long. A flood of queries delays commands by no more than one reply in every pause.
 */
#ifndef TABLE_QUERIES_H
#define TABLE_QUERIES_H

#include "common/bus.h"
#include "common/ids.h"
#include "rules/game.h"

enum { QUERIES_MAX = 64, REPLY_NAME_MAX = 64 };

/* Where a reply goes. */
struct reply_address {
    char name[REPLY_NAME_MAX + 1]; /* below `reply`; "": to `reply` itself */
    uint16_t correlation_size;
    uint8_t correlation[CORRELATION_MAX];
};

struct query {
    struct input input;
    char id[COMMAND_ID_SIZE];
    struct reply_address address;
};

/* A zeroed queue is empty. */
struct queries {
    struct query waiting[QUERIES_MAX];
    unsigned first;
    unsigned count;
    uint64_t due_us; /* the next query is answered from here on */
    bool in_flight;  /* the broker has not acknowledged the last reply */
};

/* A query for which there is no room is dropped: whoever sent it repeats it. */
void queries_add(struct queries *queries, const struct query *query, uint64_t now_us);

/* When the next query is to be answered, 0 if none is. */
uint64_t queries_due_us(const struct queries *queries);

/* The next query, valid until queries_answered, which is called in any case. */
const struct query *queries_next(const struct queries *queries);
void queries_answered(struct queries *queries, bool is_sent, uint64_t now_us);

/* The broker has the last reply. */
void queries_acknowledged(struct queries *queries);
void queries_clear(struct queries *queries);

#endif
