#include "inbox.h"

#include "common/crc32c.h"

#include <stdlib.h>
#include <string.h>

/* Some news with a copy of everything that it points to. */
struct message {
    struct bus_news news; /* first, so that a pointer to it points to the message */
    struct message *next;
    size_t size;     /* in bytes, with all that follows */
    uint64_t number; /* in the order of arrival, from 1 */
    uint32_t sender; /* a checksum */
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

static size_t payload_size_of(const struct bus_news *news)
{
    return news->size > INBOX_PAYLOAD_MAX ? INBOX_PAYLOAD_MAX : news->size;
}

/* Of the copy. */
static size_t size_of(const struct bus_news *news)
{
    enum { ENDS = 5 };

    return sizeof(struct message) + length_of(news->reason) + length_of(news->topic) +
           payload_size_of(news) + length_of(news->response_topic) + news->correlation_size + ENDS;
}

static struct message *copy_message(const struct bus_news *news)
{
    size_t payload_size = payload_size_of(news);
    size_t size = size_of(news);
    struct message *message = malloc(size);

    if (message) {
        char *at = message->contents;
        *message = (struct message){.news = *news, .size = size};
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

/*
 * Lanes
 */

static void append(struct lane *lane, struct message *message)
{
    if (lane->last) {
        lane->last->next = message;
    } else {
        lane->first = message;
    }
    lane->last = message;
    lane->count++;
    lane->bytes += message->size;
}

static struct message *take_first(struct lane *lane)
{
    struct message *message = lane->first;

    if (!message) {
        return NULL;
    }
    lane->first = message->next;
    lane->last = lane->first ? lane->last : NULL;
    lane->count--;
    lane->bytes -= message->size;
    return message;
}

static bool is_crowded(const struct lane *lane)
{
    return lane->count > INBOX_CROWD;
}

/* Whether the first message of one lane comes before that of another, which may be NULL. */
static bool comes_before(const struct lane *one, const struct lane *other)
{
    if (!one->first || !other) {
        return one->first;
    }
    return is_crowded(one) != is_crowded(other) ? is_crowded(other)
                                                : one->first->number < other->first->number;
}

/* The number of the lane with the next message, or INBOX_LANES. */
static unsigned next_lane(const struct lane lanes[INBOX_LANES])
{
    unsigned next = INBOX_LANES;

    for (unsigned i = 0; i < INBOX_LANES; i++) {
        if (comes_before(&lanes[i], next < INBOX_LANES ? &lanes[next] : NULL)) {
            next = i;
        }
    }
    return next;
}

static bool has_any(const struct lane lanes[INBOX_LANES])
{
    return next_lane(lanes) < INBOX_LANES;
}

/* The lane of this sender if it is known, or NULL. */
static struct lane *find_known(struct lane lanes[INBOX_LANES], uint32_t sender)
{
    for (unsigned i = 0; i < INBOX_KNOWN; i++) {
        if (lanes[i].heard && lanes[i].sender == sender) {
            return &lanes[i];
        }
    }
    return NULL;
}

/* The lane of this sender, or a free one, or that of another stranger. */
static struct lane *find_lane(struct lane lanes[INBOX_LANES], uint32_t sender)
{
    struct lane *strangers = lanes + INBOX_KNOWN;
    struct lane *free = NULL;
    struct lane *known = find_known(lanes, sender);

    for (unsigned i = 0; i < INBOX_STRANGERS && !known; i++) {
        if (!strangers[i].first) {
            free = &strangers[i];
        } else if (strangers[i].sender == sender) {
            return &strangers[i];
        }
    }
    if (known || !free) {
        return known ? known : &strangers[sender % INBOX_STRANGERS];
    }
    free->sender = sender;
    return free;
}

/*
 * To be called after a message was taken. If no other waits, its sender becomes known, in place of
 * the one that was heard longest ago. All lanes are empty then: no message overtakes another one.
 */
static void remember_sender(struct lane lanes[INBOX_LANES], const struct message *message)
{
    struct lane *oldest = &lanes[0];

    if (has_any(lanes) || find_known(lanes, message->sender)) {
        return;
    }
    for (unsigned i = 1; i < INBOX_KNOWN; i++) {
        oldest = lanes[i].heard < oldest->heard ? &lanes[i] : oldest;
    }
    *oldest = (struct lane){.sender = message->sender, .heard = message->number};
}

/*
 * A checksum of whom the message is from. Without a response topic that is the beginning of its
 * topic: the edges of a and b of a simulated rope must not overtake each other, nor must the
 * commands of a client without response topics.
 */
static uint32_t sender_of(const struct bus_news *news)
{
    enum { LEVELS = 3 }; /* PREFIX/TABLE/command, PREFIX/TABLE/sim */
    const char *end = news->topic;

    if (news->response_topic) {
        return crc32c(0, news->response_topic, strlen(news->response_topic));
    }
    for (unsigned level = 0; level < LEVELS && *end; level++) {
        end += 1 + strcspn(end + 1, "/");
    }
    return crc32c(0, news->topic, (size_t)(end - news->topic));
}

/* Judged before it is copied: most of a flood is dropped here. */
static void put_in_lane(struct inbox *inbox, struct lane lanes[INBOX_LANES], size_t bytes_max,
                        const struct bus_news *news)
{
    if (length_of(news->topic) > INBOX_TOPIC_MAX) {
        return;
    }
    struct bus_news kept = without_long_address(news);
    uint32_t sender = sender_of(&kept);
    struct lane *lane = find_lane(lanes, sender);
    if (lane->bytes + size_of(&kept) > bytes_max) {
        return;
    }
    struct message *message = copy_message(&kept);
    if (message) { /* else it is out of memory: as if the network had lost it */
        message->number = ++inbox->put;
        message->sender = sender;
        lane->heard = lane->heard ? message->number : 0;
        append(lane, message);
    }
}

/*
 * The inbox
 */

void inbox_put(struct inbox *inbox, const struct bus_news *news)
{
    if (news->kind == BUS_MESSAGE) {
        put_in_lane(inbox, inbox->messages, INBOX_LANE_BYTES_MAX, news);
        return;
    }
    struct message *message = copy_message(news);
    if (message) {
        append(&inbox->events, message);
    }
}

void inbox_put_query(struct inbox *inbox, const struct bus_news *message)
{
    put_in_lane(inbox, inbox->queries, INBOX_QUERY_BYTES_MAX, message);
}

bool inbox_has_news(const struct inbox *inbox)
{
    return inbox->events.first || has_any(inbox->messages);
}

bool inbox_has_query(const struct inbox *inbox)
{
    return has_any(inbox->queries);
}

bool inbox_is_crowded(const struct inbox *inbox)
{
    unsigned next = next_lane(inbox->messages);

    return !inbox->events.first && next < INBOX_LANES && is_crowded(&inbox->messages[next]);
}

struct bus_news *inbox_take(struct inbox *inbox)
{
    unsigned next = next_lane(inbox->messages);

    if (inbox->events.first || next == INBOX_LANES) {
        struct message *event = take_first(&inbox->events);
        return event ? &event->news : NULL;
    }
    struct lane *lane = &inbox->messages[next];
    bool was_crowded = is_crowded(lane);
    struct message *message = take_first(lane);
    message->news.is_crowded = was_crowded || next >= INBOX_KNOWN;
    remember_sender(inbox->messages, message);
    return &message->news;
}

struct bus_news *inbox_take_query(struct inbox *inbox)
{
    struct message *query = NULL;

    for (unsigned i = 0; i < INBOX_LANES && !query; i++) {
        inbox->last_lane = (inbox->last_lane + 1) % INBOX_LANES;
        query = take_first(&inbox->queries[inbox->last_lane]);
    }
    if (!query) {
        return NULL;
    }
    remember_sender(inbox->queries, query);
    return &query->news;
}

void inbox_release(struct bus_news *news)
{
    free(news);
}

static void clear_lane(struct lane *lane)
{
    for (struct message *it = take_first(lane); it; it = take_first(lane)) {
        free(it);
    }
}

void inbox_clear_queries(struct inbox *inbox)
{
    for (unsigned i = 0; i < INBOX_LANES; i++) {
        clear_lane(&inbox->queries[i]);
    }
}

void inbox_clear(struct inbox *inbox)
{
    clear_lane(&inbox->events);
    for (unsigned i = 0; i < INBOX_LANES; i++) {
        clear_lane(&inbox->messages[i]);
    }
    inbox_clear_queries(inbox);
}
