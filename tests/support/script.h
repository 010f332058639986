/*
 * A whole game as a text that can be read as a story and played as a test:
 *
 *     # Who plays what.                       a comment
 *     scenario kraken                         how the game is set up, see script.c for the words
 *     player Anna red
 *     roll-move 3 > move-rolled value=3 M1    an input, in the grammar of rules/line.h, and its
 * events move red-1 4 > refused not-enough-points M5 new-game                                if
 * they do not fit in a line, each on its own > game-started first=1 G2 > turn-started G2
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
