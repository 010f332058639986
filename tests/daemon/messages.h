/* One message of each kind that the table can publish, and positions of every scenario. */
#ifndef TESTS_DAEMON_MESSAGES_H
#define TESTS_DAEMON_MESSAGES_H

#include "rules/game.h"

#include <stdio.h>

/* The topic is without the base; the payload is valid during the call. */
typedef void message_fn(void *context, const char *topic, const char *payload);

/* Tells them all, in an order that stays. */
void messages_tell(message_fn *tell, void *context);

/* Plays a script (tests/support/script.h) and tells what is published after each of its steps. */
int messages_tell_script(FILE *script, message_fn *tell, void *context);

/* A game of four, Anna, Ben, Cleo and Dora, that has just started. */
struct game messages_game(void);

#endif
