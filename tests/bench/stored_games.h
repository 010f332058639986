/*
 * Games as a table sends them in its replies to `history`, in any number: turns with a shot, some
 * of them with a hit, a move and three changes of the phase. The same number is always the same
 * game.
 */
#ifndef BENCH_STORED_GAMES_H
#define BENCH_STORED_GAMES_H

#include <jansson.h>

enum { STORED_EVENTS = 300, STORED_PAGE = 100, STORED_PLAYERS = 100, STORED_ID_SIZE = 32 };

/* The id, which contains the time of the beginning: half an hour after the game before. */
void stored_id(unsigned number, char id[STORED_ID_SIZE]);

/* The name of one of STORED_PLAYERS; four of them play a game. */
void stored_player(unsigned number, char name[STORED_ID_SIZE]);

/* STORED_EVENTS events with the state after each step, in replies {events, states} of at most
 * STORED_PAGE events. */
json_t *stored_replies(unsigned number);

#endif
