#include "asks.h"

#include "common/crc32c.h"

#include <stdio.h>
#include <string.h>

static struct ask_message *at(struct asks *asks, unsigned index)
{
    return &asks->messages[(asks->first + index) % ASKS_MAX];
}

static bool is_known(const struct asks *asks, uint32_t sender)
{
    for (unsigned i = 0; i < ASKS_KNOWN; i++) {
        if (asks->known[i] == sender) {
            return true;
        }
    }
    return false;
}

static bool has_room(struct asks *asks, uint32_t sender, bool is_stranger)
{
    unsigned same = 0;
    unsigned strangers = 0;

    for (unsigned i = 0; i < asks->count; i++) {
        same += at(asks, i)->sender == sender;
        strangers += at(asks, i)->is_stranger;
    }
    return asks->count < ASKS_MAX && same < ASKS_OF_SENDER &&
           (!is_stranger || strangers < ASKS_STRANGERS);
}

void asks_put(struct asks *asks, enum answer_door door, const char *verb, const char *response,
              const struct bus_news *news)
{
    const char *name = response ? response : "";
    uint32_t sender = crc32c(0, name, strlen(name));
    bool is_stranger = !is_known(asks, sender);

    if (!has_room(asks, sender, is_stranger)) {
        return;
    }
    struct ask_message *message = at(asks, asks->count++);
    message->sender = sender;
    message->is_stranger = is_stranger;
    message->door = door;
    message->size = news->size < ASKS_PAYLOAD_MAX ? news->size : ASKS_PAYLOAD_MAX;
    message->correlation_size = response ? news->correlation_size : 0;
    snprintf(message->verb, sizeof message->verb, "%s", verb);
    snprintf(message->response, sizeof message->response, "%s", name);
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
    if (asks->count == 0 && message->is_stranger) {
        asks->known[asks->next_known] = message->sender;
        asks->next_known = (asks->next_known + 1) % ASKS_KNOWN;
    }
    return message;
}
