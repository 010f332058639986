#include "in_flight.h"

#include <assert.h>
#include <string.h>

static bool is_reply(const struct publication *publication)
{
    return publication->token == 0 && !publication->retain;
}

static size_t bytes_of(const struct publication *publication)
{
    return strlen(publication->topic) + publication->size + publication->correlation_size +
           IN_FLIGHT_OVERHEAD;
}

/* The first with this number, 0: that is free; or NULL. */
static struct publication_in_flight *find(struct in_flight *in_flight, int mid)
{
    for (unsigned i = 0; i < in_flight->top; i++) {
        if (in_flight->list[i].mid == mid) {
            return &in_flight->list[i];
        }
    }
    return NULL;
}

bool in_flight_has_room(const struct in_flight *in_flight, const struct publication *publication)
{
    if (publication->qos == 0) {
        return true;
    }
    size_t bytes = bytes_of(publication);
    if (in_flight->count == IN_FLIGHT_MAX || in_flight->bytes + bytes > IN_FLIGHT_BYTES_MAX) {
        return false;
    }
    unsigned replies_max = publication->is_crowded ? IN_FLIGHT_CROWDED_MAX : IN_FLIGHT_REPLIES_MAX;
    return !is_reply(publication) || (in_flight->replies < replies_max &&
                                      in_flight->reply_bytes + bytes <= IN_FLIGHT_REPLY_BYTES_MAX);
}

void in_flight_clear(struct in_flight *in_flight)
{
    memset(in_flight->list, 0, in_flight->top * sizeof in_flight->list[0]);
    in_flight->top = 0;
    in_flight->count = 0;
    in_flight->bytes = 0;
    in_flight->replies = 0;
    in_flight->reply_bytes = 0;
}

void in_flight_begin(struct in_flight *in_flight, const struct publication *publication, int mid)
{
    if (publication->qos == 0) {
        return;
    }
    struct publication_in_flight *entry = find(in_flight, 0);
    assert(mid && (entry || in_flight->top < IN_FLIGHT_MAX));
    entry = entry ? entry : &in_flight->list[in_flight->top++];
    *entry = (struct publication_in_flight){
        .mid = mid,
        .token = publication->token,
        .is_reply = is_reply(publication),
        .bytes = (uint32_t)bytes_of(publication),
    };
    in_flight->count++;
    in_flight->bytes += entry->bytes;
    if (entry->is_reply) {
        in_flight->replies++;
        in_flight->reply_bytes += entry->bytes;
    }
}

uint32_t in_flight_end(struct in_flight *in_flight, int mid)
{
    struct publication_in_flight *entry = mid ? find(in_flight, mid) : NULL;

    if (!entry) {
        return 0; /* QoS 0, or it was sent over another connection */
    }
    uint32_t token = entry->token;
    if (entry->is_reply) {
        in_flight->replies--;
        in_flight->reply_bytes -= entry->bytes;
    }
    in_flight->count--;
    in_flight->bytes -= entry->bytes;
    *entry = (struct publication_in_flight){0};
    while (in_flight->top && !in_flight->list[in_flight->top - 1].mid) {
        in_flight->top--;
    }
    return token;
}
