/* Sentences for people: what happened, and why something was refused. */
#ifndef RULES_SAY_H
#define RULES_SAY_H

#include "rules/rules.h"

#include <stddef.h>

enum { SENTENCE_SIZE = 256 };

/* Write a sentence with its end; what does not fit in size is cut off. Return its length uncut.
 * game is the game after the event; of the refusal, the game that refused. */
size_t say_event(const struct game *game, const struct event *event, char *text, size_t size);
/* Of an event undone: only what was taken back. */
size_t say_undone(const struct game *game, const struct event *event, char *text, size_t size);
size_t say_refusal(const struct game *game, const struct input *input, enum refusal refusal,
                   enum rule rule, char *text, size_t size);

#endif
