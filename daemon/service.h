/* The running daemon: one loop over sensors, broker, deadlines and signals. */
#ifndef DAEMON_SERVICE_H
#define DAEMON_SERVICE_H

#include "config/config.h"
#include "options.h"

/*
 * Runs until it is told to stop. config is the one that options name; reloads change it. Returns an
 * exit code.
 */
int service_run(const struct options *options, struct config *config);

#endif
