/* Sentences for people: what happened, and why something was refused. */
#ifndef RULES_SAY_H
#define RULES_SAY_H

#include "rules/rules.h"

#include <stddef.h>

enum { SENTENCE_SIZE = 768 }; /* the longest names all four players */

/* Write a terminated sentence, cut off at size, and return its full length. game is the game after
 * the event, or the game that refused the input. */
size_t say_event(const struct game *game, const struct event *event, char *text, size_t size);
/* For an event undone: only what was taken back. */
size_t say_undone(const struct game *game, const struct event *event, char *text, size_t size);
size_t say_refusal(const struct game *game, const struct input *input, enum refusal refusal,
                   enum rule rule, char *text, size_t size);

#endif
