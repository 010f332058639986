/*
 * Thinks of the next thing to say to a game: mostly what players would do, so that games get on and
 * end, sometimes anything at all.
 */
#ifndef RANDOM_INVENT_H
#define RANDOM_INVENT_H

#include "chance.h"
#include "rules/rules.h"

struct inventor {
    struct chance chance;
    uint64_t now_us;
    unsigned round;     /* the game to be dealt next; see deal.h */
    unsigned undos;     /* that are still to come, one after the other */
    unsigned wild;      /* how many inputs in a hundred are anything at all */
    struct setup setup; /* of a new game; the input points to it */
};

/* What a round of play is like: how wild, and at what time it begins. */
void invent_round(struct inventor *inventor, unsigned round);

/* The next input; its setup, if any, lives in the inventor until the next call. */
struct input invent_input(struct inventor *inventor, const struct game *game);

/* A line of text of up to size - 1 characters, mostly not quite right. */
void invent_text(struct inventor *inventor, const struct input *input, char *text, unsigned size);

#endif
