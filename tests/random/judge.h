/* Whether a tape breaks a promise, and the shortest tape that still does. */
#ifndef RANDOM_JUDGE_H
#define RANDOM_JUDGE_H

#include "tape.h"
#include "trial.h"

enum { COMPLAINT_SIZE = 128 };

/*
 * The accepted inputs of the tape, played again at an empty table, must give the game and the
 * events of the trial that they were recorded from. NULL, or the promise that was broken.
 */
const char *judge_replay(const struct tape *tape, const struct trial *trial);

/* The same for the tape as it reads back from its text, which must say all of it. */
const char *judge_text(const struct tape *tape, const struct trial *trial);

/* Plays all inputs of the tape at an empty table, then judge_text. NULL, or a complaint. */
const char *judge_tape(struct tape *tape);

/*
 * Runs in a process of its own, so that a crash is a complaint too. complaint is shared with that
 * process (see judge_share), which may fill it in; it is empty when nothing was wrong.
 */
void judge_apart(void (*run)(void *context), void *context, char complaint[COMPLAINT_SIZE]);

/* Zeroed memory that processes share; ends the program when there is none. */
void *judge_share(size_t size);

/*
 * Takes inputs out of the tape for as long as it leads to the same complaint. False, with the tape
 * as it was, when not even the whole of it does.
 */
bool judge_shrink(struct tape *tape, const char *complaint);

#endif
