#include "in_flight.h"

#include <assert.h>
#include <string.h>

static bool is_answer(const struct publication *publication)
{
    return publication->token == 0 && !publication->retain;
}

static size_t bytes_of(const struct publication *publication)
{
    return strlen(publication->topic) + publication->size + publication->correlation_size +
           IN_FLIGHT_OVERHEAD;
}

/* The first with this number, 0: that is free; or NULL. */
static struct flight *find(struct in_flight *in_flight, int mid)
{
    for (unsigned i = 0; i < in_flight->top; i++) {
        if (in_flight->flights[i].mid == mid) {
            return &in_flight->flights[i];
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
    return !is_answer(publication) ||
           (in_flight->answers < IN_FLIGHT_ANSWERS_MAX &&
            in_flight->answer_bytes + bytes <= IN_FLIGHT_ANSWER_BYTES_MAX);
}

void in_flight_clear(struct in_flight *in_flight)
{
    memset(in_flight->flights, 0, in_flight->top * sizeof in_flight->flights[0]);
    in_flight->top = 0;
    in_flight->count = 0;
    in_flight->bytes = 0;
    in_flight->answers = 0;
    in_flight->answer_bytes = 0;
}

void in_flight_begin(struct in_flight *in_flight, const struct publication *publication, int mid)
{
    if (publication->qos == 0) {
        return;
    }
    struct flight *flight = find(in_flight, 0);
    assert(mid && (flight || in_flight->top < IN_FLIGHT_MAX));
    flight = flight ? flight : &in_flight->flights[in_flight->top++];
    *flight = (struct flight){
        .mid = mid,
        .token = publication->token,
        .is_answer = is_answer(publication),
        .bytes = (uint32_t)bytes_of(publication),
    };
    in_flight->count++;
    in_flight->bytes += flight->bytes;
    if (flight->is_answer) {
        in_flight->answers++;
        in_flight->answer_bytes += flight->bytes;
    }
}

uint32_t in_flight_end(struct in_flight *in_flight, int mid)
{
    struct flight *flight = mid ? find(in_flight, mid) : NULL;

    if (!flight) {
        return 0; /* QoS 0, or it was sent over another connection */
    }
    uint32_t token = flight->token;
    if (flight->is_answer) {
        in_flight->answers--;
        in_flight->answer_bytes -= flight->bytes;
    }
    in_flight->count--;
    in_flight->bytes -= flight->bytes;
    *flight = (struct flight){0};
    while (in_flight->top && !in_flight->flights[in_flight->top - 1].mid) {
        in_flight->top--;
    }
    return token;
}
