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
    BOOK_VERSION = 4, /* of the tables and views in sql/ */
    BOOK_EVENT_MAX = 8 << 10,
    BOOK_STATE_MAX = 64 << 10,
    BOOK_SEQ_MAX = 1 << 19, /* more than 4096 records and undos with EVENTS_MAX events each */
    BOOK_TABLE_SIZE = 64,
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

/* A row_fn: the first column as an int64_t; NULL is 0. */
int book_take_number(void *context, const char *const *columns);

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

/* Whether this may be the id of a game, and the name of a table. */
bool book_is_game(const char *game);
bool book_is_table(const char *table);

#endif
