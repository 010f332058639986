#include "asks.h"

#include <stdio.h>
#include <string.h>

static struct ask_message *at(struct asks *asks, unsigned index)
{
    return &asks->messages[(asks->first + index) % ASKS_MAX];
}

static bool has_room(struct asks *asks, const char *response)
{
    unsigned same = 0;

    for (unsigned i = 0; i < asks->count; i++) {
        same += strcmp(at(asks, i)->response, response) == 0;
    }
    return asks->count < ASKS_MAX && same < ASKS_OF_SENDER;
}

void asks_put(struct asks *asks, enum answer_door door, const char *verb, const char *response,
              const struct bus_news *news)
{
    const char *sender = response ? response : "";

    if (!has_room(asks, sender)) {
        return;
    }
    struct ask_message *message = at(asks, asks->count++);
    message->door = door;
    message->size = news->size < ASKS_PAYLOAD_MAX ? news->size : ASKS_PAYLOAD_MAX;
    message->correlation_size = response ? news->correlation_size : 0;
    snprintf(message->verb, sizeof message->verb, "%s", verb);
    snprintf(message->response, sizeof message->response, "%s", sender);
    if (message->size > 0) {
        memcpy(message->payload, news->payload, message->size);
    }
    if (message->correlation_size > 0) {
        memcpy(message->correlation, news->correlation, message->correlation_size);
    }
}

const struct ask_message *asks_take(struct asks *asks)
{
    const struct ask_message *message = at(asks, 0);

    if (asks->count == 0) {
        return NULL;
    }
    asks->first = (asks->first + 1) % ASKS_MAX;
    asks->count--;
    return message;
}
