/* Checks whole input lists, and shrinks a list that fails. */
#ifndef RANDOM_VERIFY_H
#define RANDOM_VERIFY_H

#include "checked_play.h"
#include "input_list.h"

enum { FAILURE_SIZE = 128 };

/*
 * The accepted inputs of the list, played again at an empty table, must give the game and the
 * events of the play that they were recorded from. NULL, or the promise that was broken.
 */
const char *verify_replay(const struct input_list *list, const struct checked_play *checked);

/* The list reads back from its text as it is. NULL, or that it does not. */
const char *verify_text(const struct input_list *list);

/* Plays all inputs of the list at an empty table, then verify_replay. NULL, or a failure. */
const char *verify_list(struct input_list *list);

/*
 * Runs in a process of its own, so that a crash is a failure too. failure is shared with that
 * process (see share_memory), which may fill it in; it is empty when nothing was wrong.
 */
void run_isolated(void (*run)(void *context), void *context, char failure[FAILURE_SIZE]);

/* Zeroed memory that processes share; ends the program when there is none. */
void *share_memory(size_t size);

/*
 * Takes inputs out of the list for as long as it leads to the same failure. False, with the list
 * as it was, when not even the whole of it does.
 */
bool shrink_list(struct input_list *list, const char *failure);

#endif
