/* SQLite: a file in WAL mode, so that it can be read and copied while the logbook writes. */
#include "database.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATEMENTS_MAX = 128, BUSY_MS = 5000 };

/* A statement stays prepared; sql is the literal that it was prepared from. */
struct statement {
    const char *sql;
    sqlite3_stmt *prepared;
};

struct sqlite {
    sqlite3 *handle;
    struct statement statements[STATEMENTS_MAX];
    char problem[DATABASE_PROBLEM_SIZE];
};

/*
 * Errors
 */

static int explain(struct sqlite *sqlite, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) {
        return 0;
    }
    int kind = code & 0xff; /* without the details of an extended code */
    int system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN
                     ? sqlite3_system_errno(sqlite->handle)
                     : 0; /* says more, such as a full disk */
    snprintf(sqlite->problem, sizeof sqlite->problem, "%s%s%s", sqlite3_errmsg(sqlite->handle),
             system ? ": " : "", system ? strerror(system) : "");
    switch (kind) {
    case SQLITE_FULL:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
    case SQLITE_IOERR:
        return -EAGAIN;
    case SQLITE_READONLY:
        return -EROFS;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return -EBADMSG;
    default:
        return -EIO;
    }
}

static const char *problem_of(void *self)
{
    return ((struct sqlite *)self)->problem;
}

/*
 * Statements
 */

static int prepare(struct sqlite *sqlite, const char *sql, sqlite3_stmt **prepared)
{
    struct statement *statement = sqlite->statements;
    const struct statement *end = statement + STATEMENTS_MAX;

    while (statement < end && statement->sql && statement->sql != sql) {
        statement++;
    }
    if (statement == end) { /* more literals than expected: forget all */
        for (statement = sqlite->statements; statement < end; statement++) {
            sqlite3_finalize(statement->prepared);
            *statement = (struct statement){0};
        }
        statement = sqlite->statements;
    }
    if (!statement->sql) {
        int code = sqlite3_prepare_v3(sqlite->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                      &statement->prepared, NULL);
        if (code) {
            return explain(sqlite, code);
        }
        statement->sql = sql;
    }
    *prepared = statement->prepared;
    return 0;
}

/* To SQLite $1 is a name. */
static void bind_all(sqlite3_stmt *prepared, const struct parameter *parameters)
{
    for (int i = 1; parameters && i <= sqlite3_bind_parameter_count(prepared); i++) {
        const char *name = sqlite3_bind_parameter_name(prepared, i);
        const struct parameter *parameter = &parameters[strtol(name + 1, NULL, 10) - 1];
        if (parameter->text) {
            sqlite3_bind_text(prepared, i, parameter->text, -1, SQLITE_STATIC);
        } else if (parameter->is_number) {
            sqlite3_bind_int64(prepared, i, parameter->number);
        } else {
            sqlite3_bind_null(prepared, i);
        }
    }
}

static int pass_row(sqlite3_stmt *prepared, row_fn *row, void *context)
{
    const char *columns[DATABASE_COLUMNS_MAX] = {0};
    int count = sqlite3_column_count(prepared);

    for (int i = 0; i < count && i < DATABASE_COLUMNS_MAX; i++) {
        columns[i] = (const char *)sqlite3_column_text(prepared, i);
    }
    return row ? row(context, columns) : 0;
}

static int run(void *self, const char *sql, const struct parameter *parameters, row_fn *row,
               void *context)
{
    struct sqlite *sqlite = self;
    sqlite3_stmt *prepared = NULL;
    int result = prepare(sqlite, sql, &prepared);

    if (result) {
        return result;
    }
    bind_all(prepared, parameters);
    int code = sqlite3_step(prepared);
    while (code == SQLITE_ROW && !result) {
        result = pass_row(prepared, row, context);
        code = result ? code : sqlite3_step(prepared);
    }
    result = result ? result : explain(sqlite, code);
    sqlite3_reset(prepared);
    return result;
}

static int run_script(void *self, const char *sql)
{
    struct sqlite *sqlite = self;

    return explain(sqlite, sqlite3_exec(sqlite->handle, sql, NULL, NULL, NULL));
}

static int begin(void *self)
{
    return run(self, "BEGIN IMMEDIATE", NULL, NULL, NULL);
}

static int back_up(void *self, const char *path)
{
    return run(self, "VACUUM INTO $1", &TEXT(path), NULL, NULL);
}

/*
 * Opening and closing
 */

static void close_database(void *self)
{
    struct sqlite *sqlite = self;

    for (size_t i = 0; i < STATEMENTS_MAX; i++) {
        sqlite3_finalize(sqlite->statements[i].prepared);
    }
    sqlite3_close(sqlite->handle);
    free(sqlite);
}

static int note_damage(void *context, const char *const *columns)
{
    struct sqlite *sqlite = context;

    if (columns[0] && strcmp(columns[0], "ok") != 0) {
        const char *title = strchr(columns[0], '\n'); /* a line before the first finding */
        snprintf(sqlite->problem, sizeof sqlite->problem, "%s", title ? title + 1 : columns[0]);
        return -EBADMSG;
    }
    return 0;
}

/* The check reads the whole file once. The cache, in KiB, holds the figures of 10 000 games. */
static int prepare_file(struct sqlite *sqlite)
{
    int error = run_script(
        sqlite, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192;");

    sqlite3_busy_timeout(sqlite->handle, BUSY_MS);
    if (!error && sqlite3_db_readonly(sqlite->handle, "main")) {
        snprintf(sqlite->problem, sizeof sqlite->problem, "the file may not be written");
        error = -EROFS;
    }
    return error ? error : run(sqlite, "PRAGMA quick_check(1)", NULL, note_damage, sqlite);
}

static int open_database(void *self, const char *where)
{
    struct sqlite *sqlite = self;
    int error = explain(sqlite, sqlite3_open_v2(where, &sqlite->handle,
                                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL));

    return error ? error : prepare_file(sqlite);
}

const struct database database_sqlite = {
    .self_size = sizeof(struct sqlite),
    .name = "SQLite",
    .problem = problem_of,
    .open = open_database,
    .run = run,
    .run_script = run_script,
    .begin = begin,
    .back_up = back_up,
    .close = close_database,
};
