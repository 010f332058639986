#include "inbox.h"

#include <stdlib.h>
#include <string.h>

/* One piece of news with everything it points to behind it. */
struct letter {
    struct bus_news news; /* first, so that the news is the letter */
    struct letter *next;
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

/* A reply address is whole or not there. */
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

static struct letter *write_letter(const struct bus_news *news)
{
    enum { ENDS = 5 };
    size_t payload_size = news->size > INBOX_PAYLOAD_MAX ? INBOX_PAYLOAD_MAX : news->size;
    size_t size = length_of(news->reason) + length_of(news->topic) + payload_size +
                  length_of(news->response_topic) + news->correlation_size + ENDS;
    struct letter *letter = malloc(sizeof *letter + size);

    if (letter) {
        char *at = letter->contents;
        *letter = (struct letter){.news = *news, .size = sizeof *letter + size};
        letter->news.size = payload_size;
        letter->news.reason = copy_to(&at, news->reason, length_of(news->reason));
        letter->news.topic = copy_to(&at, news->topic, length_of(news->topic));
        letter->news.payload = copy_to(&at, news->payload, payload_size);
        letter->news.response_topic =
            copy_to(&at, news->response_topic, length_of(news->response_topic));
        letter->news.correlation = copy_to(&at, news->correlation, news->correlation_size);
    }
    return letter;
}

static bool is_message(const struct letter *letter)
{
    return letter->news.kind == BUS_MESSAGE;
}

void inbox_put(struct inbox *inbox, const struct bus_news *news)
{
    if (length_of(news->topic) > INBOX_TOPIC_MAX) {
        return;
    }
    struct bus_news kept = without_long_address(news);
    struct letter *letter = write_letter(&kept);

    if (!letter) {
        return; /* out of memory: as if the network had lost it; the next connect mends it */
    }
    if (is_message(letter) && inbox->bytes + letter->size > INBOX_BYTES_MAX) {
        free(letter);
        return;
    }
    inbox->bytes += is_message(letter) ? letter->size : 0;
    if (inbox->last) {
        inbox->last->next = letter;
    } else {
        inbox->first = letter;
    }
    inbox->last = letter;
}

bool inbox_is_empty(const struct inbox *inbox)
{
    return !inbox->first;
}

struct bus_news *inbox_take(struct inbox *inbox)
{
    struct letter *letter = inbox->first;

    if (!letter) {
        return NULL;
    }
    inbox->bytes -= is_message(letter) ? letter->size : 0;
    inbox->first = letter->next;
    inbox->last = inbox->first ? inbox->last : NULL;
    return &letter->news;
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
