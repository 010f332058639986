#include "fake_bus.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE_MAX = 4096, SUBSCRIPTIONS_MAX = 256 };

/* Tokens or news, oldest first. */
struct token_queue {
    uint32_t tokens[QUEUE_MAX];
    unsigned count;
};

struct fake_bus {
    struct fake_bus_faults faults;
    fake_bus_watch_fn *watch;
    void *watch_context;
    unsigned publications;
    bool up;

    struct token_queue waiting;  /* arrived, and not acknowledged */
    struct token_queue answered; /* acknowledged, and the daemon does not know yet */
    bool connected_news;
    bool disconnected_news;

    char subscriptions[SUBSCRIPTIONS_MAX][TOPIC_SIZE];
    unsigned subscription_count;
    unsigned subscribed; /* in all */

    struct fake_message *messages;
    size_t count;
    size_t capacity;
};

struct fake_bus *fake_bus_new(void)
{
    struct fake_bus *bus = calloc(1, sizeof *bus);

    assert(bus);
    return bus;
}

void fake_bus_free(struct fake_bus *bus)
{
    for (size_t i = 0; i < bus->count; i++) {
        free(bus->messages[i].topic);
        free(bus->messages[i].payload);
    }
    free(bus->messages);
    free(bus);
}

void fake_bus_set_faults(struct fake_bus *bus, const struct fake_bus_faults *faults)
{
    bus->faults = faults ? *faults : (struct fake_bus_faults){0};
    bus->publications = 0;
    if (!bus->faults.is_slow) {
        fake_bus_acknowledge(bus, bus->waiting.count, false);
    }
}

void fake_bus_set_watch(struct fake_bus *bus, fake_bus_watch_fn *watch, void *context)
{
    bus->watch = watch;
    bus->watch_context = context;
}

unsigned fake_bus_publications(const struct fake_bus *bus)
{
    return bus->publications;
}

/*
 * Publications
 */

static void put(struct token_queue *queue, uint32_t token)
{
    assert(queue->count < QUEUE_MAX);
    queue->tokens[queue->count++] = token;
}

static uint32_t take_at(struct token_queue *queue, unsigned index)
{
    uint32_t token = queue->tokens[index];

    queue->count--;
    memmove(queue->tokens + index, queue->tokens + index + 1,
            (queue->count - index) * sizeof queue->tokens[0]);
    return token;
}

static void arrive(struct fake_bus *bus, const struct publication *publication)
{
    if (bus->count == bus->capacity) {
        bus->capacity = bus->capacity * 2 + 64;
        bus->messages = realloc(bus->messages, bus->capacity * sizeof bus->messages[0]);
        assert(bus->messages);
    }
    struct fake_message *message = &bus->messages[bus->count++];
    *message = (struct fake_message){
        .topic = strdup(publication->topic),
        .payload = strndup(publication->payload, publication->size),
        .qos = publication->qos,
        .retain = publication->retain,
        .correlation_size = publication->correlation_size,
    };
    assert(message->topic && message->payload);
    assert(message->correlation_size <= sizeof message->correlation);
    if (message->correlation_size > 0) {
        memcpy(message->correlation, publication->correlation, message->correlation_size);
    }
    if (bus->watch) {
        bus->watch(bus->watch_context, message);
    }
}

static void lose_connection(struct fake_bus *bus)
{
    bus->up = false;
    bus->waiting.count = 0;
    bus->subscription_count = 0;
    bus->disconnected_news = true;
}

static bool fails(const struct fake_bus_faults *faults, unsigned number)
{
    unsigned count = faults->fail_count ? faults->fail_count : 1;

    return faults->fail_at && number >= faults->fail_at && number - faults->fail_at < count;
}

static int publish(void *self, const struct publication *publication)
{
    struct fake_bus *bus = self;
    unsigned number = ++bus->publications;
    bool is_lost = bus->up && number == bus->faults.lose_at;

    if (!bus->up || (is_lost && bus->faults.loss == LOST_BEFORE)) {
        if (is_lost) {
            lose_connection(bus);
        }
        return -ENOTCONN;
    }
    if (fails(&bus->faults, number)) {
        return bus->faults.fail_errno ? -bus->faults.fail_errno : -ENOMEM;
    }
    if (!is_lost || bus->faults.loss == LOST_AFTER) {
        arrive(bus, publication);
    }
    if (is_lost) {
        lose_connection(bus);
    } else if (publication->token) {
        put(bus->faults.is_slow ? &bus->waiting : &bus->answered, publication->token);
    }
    return 0;
}

/* Its index, or their number. */
static unsigned find_subscription(const struct fake_bus *bus, const char *topic)
{
    unsigned i = 0;

    while (i < bus->subscription_count && strcmp(bus->subscriptions[i], topic) != 0) {
        i++;
    }
    return i;
}

bool fake_bus_is_subscribed(const struct fake_bus *bus, const char *topic)
{
    return find_subscription(bus, topic) < bus->subscription_count;
}

unsigned fake_bus_subscriptions(const struct fake_bus *bus)
{
    return bus->subscription_count;
}

unsigned fake_bus_subscribed(const struct fake_bus *bus)
{
    return bus->subscribed;
}

static int subscribe(void *self, const char *topic)
{
    struct fake_bus *bus = self;

    if (!bus->up) {
        return -ENOTCONN;
    }
    bus->subscribed++;
    if (!fake_bus_is_subscribed(bus, topic)) {
        assert(bus->subscription_count < SUBSCRIPTIONS_MAX && strlen(topic) < TOPIC_SIZE);
        memcpy(bus->subscriptions[bus->subscription_count++], topic, strlen(topic) + 1);
    }
    return 0;
}

static int unsubscribe(void *self, const char *topic)
{
    struct fake_bus *bus = self;
    unsigned index = find_subscription(bus, topic);

    if (!bus->up) {
        return -ENOTCONN;
    }
    assert(index < bus->subscription_count);
    memmove(bus->subscriptions[index], bus->subscriptions[--bus->subscription_count], TOPIC_SIZE);
    return 0;
}

struct bus fake_bus_interface(struct fake_bus *bus)
{
    return (struct bus){
        .self = bus, .publish = publish, .subscribe = subscribe, .unsubscribe = unsubscribe};
}

/*
 * The connection, and news of it
 */

bool fake_bus_is_up(const struct fake_bus *bus)
{
    return bus->up;
}

void fake_bus_disconnect(struct fake_bus *bus)
{
    if (bus->up) {
        lose_connection(bus);
    }
}

void fake_bus_connect(struct fake_bus *bus)
{
    fake_bus_disconnect(bus);
    bus->up = true;
    bus->connected_news = true;
}

void fake_bus_forget_client(struct fake_bus *bus)
{
    bus->up = false;
    bus->waiting.count = 0;
    bus->answered.count = 0;
    bus->connected_news = false;
    bus->disconnected_news = false;
}

void fake_bus_acknowledge(struct fake_bus *bus, unsigned count, bool in_disorder)
{
    for (; count > 0 && bus->waiting.count > 0; count--) {
        put(&bus->answered, take_at(&bus->waiting, in_disorder ? bus->waiting.count - 1 : 0));
    }
}

/* What was acknowledged is told before the loss of that connection, and that before the next. */
bool fake_bus_take(struct fake_bus *bus, struct bus_news *news)
{
    if (bus->answered.count > 0 && !bus->connected_news) {
        *news = (struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = take_at(&bus->answered, 0)};
    } else if (bus->disconnected_news) {
        bus->answered.count = 0;
        bus->disconnected_news = false;
        *news = (struct bus_news){.kind = BUS_DISCONNECTED, .reason = "broker: lost on purpose"};
    } else if (bus->connected_news) {
        bus->connected_news = false;
        *news = (struct bus_news){.kind = BUS_CONNECTED, .reason = "broker: connected"};
    } else {
        return false;
    }
    return true;
}

/*
 * What a subscriber has seen
 */

size_t fake_bus_count(const struct fake_bus *bus)
{
    return bus->count;
}

const struct fake_message *fake_bus_message(const struct fake_bus *bus, size_t index)
{
    assert(index < bus->count);
    return &bus->messages[index];
}

const char *fake_bus_retained(const struct fake_bus *bus, const char *topic)
{
    for (size_t i = bus->count; i > 0; i--) {
        const struct fake_message *message = &bus->messages[i - 1];
        if (message->retain && strcmp(message->topic, topic) == 0) {
            return message->payload;
        }
    }
    return NULL;
}
