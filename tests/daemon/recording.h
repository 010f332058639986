/* Whole games as the records a table would keep of them: played by chance, the same for a seed. */
#ifndef TESTS_DAEMON_RECORDING_H
#define TESTS_DAEMON_RECORDING_H

#include "journal/journal.h"
#include "tests/random/chance.h"

#include <stdbool.h>

enum { RECORDING_MAX = 2000 };

/* One or more games, each beginning with new-game and called `game-1`, `game-2` and so on. */
struct recording {
    struct record records[RECORDING_MAX];
    unsigned count;
    unsigned games;
};

/* Plays a game and adds its records, at most length; it may be over before. */
void recording_add_game(struct recording *recording, uint64_t seed, unsigned length);

/* Where the game begins to which record number index belongs. */
unsigned recording_game_start(const struct recording *recording, unsigned index);

/* A record of this kind with every field that it can have set to anything it can hold. */
void recording_any(struct chance *chance, enum input_kind kind, struct record *record);

/* Whether all that is kept of a record is the same. */
bool same_record(const struct record *left, const struct record *right);

/* Visits records and says how many were seen and whether all are those of expected. */
struct comparison {
    const struct record *expected;
    unsigned count; /* of expected */
    unsigned seen;
    bool differs;
};
journal_visit_fn compare_records;

/* A visit that refuses everything, and one that sees nothing. */
journal_visit_fn refuse_records;
journal_visit_fn ignore_records;

#endif
