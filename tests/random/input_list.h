/*
 * A list of inputs, with the setups of their new games, that can be written as text and read back.
 *
 *   past 17                               how many inputs the play remembers
 *   @1350 aim piece=red-1 | 02000000...   the time in microseconds, the line for the reader, and
 *                                         the bytes of the input and of its setup, if it has one
 */
#ifndef RANDOM_INPUT_LIST_H
#define RANDOM_INPUT_LIST_H

#include "rules/rules.h"

#include <stdio.h>

enum { LIST_MAX = 1500, LIST_PAST_MIN = 2, LIST_PAST_MAX = 256 };

struct list_entry {
    struct input input; /* its setup points nowhere; use list_entry_input */
    struct setup setup;
    bool has_setup;
    bool accepted;
};

struct input_list {
    unsigned capacity; /* of the play's past, LIST_PAST_MIN to LIST_PAST_MAX */
    unsigned count;
    struct list_entry entries[LIST_MAX];
};

/* Adds an input that was not accepted so far; count must be below LIST_MAX. */
struct list_entry *input_list_add(struct input_list *list, const struct input *input);

/* The input of a entry, pointing to its setup if it has one. */
struct input list_entry_input(const struct list_entry *entry);

void input_list_write(FILE *file, const struct input_list *list);

/* 0, or the number of the first line that makes no sense. */
int input_list_read(FILE *file, struct input_list *list);

#endif
