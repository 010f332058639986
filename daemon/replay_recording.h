/*
 * `shipahoyd --replay`: replays a recording of edges, maybe with other settings. The table of the
 * daemon plays it on the clock of the recording, without a broker, in a directory that is removed
 * at the end.
 */
#ifndef DAEMON_REPLAY_RECORDING_H
#define DAEMON_REPLAY_RECORDING_H

#include "config/config.h"

/*
 * Prints a sentence for each event of the games that follow from the recording. journal, if not
 * NULL, is the journal of the game that was played: its commands are repeated with their dice and
 * draws. Returns an exit code; problems are printed on stderr.
 */
int replay_recording(const char *recording, const char *journal, const struct config *config);

#endif
