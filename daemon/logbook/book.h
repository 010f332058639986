/*
 * The stored games. Each function that writes does so in one transaction: it is on disk when the
 * function returns 0, and nothing has changed when it fails.
 *
 * Errors are those of database.h; book_problem says more.
 */
#ifndef LOGBOOK_BOOK_H
#define LOGBOOK_BOOK_H

#include "database.h"

#include <jansson.h>

enum {
    BOOK_VERSION = 2, /* of the tables and views in sql/ */
    BOOK_EVENT_MAX = 8 << 10,
    BOOK_STATE_MAX = 64 << 10,
    BOOK_SEQ_MAX = 1 << 19, /* more than 4096 records and undos with EVENTS_MAX events each */
    BOOK_TABLE_SIZE = 64,
    BOOK_PERSON_SIZE = 64, /* name in lower case */
};

struct book {
    struct database database;
    char problem[DATABASE_PROBLEM_SIZE];
};

/*
 * Opens the database, see database_open, and brings its tables to BOOK_VERSION. -EPROTO: it was
 * written by a later version.
 */
int book_open(struct book *book, const char *where, char *problem, size_t size);
void book_close(struct book *book); /* accepts a zeroed one */
const char *book_problem(const struct book *book);

/*
 * A transaction of another part: begin, statements, end. end commits and returns what it was given,
 * or takes everything back after an error (below 0) and returns that.
 */
int book_begin(struct book *book);
int book_end(struct book *book, int error);
int book_run(struct book *book, const char *sql, const struct parameter *parameters, row_fn *row,
             void *context);

#define BOOK_PARAMETERS(...) ((const struct parameter[]){__VA_ARGS__})
#define BOOK_WRITE(book, sql, ...) book_run(book, sql, BOOK_PARAMETERS(__VA_ARGS__), NULL, NULL)

/* How much of a game is stored: its events, and those up to read_seq with their states. */
struct book_progress {
    int64_t number; /* 0: the game is unknown */
    uint32_t seq;
    uint32_t read_seq;
    uint32_t turns;
    bool has_seats;
    bool is_foreign; /* it belongs to another table */
};

int book_find(struct book *book, const char *table, const char *game,
              struct book_progress *progress);

/*
 * Stores those of the events, in order, that are not stored yet, and with states (or NULL) the
 * states of these events; is_last: the game has no more of them for now. Returns the number of new
 * events, or -EINVAL (an event or state that no table sends; the problem says what), -ENODATA
 * (events before these are missing), or an error.
 */
int book_store(struct book *book, const char *table, const char *game, const json_t *events,
               const json_t *states, bool is_last);

/* Computes the figures of games that have changed. */
int book_refresh(struct book *book);

/* Whether this may be the id of a game, and the name of a table. */
bool book_is_game(const char *game);
bool book_is_table(const char *table);

/* A name as persons are distinguished: in lower case and without blanks. False: it is empty or too
 * long. */
bool book_person(const char *name, char person[BOOK_PERSON_SIZE]);

/* In a transaction: a person by that name has played in this game. */
int book_add_person(struct book *book, int64_t game, const char *person, const char *name);

/*
 * The games of one person count for another one, until unmerge. -ENOENT: one of them has never
 * played, or is not merged; -EINVAL: they are the same already.
 */
int book_merge(struct book *book, const char *name, const char *into);
int book_unmerge(struct book *book, const char *name);

#endif
