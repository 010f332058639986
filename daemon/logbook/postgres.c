/*
 * PostgreSQL. Statements that return no rows are pipelined: they are sent without waiting for each
 * other, and an error shows at the next statement that does wait, such as COMMIT. A connection that
 * is lost is made again when the next transaction or query begins.
 */
#include "database.h"

#include <assert.h>
#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STATEMENTS_MAX = 128,
    NAME_SIZE = 16,
    NUMBER_SIZE = 24,
    /* Sent without reading a result: few enough to fit the buffers of both sockets. */
    UNREAD_MAX = 64,
    RETRY_S = 5,
};

struct postgres {
    PGconn *connection;
    const char *prepared[STATEMENTS_MAX]; /* the literals; the index is the name */
    unsigned unread;
    bool in_transaction;
    bool is_stale; /* after an error: which statements are prepared is not known */
    time_t tried;  /* to connect */
    char problem[DATABASE_PROBLEM_SIZE];
};

/*
 * Errors
 */

/* The first line of what the library says. */
static void note_problem(struct postgres *postgres, const char *message)
{
    size_t length = strcspn(message, "\n");

    snprintf(postgres->problem, sizeof postgres->problem, "%.*s", (int)length, message);
}

static int explain(struct postgres *postgres, const PGresult *result)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;

    note_problem(postgres,
                 result ? PQresultErrorMessage(result) : PQerrorMessage(postgres->connection));
    if (!state || PQstatus(postgres->connection) != CONNECTION_OK) {
        return -EAGAIN; /* the connection is lost */
    }
    if (strcmp(state, "25006") == 0 || strcmp(state, "42501") == 0) {
        return -EROFS;
    }
    if (strncmp(state, "XX", 2) == 0) {
        return -EBADMSG;
    }
    /* 40: conflicts, 53: resources such as the disk, 57: shutdown, 58: errors of the system. */
    bool is_passing = strncmp(state, "40", 2) == 0 || strncmp(state, "53", 2) == 0 ||
                      strncmp(state, "57", 2) == 0 || strncmp(state, "58", 2) == 0;
    return is_passing ? -EAGAIN : -EIO;
}

static const char *problem_of(void *self)
{
    return ((struct postgres *)self)->problem;
}

/*
 * The connection
 */

static int set_up(struct postgres *postgres)
{
    memset(postgres->prepared, 0, sizeof postgres->prepared);
    postgres->unread = 0;
    postgres->in_transaction = false;
    postgres->is_stale = false;
    if (PQstatus(postgres->connection) != CONNECTION_OK) {
        note_problem(postgres, PQerrorMessage(postgres->connection));
        return -EAGAIN;
    }
    PGresult *result =
        PQexec(postgres->connection, "SET client_min_messages = warning; SET statement_timeout = "
                                     "'60s'; SET client_encoding = 'UTF8'");
    int error = PQresultStatus(result) == PGRES_COMMAND_OK ? 0 : explain(postgres, result);
    PQclear(result);
    return error ? error : PQenterPipelineMode(postgres->connection) ? 0 : -EIO;
}

/*
 * Statements
 */

/* Passes the rows of one result; the first error wins. */
static int take_result(struct postgres *postgres, const PGresult *result, row_fn *row,
                       void *context)
{
    const char *columns[DATABASE_COLUMNS_MAX];
    int error = 0;

    switch (PQresultStatus(result)) {
    case PGRES_TUPLES_OK:
        for (int i = 0; row && !error && i < PQntuples(result); i++) {
            for (int j = 0; j < PQnfields(result) && j < DATABASE_COLUMNS_MAX; j++) {
                columns[j] = PQgetisnull(result, i, j) ? NULL : PQgetvalue(result, i, j);
            }
            error = row(context, columns);
        }
        return error;
    case PGRES_COMMAND_OK:
    case PGRES_PIPELINE_ABORTED: /* the statement before it has failed, and was reported */
        return 0;
    default:
        return explain(postgres, result);
    }
}

/* Reads the results of all that was sent; only the last statement has rows. */
static int sync_pipeline(struct postgres *postgres, row_fn *row, void *context)
{
    unsigned nulls = 0; /* between two results; two of them follow on the end of a connection */
    int error = 0;

    postgres->unread = 0;
    if (!PQpipelineSync(postgres->connection)) {
        return explain(postgres, NULL);
    }
    while (nulls < 2) {
        PGresult *result = PQgetResult(postgres->connection);
        if (!result) {
            nulls++;
            continue;
        }
        nulls = 0;
        ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_PIPELINE_SYNC && !error) {
            error = take_result(postgres, result, row, context);
        }
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC) {
            return error;
        }
    }
    return error ? error : explain(postgres, NULL);
}

static int forget_statements(struct postgres *postgres)
{
    memset(postgres->prepared, 0, sizeof postgres->prepared);
    if (!PQsendQueryParams(postgres->connection, "DEALLOCATE ALL", 0, NULL, NULL, NULL, NULL, 0)) {
        return explain(postgres, NULL);
    }
    int error = sync_pipeline(postgres, NULL, NULL);
    postgres->is_stale = error;
    return error;
}

/* Before the first statement of a transaction, or a query: makes a lost connection again. */
static int refresh(struct postgres *postgres)
{
    struct timespec now;

    if (postgres->in_transaction) {
        return 0;
    }
    if (PQstatus(postgres->connection) == CONNECTION_OK) {
        return postgres->is_stale ? forget_statements(postgres) : 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec < postgres->tried + RETRY_S) {
        return -EAGAIN;
    }
    postgres->tried = now.tv_sec;
    PQreset(postgres->connection);
    return set_up(postgres);
}

static int count_parameters(const char *sql)
{
    int count = 0;

    for (const char *at = strchr(sql, '$'); at; at = strchr(at + 1, '$')) {
        int number = (int)strtol(at + 1, NULL, 10);
        count = number > count ? number : count;
    }
    return count;
}

/* The name of the prepared statement; it is prepared in the pipeline, before its first use. */
static int prepare(struct postgres *postgres, const char *sql, char name[NAME_SIZE])
{
    size_t at = 0;

    while (at < STATEMENTS_MAX && postgres->prepared[at] && postgres->prepared[at] != sql) {
        at++;
    }
    assert(at < STATEMENTS_MAX);
    snprintf(name, NAME_SIZE, "s%zu", at);
    if (postgres->prepared[at]) {
        return 0;
    }
    postgres->prepared[at] = sql;
    return PQsendPrepare(postgres->connection, name, sql, 0, NULL) ? 0 : explain(postgres, NULL);
}

/* These work also when statements before them have failed. */
static bool is_control(const char *sql)
{
    return strcmp(sql, "BEGIN") == 0 || strcmp(sql, "COMMIT") == 0 || strcmp(sql, "ROLLBACK") == 0;
}

static int send(struct postgres *postgres, const char *sql, const struct parameter *parameters)
{
    const char *values[DATABASE_PARAMETERS_MAX];
    char numbers[DATABASE_PARAMETERS_MAX][NUMBER_SIZE];
    char name[NAME_SIZE];
    int count = count_parameters(sql);

    if (is_control(sql)) {
        return PQsendQueryParams(postgres->connection, sql, 0, NULL, NULL, NULL, NULL, 0)
                   ? 0
                   : explain(postgres, NULL);
    }
    int error = prepare(postgres, sql, name);
    if (error) {
        return error;
    }
    for (int i = 0; i < count; i++) {
        snprintf(numbers[i], NUMBER_SIZE, "%lld", (long long)parameters[i].number);
        values[i] = parameters[i].is_number ? numbers[i] : parameters[i].text;
    }
    return PQsendQueryPrepared(postgres->connection, name, count, values, NULL, NULL, 0)
               ? 0
               : explain(postgres, NULL);
}

static int run(void *self, const char *sql, const struct parameter *parameters, row_fn *row,
               void *context)
{
    struct postgres *postgres = self;
    bool ends = strcmp(sql, "COMMIT") == 0 || strcmp(sql, "ROLLBACK") == 0;
    int error = refresh(postgres);

    if (!error) {
        error = send(postgres, sql, parameters);
    }
    postgres->unread++;
    if (!error && (row || ends || !postgres->in_transaction || postgres->unread >= UNREAD_MAX)) {
        error = sync_pipeline(postgres, row, context);
    }
    /* A COMMIT that failed leaves the transaction to its ROLLBACK. */
    if (ends && (!error || strcmp(sql, "ROLLBACK") == 0)) {
        postgres->in_transaction = false;
    }
    postgres->is_stale |= error < 0;
    return error;
}

static int run_script(void *self, const char *sql)
{
    struct postgres *postgres = self;

    if (!PQexitPipelineMode(postgres->connection)) {
        return explain(postgres, NULL);
    }
    PGresult *result = PQexec(postgres->connection, sql);
    int error = PQresultStatus(result) == PGRES_COMMAND_OK ? 0 : explain(postgres, result);
    PQclear(result);
    PQenterPipelineMode(postgres->connection);
    return error;
}

/* The lock makes one writer at a time, as in SQLite. */
static int begin(void *self)
{
    struct postgres *postgres = self;
    int error = run(self, "BEGIN", NULL, NULL, NULL);

    if (error) {
        return error;
    }
    error = run(self, "SELECT pg_advisory_xact_lock(76111098)", NULL, NULL, NULL);
    postgres->in_transaction = true;
    if (error) { /* else a lost connection would never be made again */
        run(self, "ROLLBACK", NULL, NULL, NULL);
    }
    return error;
}

static int back_up(void *self, const char *path)
{
    (void)path;
    note_problem(self, "use pg_dump");
    return -ENOTSUP;
}

static void close_database(void *self)
{
    struct postgres *postgres = self;

    PQfinish(postgres->connection);
    free(postgres);
}

static int open_database(void *self, const char *where)
{
    /* Later keywords override earlier ones; the URL may set all but the last two. */
    const char *const keywords[] = {"connect_timeout", "application_name", "dbname", NULL};
    const char *const values[] = {"10", "shipahoy-logbook", where, NULL};
    struct postgres *postgres = self;

    postgres->connection = PQconnectdbParams(keywords, values, 1);
    return set_up(postgres);
}

const struct database database_postgres = {
    .self_size = sizeof(struct postgres),
    .name = "PostgreSQL",
    .problem = problem_of,
    .open = open_database,
    .run = run,
    .run_script = run_script,
    .begin = begin,
    .back_up = back_up,
    .close = close_database,
};
