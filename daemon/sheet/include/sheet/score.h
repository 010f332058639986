/*
 * A score sheet that is being filled in, as one pure step: no clock, no memory, no I/O. Undo is a
 * replay of all changes but the last.
 */
#ifndef SHEET_SCORE_H
#define SHEET_SCORE_H

#include "sheet/sheet.h"

enum score_phase { SCORE_PLAYING, SCORE_FINAL, SCORE_OVER };

#define SCORE_VERBS(X)                                                                             \
    X(COUNT, "count")   /* changes a counter by a number, or sets it */                            \
    X(FLAG, "flag")     /* sets a flag */                                                          \
    X(ROUND, "round")   /* ends the round */                                                       \
    X(FINISH, "finish") /* ends the game by agreement, or its final step */

#define SCORE_ENUM_VERB(name, word) SCORE_##name,
enum score_verb { SCORE_VERBS(SCORE_ENUM_VERB) SCORE_VERB_COUNT };

enum { SCORE_TABLE = 0, SCORE_CHANGE_SIZE = 96 };

struct score_change {
    enum score_verb verb;
    unsigned index;  /* of the counter or flag */
    unsigned player; /* from 1, or SCORE_TABLE */
    bool is_set;     /* to number, not by it */
    int32_t number;  /* of a flag: 0 or 1 */
};

struct score {
    enum score_phase phase;
    unsigned round; /* from 1 */
    unsigned first; /* player of this round */
    unsigned player_count;
    unsigned roles[SHEET_PLAYERS_MAX + 1]; /* by player, from 1; indexes of the sheet's roles */
    int32_t counters[SHEET_COUNTERS_MAX][SHEET_PLAYERS_MAX + 1];
    int32_t highest[SHEET_COUNTERS_MAX][SHEET_PLAYERS_MAX + 1];
    bool flags[SHEET_FLAGS_MAX][SHEET_PLAYERS_MAX + 1];
    unsigned ended_by; /* the player for whom the end held, or 0 */
    int end;           /* index of the end, or -1 */
};

struct score_rank {
    unsigned player;
    unsigned place; /* from 1; equal ones share it */
    int64_t score;
};

const char *score_verb_name(enum score_verb verb);
const char *score_phase_name(enum score_phase phase);

/*
 * The beginning. roles has the role of each player, or is NULL if the sheet has none. True, or
 * false and a sentence.
 */
bool score_begin(const struct sheet *sheet, unsigned player_count, const unsigned *roles,
                 struct score *score, struct text *problem);

/* True; or false and a sentence, with the score as it was. */
bool score_step(const struct sheet *sheet, struct score *score, const struct score_change *change,
                struct text *problem);

/* Whether the player has this counter; SCORE_TABLE for a shared one. */
bool score_has_counter(const struct sheet *sheet, const struct score *score, unsigned counter,
                       unsigned player);

/* The value of a formula for a player. */
int64_t score_evaluate(const struct sheet *sheet, const struct score *score,
                       const struct formula *formula, unsigned player);

/* All players, best first; returns how many share the first place. */
unsigned score_rank(const struct sheet *sheet, const struct score *score,
                    struct score_rank ranking[SHEET_PLAYERS_MAX]);

/* The title of a player: the first whose condition holds, or NULL. */
const char *score_title(const struct sheet *sheet, const struct score *score, unsigned player);

/*
 * A change as a line: `count points player=2 by=3`, `count fins by=-1`, `flag goal player=1
 * value=yes`, `round`. Reading returns false and a sentence if it is not one.
 */
void score_write_change(const struct sheet *sheet, const struct score_change *change,
                        char line[SCORE_CHANGE_SIZE]);
bool score_read_change(const struct sheet *sheet, const char *line, struct score_change *change,
                       struct text *problem);

#endif
