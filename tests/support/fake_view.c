#include "fake_view.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fake_view_event *find(const struct fake_view *view, const char *game,
                                          unsigned seq)
{
    for (size_t i = view->count; i > 0; i--) {
        const struct fake_view_event *event = &view->events[i - 1];
        if (event->seq == seq && strcmp(event->game, game) == 0) {
            return event;
        }
    }
    return NULL;
}

static void add(struct fake_view *view, const struct fake_view_event *event)
{
    if (view->count == view->capacity) {
        view->capacity = view->capacity * 2 + 64;
        view->events = realloc(view->events, view->capacity * sizeof view->events[0]);
    }
    assert(view->events);
    view->events[view->count++] = *event;
}

static const char *see(struct fake_view *view, const char *payload)
{
    const struct fake_view_event *last = fake_view_last(view);
    struct fake_view_event event = {.payload = payload};

    if (sscanf(payload, "{\"v\":1,\"game\":\"%31[^\"]\",\"seq\":%u,", event.game, &event.seq) !=
        2) {
        return "an event has a game and a seq";
    }
    const struct fake_view_event *known = find(view, event.game, event.seq);
    if (known) {
        return strcmp(known->payload, payload) == 0 ? NULL : "an event comes again as it was";
    }
    bool goes_on = last && strcmp(last->game, event.game) == 0 && event.seq == last->seq + 1;
    bool begins = event.seq == 1;
    if (!goes_on && !begins) {
        return "events come in order and none is missing";
    }
    add(view, &event);
    return NULL;
}

const char *fake_view_read(struct fake_view *view, const struct fake_bus *bus)
{
    for (; view->read < fake_bus_count(bus); view->read++) {
        const struct fake_message *message = fake_bus_message(bus, view->read);
        const char *complaint =
            strstr(message->topic, "/event/") ? see(view, message->payload) : NULL;
        if (complaint) {
            return complaint;
        }
    }
    return NULL;
}

void fake_view_free(struct fake_view *view)
{
    free(view->events);
    *view = (struct fake_view){0};
}

const struct fake_view_event *fake_view_last(const struct fake_view *view)
{
    return view->count ? &view->events[view->count - 1] : NULL;
}

/*
 * Comparing
 */

/* What follows a key whose value two runs need not have in common, or NULL. */
static const char *behind_own_key(const char *text)
{
    static const char *const keys[] = {"\"game\":", "\"at\":", "\"at_us\":"};

    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strncmp(text, keys[i], strlen(keys[i])) == 0) {
            return text + strlen(keys[i]);
        }
    }
    return NULL;
}

bool fake_payloads_agree(const char *one, const char *other)
{
    while (*one && *one == *other) {
        const char *one_value = behind_own_key(one);
        const char *other_value = behind_own_key(other);
        if (one_value && other_value) {
            one = one_value + strcspn(one_value, ",}");
            other = other_value + strcspn(other_value, ",}");
        } else {
            one++;
            other++;
        }
    }
    return *one == *other;
}

bool fake_views_agree(const struct fake_view *one, const struct fake_view *other, size_t *index)
{
    for (*index = 0; *index < one->count && *index < other->count; ++*index) {
        if (!fake_payloads_agree(one->events[*index].payload, other->events[*index].payload)) {
            return false;
        }
    }
    return one->count == other->count;
}
