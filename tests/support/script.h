/*
 * A whole game as a text that can be read as a story and played as a test:
 *
 *     # Who plays what.                       a comment
 *     scenario kraken                         how the game is set up, see script.c for the words
 *     player Anna red
 *     new-game                                an input, in the grammar of rules/line.h
 *         > game-started first=1 G2           what came of it, each event on a line
 *     move red-1 2
 *         > refused not-in-phase G3
 *
 * Each input comes a tenth of a second after the one before; window-over comes when it is due.
 */
#ifndef TESTS_SUPPORT_SCRIPT_H
#define TESTS_SUPPORT_SCRIPT_H

#include "rules/rules.h"

#include <stddef.h>
#include <stdio.h>

/* One input of the script, and what came of it. */
struct script_step {
    const struct input *input;
    const struct game *game; /* after it */
    int refusal;             /* as of play_step */
    const struct outcome *outcome;
};

/* Who listens to a script that is played: the lines as they are written, and what comes of them.
 * Lines that say what is expected are for the reader alone and are not told. */
struct script_listener {
    void (*line)(void *context, const char *text);
    void (*step)(void *context, const struct script_step *step);
};

/* Plays the script to its end. 0, or the number of the line that cannot be understood. */
int script_play(FILE *file, const struct script_listener *listener, void *context);

/* `refused CODE RULE`, in the manner of line_write_event. */
size_t script_write_refusal(enum refusal refusal, enum rule rule, char *text, size_t size);

#endif
