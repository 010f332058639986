/* What people said in a game, from its record, by the clock of the sensors. */
#ifndef DAEMON_REJUDGE_WORDS_H
#define DAEMON_REJUDGE_WORDS_H

#include "rules/game.h"

#include <stddef.h>

struct word {
    uint64_t at_us;
    struct input input;
    struct setup *setup; /* of a new game, else NULL */
};

/* Zeroed: nothing was said. */
struct words {
    struct word *said;
    size_t count;
    size_t next;
};

/*
 * Reads the record of a game. What the rope's button said is left out: it is in the recording, and
 * the rope may be measured otherwise now. False when it cannot be read or placed in time, and then
 * the problem is told on stderr.
 */
bool words_read(struct words *words, const char *path);
void words_free(struct words *words);

/* The next one that was said by then, or NULL; and it has been said. */
const struct word *words_next(const struct words *words, uint64_t until_us);
void words_said(struct words *words);

/* When the last one was said, or end_us if that is later. */
uint64_t words_end_us(const struct words *words, uint64_t end_us);

#endif
