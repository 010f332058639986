/* The running logbook: the connection to the broker, the tables, the queries and the records. */
#ifndef LOGBOOK_SERVICE_H
#define LOGBOOK_SERVICE_H

#include "config/config.h"

/* Runs until SIGTERM or SIGINT. Returns the exit code, after logging why. */
int service_run(const struct config *config, const char *database, const char *state_directory);

#endif
