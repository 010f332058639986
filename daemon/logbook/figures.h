/*
 * The figures of games and players: copies of views that would take too long to compute for each
 * query. Errors are those of book.h.
 */
#ifndef LOGBOOK_FIGURES_H
#define LOGBOOK_FIGURES_H

#include "book.h"

/* Computes the figures of games that have changed, in a transaction. */
int figures_refresh(struct book *book);

/* Those of one game, in the transaction of the caller. */
int figures_refresh_game(struct book *book, int64_t game);

#endif
