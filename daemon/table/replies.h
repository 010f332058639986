/*
 * Replies to commands, which are sent at once, and to queries, which may be long: after a pause the
 * next query is answered, unless the broker has not acknowledged several answers.
 */
#ifndef TABLE_REPLIES_H
#define TABLE_REPLIES_H

#include "common/bus.h"

enum {
    REPLY_NAME_MAX = 64,
    REPLIES_TOKEN = 0x7e000000, /* of answers to queries; no seq is as large */
    /* In flight. An acknowledgement comes after all messages that wait in the broker. */
    REPLIES_ANSWERS_MAX = 4,
};

/* Where a reply goes. */
struct reply_address {
    char name[REPLY_NAME_MAX + 1]; /* below `reply`; "": to `reply` itself */
    bool is_crowded;               /* as in struct bus_news */
    uint16_t correlation_size;
    uint8_t correlation[CORRELATION_MAX];
};

/* Set bus and base, and zero the rest. */
struct replies {
    const struct bus *bus;
    const char *base; /* of all topics: PREFIX/TABLE/ */
    bool connected;
    unsigned answers_in_flight;
    uint64_t answer_due_us; /* the next one may be sent from here on */
};

void replies_connected(struct replies *replies);
void replies_disconnected(struct replies *replies);

/* Where a message wants its reply: `reply`, or a response topic below it. */
struct reply_address replies_address(const struct replies *replies, const struct bus_news *news);

/* Sends the reply to a command; json may be NULL. */
void replies_send(const struct replies *replies, const struct reply_address *address,
                  const char *json);

/*
 * Sends the answer to a query, which came at replies_query_due_us or later: a time, or 0 while
 * REPLIES_ANSWERS_MAX are in flight. The next one waits for as long as the processor time of
 * this one, at most a second, so that queries never use more than half of a processor. Not for as
 * long as it took: on a busy computer, one query would make all others wait twice.
 */
void replies_answer(struct replies *replies, const struct reply_address *address, const char *json,
                    uint64_t used_us, uint64_t now_us);
uint64_t replies_query_due_us(const struct replies *replies);
void replies_acknowledged(struct replies *replies);

/* What follows the prefix in the topic, or NULL. */
const char *topic_after(const char *topic, const char *prefix);

#endif
