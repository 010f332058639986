/*
 * Queries and commands until they are answered. Senders are told apart by their response topic;
 * nobody has more than ASKS_OF_SENDER waiting, so that a flood displaces only itself.
 */
#ifndef LOGBOOK_ASKS_H
#define LOGBOOK_ASKS_H

#include "answers.h"
#include "common/bus.h"

enum {
    ASKS_MAX = 64,
    ASKS_OF_SENDER = 8,
    ASKS_VERB_SIZE = 32,
    ASKS_PAYLOAD_MAX = 4096 + 1, /* one more than is accepted: the answer says so */
};

struct ask_message {
    enum answer_door door;
    char verb[ASKS_VERB_SIZE];
    char response[TOPIC_SIZE]; /* "": none */
    char correlation[CORRELATION_MAX];
    size_t correlation_size;
    char payload[ASKS_PAYLOAD_MAX];
    size_t size;
};

/* A zeroed one is empty. */
struct asks {
    struct ask_message messages[ASKS_MAX];
    unsigned first;
    unsigned count;
};

/* Adds a message for which there is room. response is NULL unless the reply may go there. */
void asks_put(struct asks *asks, enum answer_door door, const char *verb, const char *response,
              const struct bus_news *news);

/* The next one, valid until asks_put; or NULL. */
const struct ask_message *asks_take(struct asks *asks);

#endif
