/* Finished and open games of tables, and the pairing of a tournament to which they belong. */
#ifndef LOGBOOK_FINISHED_H
#define LOGBOOK_FINISHED_H

#include "book.h"
#include "person.h"
#include "tournament/tournament.h"

enum { FINISHED_GAMES_MAX = 256, FINISHED_SEATS_MAX = 4 };

struct finished_game {
    int64_t number;
    char game[TOURNAMENT_GAME_SIZE];
    char table[BOOK_TABLE_SIZE];
    unsigned count;
    struct finished_seat {
        char person[PERSON_SIZE]; /* who counts as this player */
        int team;                 /* 0: there are no teams */
        unsigned place;
        int64_t points;
    } seats[FINISHED_SEATS_MAX];
};

/* The first finished games behind this number, in the order in which they began. 0, or an error of
 * book.h. */
int finished_find(struct book *book, int64_t after, struct finished_game games[FINISHED_GAMES_MAX],
                  unsigned *count);

/* The same for open games: the last one of each table. Nobody has a place or points. */
int finished_find_open(struct book *book, int64_t after,
                       struct finished_game games[FINISHED_GAMES_MAX], unsigned *count);

/* Who counts as each member of each entrant: two for each, also without teams. */
int finished_find_persons(struct book *book, const struct tournament_settings *settings,
                          char (*persons)[PERSON_SIZE]);

/*
 * Whether the game is the result of a pairing of the last round that has none yet, or had another
 * one from this game: the same players at its table, or at any table if it has none.
 */
bool finished_match(const struct tournament *tournament, char (*persons)[PERSON_SIZE],
                    const struct finished_game *game, struct tournament_change *change);

#endif
