/* A game without end, played with commands over the broker: the same turn again and again. */
#ifndef BENCH_GAME_PLAY_H
#define BENCH_GAME_PLAY_H

#include "listener.h"

/* Opens a listener for the replies of a table, as soon as that is online. */
void game_open(struct listener *listener, unsigned port, const char *table);

/* Begins a game of four at the table; one reply will come. */
void game_begin(struct listener *listener, const char *table);

/* The n-th command of the game, from 0 on; one reply will come. */
void game_say(struct listener *listener, const char *table, unsigned n);

#endif
