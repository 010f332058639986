#include "database.h"

#include <string.h>

int database_open(struct database *database, const char *where, char *problem, size_t size)
{
    static const char sqlite[] = "sqlite:";

    return strncmp(where, sqlite, strlen(sqlite)) == 0
               ? sqlite_open(database, where + strlen(sqlite), problem, size)
               : postgres_open(database, where, problem, size);
}
