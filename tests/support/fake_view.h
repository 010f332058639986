/*
 * What a subscriber makes of the events: those it has seen are dropped, the others must come in
 * order and without gaps, and an event that comes again must be the same to the letter.
 */
#ifndef TESTS_SUPPORT_FAKE_VIEW_H
#define TESTS_SUPPORT_FAKE_VIEW_H

#include "fake_bus.h"

#include <stdbool.h>

enum { FAKE_GAME_SIZE = 32 };

struct fake_view_event {
    char game[FAKE_GAME_SIZE];
    unsigned seq;
    const char *payload; /* the bus has it */
};

struct fake_view {
    struct fake_view_event *events;
    size_t count;
    size_t capacity;
    size_t read; /* messages of the bus that were looked at */
};

/* Looks at what has arrived since the last time. NULL, or what is wrong with it. */
const char *fake_view_read(struct fake_view *view, const struct fake_bus *bus);
void fake_view_free(struct fake_view *view);

/* The last event that was seen; NULL if there is none. */
const struct fake_view_event *fake_view_last(const struct fake_view *view);

/* Whether two payloads are the same but for the name of the game and the times. */
bool fake_payloads_agree(const char *one, const char *other);

/* The same for all events of two views; where they differ is told in index. */
bool fake_views_agree(const struct fake_view *one, const struct fake_view *other, size_t *index);

#endif
