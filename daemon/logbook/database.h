/*
 * A database as the logbook sees it: SQL statements that SQLite and PostgreSQL both understand,
 * with parameters $1, $2, ... Only sqlite.c and postgres.c include the libraries.
 */
#ifndef LOGBOOK_DATABASE_H
#define LOGBOOK_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATABASE_PROBLEM_SIZE = 512, DATABASE_PARAMETERS_MAX = 16, DATABASE_COLUMNS_MAX = 32 };

/* A parameter: a text, else a number, else NULL. */
struct parameter {
    const char *text;
    int64_t number;
    bool is_number;
};

#define TEXT(string) ((struct parameter){.text = (string)})
#define NUMBER(value) ((struct parameter){.number = (value), .is_number = true})
#define NOTHING ((struct parameter){0})

/* Receives a row; the texts are valid during the call, NULL stands for NULL. Not 0 ends the rows.
 */
typedef int row_fn(void *context, const char *const *columns);

struct database {
    void *self;
    size_t self_size;
    const char *name;                   /* `SQLite` or `PostgreSQL` */
    const char *(*problem)(void *self); /* of the last error, without a full stop */

    /* self is zeroed. After an error it is closed, too. */
    int (*open)(void *self, const char *where);

    /*
     * Runs one statement, a literal: it is prepared once. row may be NULL. 0, or what row returned,
     * or -EAGAIN (the disk is full, the database is busy or cannot be reached: try again later),
     * -EROFS (it may not be written), -EBADMSG (damaged), -EIO (all others).
     */
    int (*run)(void *self, const char *sql, const struct parameter *parameters, row_fn *row,
               void *context);

    /* Several statements without parameters and rows. */
    int (*run_script)(void *self, const char *sql);

    /* Begins a transaction that writes. Then run COMMIT or ROLLBACK. */
    int (*begin)(void *self);

    /* Copies the database into a new file. -ENOTSUP: this one has tools of its own for that. */
    int (*back_up)(void *self, const char *path);
    void (*close)(void *self);
};

/*
 * Opens `sqlite:PATH`, creating the file, or `postgresql://...`, and checks what can be checked. 0,
 * or an error of run with a sentence in problem.
 */
int database_open(struct database *database, const char *where, char *problem, size_t size);

/* The two that there are, not opened. */
extern const struct database database_sqlite;   /* opened with a path */
extern const struct database database_postgres; /* with a URL */

#endif
