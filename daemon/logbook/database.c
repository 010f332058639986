#include "database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int database_open(struct database *database, const char *where, char *problem, size_t size)
{
    static const char sqlite[] = "sqlite:";
    bool is_sqlite = strncmp(where, sqlite, strlen(sqlite)) == 0;

    *database = is_sqlite ? database_sqlite : database_postgres;
    database->self = calloc(1, database->self_size);
    if (!database->self) {
        snprintf(problem, size, "out of memory");
        return -EAGAIN;
    }
    int error = database->open(database->self, is_sqlite ? where + strlen(sqlite) : where);
    if (error) {
        snprintf(problem, size, "%s", database->problem(database->self));
        database->close(database->self);
    }
    return error;
}
