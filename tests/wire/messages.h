/* One message of each kind that the table can publish, and positions of every scenario. */
#ifndef TESTS_WIRE_MESSAGES_H
#define TESTS_WIRE_MESSAGES_H

#include "rules/game.h"

#include <stdio.h>

/* The topic is without the base; the payload is valid during the call. */
typedef void message_fn(void *context, const char *topic, const char *payload);

/* Emits all of them, always in the same order. */
void messages_emit(message_fn *to, void *context);

/* Plays a script (tests/support/script.h) and emits what is published after each step. */
int messages_emit_script(FILE *script, message_fn *to, void *context);

/* A game of four, Anna, Ben, Cleo and Dora, that has just started. */
struct game messages_game(void);

#endif
