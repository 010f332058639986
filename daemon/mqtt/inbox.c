#include "inbox.h"

#include <stdlib.h>
#include <string.h>

/* Some news with a copy of everything that it points to. */
struct message {
    struct bus_news news; /* first, so that a pointer to it points to the message */
    struct message *next;
    size_t size; /* in bytes, with all that follows */
    char contents[];
};

/* Copies size bytes and an end behind them to *at, and moves it on. NULL stays NULL. */
static char *copy_to(char **at, const void *data, size_t size)
{
    char *copy = *at;

    if (!data) {
        return NULL;
    }
    memcpy(copy, data, size);
    copy[size] = '\0';
    *at += size + 1;
    return copy;
}

static size_t length_of(const char *string)
{
    return string ? strlen(string) : 0;
}

/* A reply address is complete or absent. */
static struct bus_news without_long_address(const struct bus_news *news)
{
    struct bus_news copy = *news;

    if (length_of(news->response_topic) > INBOX_TOPIC_MAX ||
        news->correlation_size > CORRELATION_MAX) {
        copy.response_topic = NULL;
        copy.correlation = NULL;
        copy.correlation_size = 0;
    }
    return copy;
}

static struct message *copy_message(const struct bus_news *news)
{
    enum { ENDS = 5 };
    size_t payload_size = news->size > INBOX_PAYLOAD_MAX ? INBOX_PAYLOAD_MAX : news->size;
    size_t size = length_of(news->reason) + length_of(news->topic) + payload_size +
                  length_of(news->response_topic) + news->correlation_size + ENDS;
    struct message *message = malloc(sizeof *message + size);

    if (message) {
        char *at = message->contents;
        *message = (struct message){.news = *news, .size = sizeof *message + size};
        message->news.size = payload_size;
        message->news.reason = copy_to(&at, news->reason, length_of(news->reason));
        message->news.topic = copy_to(&at, news->topic, length_of(news->topic));
        message->news.payload = copy_to(&at, news->payload, payload_size);
        message->news.response_topic =
            copy_to(&at, news->response_topic, length_of(news->response_topic));
        message->news.correlation = copy_to(&at, news->correlation, news->correlation_size);
    }
    return message;
}

static bool is_message(const struct message *message)
{
    return message->news.kind == BUS_MESSAGE;
}

void inbox_put(struct inbox *inbox, const struct bus_news *news)
{
    if (length_of(news->topic) > INBOX_TOPIC_MAX) {
        return;
    }
    struct bus_news kept = without_long_address(news);
    struct message *message = copy_message(&kept);

    if (!message) {
        return; /* out of memory: as if the network had lost it */
    }
    if (is_message(message) && inbox->bytes + message->size > INBOX_BYTES_MAX) {
        free(message);
        return;
    }
    inbox->bytes += is_message(message) ? message->size : 0;
    if (inbox->last) {
        inbox->last->next = message;
    } else {
        inbox->first = message;
    }
    inbox->last = message;
}

bool inbox_is_empty(const struct inbox *inbox)
{
    return !inbox->first;
}

struct bus_news *inbox_take(struct inbox *inbox)
{
    struct message *message = inbox->first;

    if (!message) {
        return NULL;
    }
    inbox->bytes -= is_message(message) ? message->size : 0;
    inbox->first = message->next;
    inbox->last = inbox->first ? inbox->last : NULL;
    return &message->news;
}

void inbox_release(struct bus_news *news)
{
    free(news);
}

void inbox_clear(struct inbox *inbox)
{
    for (struct bus_news *news = inbox_take(inbox); news; news = inbox_take(inbox)) {
        inbox_release(news);
    }
}
