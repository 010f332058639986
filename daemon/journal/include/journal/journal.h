/*
 * The journal of a game: every accepted input, on disk before it is published.
 *
 * It is text, a line for each record: see file.h. One file holds the game that is played, finished
 * games are kept beside it within a bound. State and events are never stored: they are computed
 * again from the inputs, with the same numbers. Each record carries a checksum and a hash of the
 * game after it, so that a damaged or different game is noticed and never continued. A torn last
 * record is the trace of a crash and is cut off.
 *
 * A game is finished, for the journal, when the next one begins.
 */
#ifndef DAEMON_JOURNAL_H
#define DAEMON_JOURNAL_H

#include "common/ids.h"
#include "hw/fact.h"
#include "journal/disk.h"
#include "rules/game.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    JOURNAL_PROBLEM_SIZE = 200,
    /* To be raised with every change after which an old game would go on differently, or have other
       hashes. */
    JOURNAL_RULES_VERSION = 3,

    /*
     * The length of a game in records. A long game has about a thousand. An undo is recorded beyond
     * it, because each takes back at least one of these: no game has more than twice as many.
     */
    JOURNAL_RECORDS_MAX = 4096,
    JOURNAL_SIZE_MAX = 4 << 20, /* of a file; a longer one is not read */
};

/* One accepted input with all that is published about it. */
struct record {
    struct input input;       /* its setup member is not kept; see below */
    int64_t wall_ms;          /* UTC, when it was accepted */
    struct evidence evidence; /* kept if it names a sensor */
    uint32_t hash;            /* the lower half of rules_hash of the game after it */
    struct setup setup;       /* new-game only */
    char game[GAME_ID_SIZE];  /* new-game only: the id of the game that begins */
    char id[COMMAND_ID_SIZE]; /* of the command, or "" */
};

/* How much of the past is kept. */
struct journal_limits {
    uint32_t games_max; /* finished games */
    uint64_t bytes_max; /* of all finished games together */
};

/* Finished games that were removed although the broker does not have all of their events. */
struct journal_loss {
    uint32_t games;
    char last[DISK_NAME_SIZE]; /* the file of the last one */
};

/* What was found, for the log and for the owner of the table. */
struct journal_report {
    uint32_t records;                   /* read of the game */
    uint32_t torn_bytes;                /* at its end, cut off */
    char problem[JOURNAL_PROBLEM_SIZE]; /* "" or what is wrong with the game, and where */
    char kept_as[DISK_NAME_SIZE];       /* "" or the name under which it was set aside */
    int unsure;                         /* 0, or the -errno that keeps the end from being safe */
    struct journal_loss loss;
};

/* The last event of which the broker said that it has it; number is 0 if there is none. */
struct journal_mark {
    uint32_t number; /* of the game */
    char game[GAME_ID_SIZE];
    uint32_t seq;
};

/* A finished game, as it is on disk. */
struct journal_game {
    uint32_t number;
    uint8_t *data;
    size_t size;
};

struct journal;

/* Called for each record in order. Not 0 stops: the record does not fit what came before it. */
typedef int journal_visit_fn(void *context, const struct record *record);

/*
 * Opens the journal in the directory that disk stands for and visits the records of the open game.
 * A game that is damaged (then visit sees nothing of it), or one of whose records visit refuses, is
 * reported, and its file is kept untouched under another name; the journal then starts without an
 * open game. -errno when the directory cannot be used at all.
 *
 * What is read may be in the memory of the kernel only, if a sync has failed before. Therefore the
 * last record is written once more. If that fails the report says so: the journal can be read, and
 * the next append will try again.
 */
int journal_open(struct journal **journal, const struct disk *disk,
                 const struct journal_limits *limits, journal_visit_fn *visit, void *context,
                 struct journal_report *report);
void journal_close(struct journal *journal);

/*
 * Appends a record and waits until it is on disk; a new-game record ends the file before it and
 * begins the next one, at once for every crash: either the old or the new game is the open one. No
 * finished game is removed by it: see journal_prune.
 * On failure (-errno) nothing has been added: what was written in part is cut off, at the latest
 * before the next append, and a later append may succeed.
 *
 * -EINVAL: no record to be kept (a value that no input of its kind can have, or an
 * id of a game that is not a file name: letters, digits, - and _). -ENOENT: no game has begun.
 * -EEXIST: there is a game with this id already.
 */
int journal_append(struct journal *journal, const struct record *record);

/* Whether the open game has reached its maximum length: only undo and new-game may follow. */
bool journal_is_full(const struct journal *journal);

/* Whether an append would find room and a working disk, after one has failed. 0 or -errno. */
int journal_probe(struct journal *journal);

/* Visits the records of the open game again, from memory. 0, -errno, or what visit returned. */
int journal_visit(struct journal *journal, journal_visit_fn *visit, void *context);

/* A copy of the open game as it is on disk, to be freed; without data if none is open. 0 or
 * -ENOMEM.
 */
int journal_copy(const struct journal *journal, struct journal_game *game);

/* The number of the open game, or of the next if none is open. Games count up from 1. */
uint32_t journal_number(const struct journal *journal);

/*
 * Finished games. These know the disk alone, so that any thread may wait for it.
 *
 * journal_load_finished reads the oldest game whose number is after one and before the other: 1 and
 * the game, to be freed; 0 if there is none; or -errno. A file that the disk cannot read (EIO) may
 * be that game: it is an error, or as if it were not there. journal_visit_game visits its records;
 * of a damaged game only what comes before the damage, and then it returns -EBADMSG.
 */
int journal_load_finished(const struct disk *disk, uint32_t after, uint32_t before,
                          bool skips_unreadable, struct journal_game *game);
int journal_visit_game(const struct journal_game *game, journal_visit_fn *visit, void *context);
void journal_free_game(struct journal_game *game);

/* A finished game in the archive. */
struct journal_entry {
    uint32_t number;
    char game[GAME_ID_SIZE];
};

/*
 * The finished games, oldest first, without those of another format. 0 and the entries, to be
 * freed; or -errno.
 */
int journal_list_finished(const struct disk *disk, struct journal_entry **entries, size_t *count);

/* Reads the finished game with this id. 0 and the game, to be freed; -ENOENT or another -errno. */
int journal_load_named(const struct disk *disk, const char *id, struct journal_game *game);

/*
 * Removes the oldest of the games before this number that are beyond the limits. A game that the
 * broker lacks events of, from the number of the mark on, goes only if all games together are too
 * large, and is added to the loss. 0 or -errno.
 */
int journal_prune(const struct disk *disk, const struct journal_limits *limits, uint32_t before,
                  uint32_t acknowledged, struct journal_loss *loss);

/*
 * The mark never goes back, and is never ahead of what the broker has acknowledged.
 * journal_acknowledge changes and writes it, so that it survives a crash of the program. It
 * survives a power cut once it is synced, which waits for the disk: journal_write_mark in the
 * thread of the journal, in case its last write failed, then journal_sync_mark in any thread, then
 * journal_mark_synced. journal_close does all three. If a mark is lost, the events after the
 * previous one are published again.
 */
const struct journal_mark *journal_acknowledged(const struct journal *journal);
void journal_acknowledge(struct journal *journal, const struct journal_mark *mark);
bool journal_mark_is_safe(const struct journal *journal);
int journal_write_mark(struct journal *journal);
int journal_sync_mark(const struct disk *disk);
void journal_mark_synced(struct journal *journal, const struct journal_mark *mark);

/*
 * Whether the mark proves that the open game, whose last event has this seq, has lost its end: only
 * what was safe on disk is ever published. Such a game must not go on, because other events would
 * get the numbers of those that were published. journal_set_aside keeps its file under another
 * name, and then no game is open. 0 or -errno.
 */
bool journal_contradicts_mark(const struct journal *journal, uint32_t last_seq);
int journal_set_aside(struct journal *journal, char kept_as[DISK_NAME_SIZE]);

/*
 * Reads a file that may be a finished game, or anybody's, and changes nothing. The good records
 * before a problem are visited too. 0 (look at the report), -errno, or what visit returned.
 */
int journal_read_file(const char *path, journal_visit_fn *visit, void *context,
                      struct journal_report *report);

#endif
