/* A play that checks every promise about a step after each step. */
#ifndef RANDOM_CHECKED_PLAY_H
#define RANDOM_CHECKED_PLAY_H

#include "input_list.h"
#include "rules/choices.h"

struct checked_play {
    struct play play;
    struct past past[LIST_PAST_MAX];
    struct game before[LIST_PAST_MAX]; /* the game before each input of the past */
    uint32_t sensed; /* pieces of which a tilt sensor spoke last, whatever the rules said to it */
    uint32_t seen;   /* of those, the ones that it saw lying; sets: 1 << enum piece */
    uint64_t events_seen;   /* a set: 1 << enum event_kind */
    uint64_t events_hash;   /* of all events so far, in order */
    struct choices choices; /* of the game as it is, */
    bool is_listed;         /* if this is set */
    uint64_t listed;        /* inputs compared with the list before they were tried */
    uint64_t swept;         /* positions in which all commands were tried */
    uint64_t tried;         /* commands in them */
};

/* An empty table that remembers up to capacity inputs (LIST_PAST_MIN to LIST_PAST_MAX). */
void checked_begin(struct checked_play *checked, unsigned capacity);

/* play_step, with its answer in refusal. NULL, or the promise that was broken. */
const char *checked_step(struct checked_play *checked, const struct input *input,
                         struct outcome *out, int *refusal);

/* The hash of all events so far, and of these after them. */
uint64_t hash_events(uint64_t hash, const struct outcome *out);

#endif
