/*
 * A recording of edges judged again, maybe by other settings: `shipahoyd --replay`. The very table
 * of the daemon plays it, on a clock that is the recording's, in a directory that is removed at the
 * end, and without a broker.
 */
#ifndef DAEMON_REJUDGE_H
#define DAEMON_REJUDGE_H

#include "config/config.h"

/*
 * Prints the events of the games that follow from the recording, a sentence each. journal, if not
 * NULL, is the record of the game that was played then: what people said comes from there, with the
 * dice and draws of then. An exit code; problems are told on stderr.
 */
int rejudge_recording(const char *recording, const char *journal, const struct config *config);

#endif
