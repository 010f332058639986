#include "replies.h"

#include <stdio.h>
#include <string.h>

enum { ANSWER_PAUSE_US = 10000, ANSWER_PAUSE_MAX_US = 1000000 };

const char *topic_after(const char *topic, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(topic, prefix, length) == 0 ? topic + length : NULL;
}

void replies_connected(struct replies *replies)
{
    replies->connected = true;
    replies->answers_in_flight = 0;
    replies->answer_due_us = 1; /* at once */
}

void replies_disconnected(struct replies *replies)
{
    replies->connected = false;
}

/*
 * The NAME in PREFIX/TABLE/reply/NAME, or NULL. Other response topics are not used: the daemon may
 * publish where a client may not, and a broker may close the connection because of a topic that is
 * too long or has too many levels.
 */
static const char *reply_name(const struct replies *replies, const char *topic)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *below = topic_after(topic, replies->base);
    const char *name = below ? topic_after(below, "reply/") : NULL;
    size_t length = name ? strspn(name, letters) : 0;

    return length >= 1 && length <= REPLY_NAME_MAX && !name[length] ? name : NULL;
}

/* Correlation data is used as a whole or not at all: a part would match another request. */
struct reply_address replies_address(const struct replies *replies, const struct bus_news *news)
{
    const char *name = news->response_topic ? reply_name(replies, news->response_topic) : NULL;
    struct reply_address address = {.is_crowded = news->is_crowded};

    if (name && news->correlation_size <= CORRELATION_MAX) {
        snprintf(address.name, sizeof address.name, "%s", name);
        address.correlation_size = (uint16_t)news->correlation_size;
        if (news->correlation_size) {
            memcpy(address.correlation, news->correlation, news->correlation_size);
        }
    }
    return address;
}

/* A reply that the bus does not take is dropped: the client asks again. */
static bool publish(const struct replies *replies, const struct reply_address *address,
                    const char *json, uint32_t token)
{
    char topic[TOPIC_SIZE + sizeof "reply/" + REPLY_NAME_MAX];

    if (!json || !replies->connected) {
        return false;
    }
    snprintf(topic, sizeof topic, "%sreply%s%s", replies->base, address->name[0] ? "/" : "",
             address->name);
    struct publication reply = {
        .topic = topic,
        .payload = json,
        .size = strlen(json),
        .qos = 1,
        .correlation = address->correlation_size ? address->correlation : NULL,
        .correlation_size = address->correlation_size,
        .token = token,
        .is_crowded = address->is_crowded,
    };
    return replies->bus->publish(replies->bus->self, &reply) == 0;
}

void replies_send(const struct replies *replies, const struct reply_address *address,
                  const char *json)
{
    publish(replies, address, json, 0);
}

void replies_answer(struct replies *replies, const struct reply_address *address, const char *json,
                    uint64_t used_us, uint64_t now_us)
{
    uint64_t pause_us = used_us > ANSWER_PAUSE_US ? used_us : ANSWER_PAUSE_US;

    replies->answers_in_flight += publish(replies, address, json, REPLIES_TOKEN);
    replies->answer_due_us =
        now_us + (pause_us < ANSWER_PAUSE_MAX_US ? pause_us : ANSWER_PAUSE_MAX_US);
}

uint64_t replies_query_due_us(const struct replies *replies)
{
    return replies->connected && replies->answers_in_flight < REPLIES_ANSWERS_MAX
               ? replies->answer_due_us
               : 0;
}

void replies_acknowledged(struct replies *replies)
{
    replies->answers_in_flight -= replies->answers_in_flight > 0;
}
