/*
 * Queries and commands until they are answered. Senders are told apart by their response topic;
 * nobody has more than ASKS_OF_SENDER waiting, so that a flood displaces only itself. One under
 * many names leaves room to known senders: those that were heard when nothing else waited.
 */
#ifndef LOGBOOK_ASKS_H
#define LOGBOOK_ASKS_H

#include "answers.h"
#include "common/bus.h"

enum {
    ASKS_MAX = 64,
    ASKS_OF_SENDER = 8,
    ASKS_STRANGERS = 16, /* messages of senders that are not known */
    ASKS_KNOWN = 32,     /* senders */
    ASKS_VERB_SIZE = 32,
    ASKS_PAYLOAD_MAX = 4096 + 1, /* one more than is accepted: the answer says so */
};

struct ask_message {
    uint32_t sender; /* a checksum */
    bool is_stranger;
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
    uint32_t known[ASKS_KNOWN];
    unsigned next_known; /* is replaced next */
};

/* Adds a message for which there is room. response is NULL unless the reply may go there. */
void asks_put(struct asks *asks, enum answer_door door, const char *verb, const char *response,
              const struct bus_news *news);

/* The next one, valid until asks_put; or NULL. */
const struct ask_message *asks_take(struct asks *asks);

#endif
