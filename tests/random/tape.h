/*
 * A list of inputs, with the setups of their new games, that can be written as text and read back.
 *
 *   past 17                          how many inputs the play remembers
 *   setup abandon=0 players=2 ...    of the new-game that follows
 *   @1200 new-game
 *   @1350 aim piece=red-1            the grammar of line.h after the time in microseconds
 *   @1351 raw kind=2 piece=999 ...   what that grammar cannot say
 */
#ifndef RANDOM_TAPE_H
#define RANDOM_TAPE_H

#include "rules/rules.h"

#include <stdio.h>

enum { TAPE_MAX = 1500, TAPE_PAST_MIN = 2, TAPE_PAST_MAX = 256 };

struct take {
    struct input input; /* its setup is the take's own; see tape_input */
    struct setup setup;
    bool has_setup;
    bool accepted;
};

struct tape {
    unsigned capacity; /* of the play's past, TAPE_PAST_MIN to TAPE_PAST_MAX */
    unsigned count;
    struct take takes[TAPE_MAX];
};

/* Adds an input that was not accepted so far; count must be below TAPE_MAX. */
struct take *tape_add(struct tape *tape, const struct input *input);

/* The input of a take, pointing to its setup if it has one. */
struct input tape_input(const struct take *take);

void tape_write(FILE *file, const struct tape *tape);

/* 0, or the number of the first line that makes no sense. */
int tape_read(FILE *file, struct tape *tape);

#endif
