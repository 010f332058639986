/*
 * The journal is the game: every accepted input, on disk before anybody is told.
 *
 * One file holds the game that is played, finished games are kept beside it within a bound. State
 * and events are never stored: they are computed again from the inputs, with the same numbers. Each
 * record carries a checksum and a hash of the game after it, so that a damaged or different game is
 * noticed and never continued. A torn last record is the trace of a crash and is cut off.
 */
#ifndef DAEMON_JOURNAL_H
#define DAEMON_JOURNAL_H

#include "daemon/disk.h"
#include "hw/fact.h"
#include "rules/game.h"

#include <stdint.h>

enum {
    GAME_ID_SIZE = 32,    /* with the end */
    COMMAND_ID_SIZE = 65, /* with the end */
};

/* One accepted input with all that is published about it. */
struct record {
    struct input input; /* its setup member is not kept; see below */
    int64_t wall_ms;    /* UTC, when it was accepted */
    uint64_t hash;      /* rules_hash of the game after it */
    struct evidence evidence;
    char id[COMMAND_ID_SIZE]; /* of the command, or "" */
    struct setup setup;       /* new-game only */
    char game[GAME_ID_SIZE];  /* new-game only: the id of the game that begins */
};

/* How much of the past is kept. */
struct journal_limits {
    uint32_t games_max; /* finished games */
    uint64_t bytes_max; /* of all finished games together */
};

/* What was found at the start, for the log and for the owner of the table. */
struct journal_report {
    uint32_t records;    /* read of the open game */
    uint32_t torn_bytes; /* cut off its end */
    char problem[200];   /* "" or what is wrong with the open game, which was then set aside */
};

struct journal;

/* Called for each record in order. Not 0 stops: the record does not fit what came before it. */
typedef int journal_visit_fn(void *context, const struct record *record);

/*
 * Opens the journal in the directory that disk stands for and visits the records of the open game.
 * A record that is damaged, or that visit refuses, is reported and the file is kept untouched under
 * another name; the journal then starts without an open game. -errno when the directory cannot be
 * used at all.
 */
int journal_open(struct journal **journal, const struct disk *disk,
                 const struct journal_limits *limits, journal_visit_fn *visit, void *context,
                 struct journal_report *report);
void journal_close(struct journal *journal);

/*
 * Appends a record and waits until it is on disk; a new-game record ends the file before it and
 * begins the next one. On failure (-errno) nothing has been added: what was written in part is cut
 * off before the next append, and a later append may succeed.
 */
int journal_append(struct journal *journal, const struct record *record);

/* Visits the records of the open game again, from the disk. 0, -errno, or what visit returned. */
int journal_visit(struct journal *journal, journal_visit_fn *visit, void *context);

/*
 * The seq up to which the broker has acknowledged the open game's events. The mark is written
 * lazily and may be older than the truth after a crash: events then come again.
 */
uint32_t journal_acknowledged(const struct journal *journal);
int journal_acknowledge(struct journal *journal, uint32_t seq);

#endif
