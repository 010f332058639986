/* A game with a score sheet as everybody may see it: the JSON of `sheet/ID` in docs/sheets.md. */
#ifndef LOGBOOK_STANDING_H
#define LOGBOOK_STANDING_H

#include "rules/game.h"
#include "sheet/score.h"

#include <jansson.h>

enum { STANDING_GAME_SIZE = 32, STANDING_TIME_SIZE = 32 };

/* A change that counts: it was not undone. */
struct standing_change {
    uint32_t seq;
    struct score_change change;
};

struct standing {
    char game[STANDING_GAME_SIZE];
    int64_t number; /* in the database */
    char sheet_name[SHEET_NAME_SIZE];
    char names[SHEET_PLAYERS_MAX][NAME_SIZE];
    char over_at[STANDING_TIME_SIZE]; /* "": it goes on */
    struct sheet sheet;
    struct score begun;
    struct score score;
    uint32_t seq; /* of the last stored change, undos among them */
    struct standing_change *changes;
    unsigned change_count;
};

/*
 * To be freed; NULL: out of memory. Secret counters, and scores that depend on them, are null
 * before the end.
 */
char *standing_write(const struct standing *it);

/* Adds the translations of a text, a member of the sheet, to `{"de":{"Fame":"Ruhm"}}`. */
void standing_translate(const struct sheet *sheet, const char *text, json_t *texts);

#endif
