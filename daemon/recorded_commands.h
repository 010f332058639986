/* The commands of a game, from its journal, with the time of the sensors' clock. */
#ifndef DAEMON_RECORDED_COMMANDS_H
#define DAEMON_RECORDED_COMMANDS_H

#include "rules/game.h"

#include <stddef.h>

struct recorded_command {
    uint64_t at_us;
    struct input input;
    struct setup *setup; /* of a new game, else NULL */
};

/* Zeroed: there are none. */
struct recorded_commands {
    struct recorded_command *list;
    size_t count;
    size_t next;
};

/*
 * Reads the journal of a game. Commands of the rope's button are left out: its edges are in the
 * recording, and the rope may be measured differently now. False when the file cannot be read or
 * the time of its commands is not known; the problem is printed on stderr.
 */
bool recorded_commands_read(struct recorded_commands *commands, const char *path);
void recorded_commands_free(struct recorded_commands *commands);

/* The next command until that time, or NULL; recorded_commands_done passes on to the one after it.
 */
const struct recorded_command *recorded_commands_next(const struct recorded_commands *commands,
                                                      uint64_t until_us);
void recorded_commands_done(struct recorded_commands *commands);

/* The time of the last command, or end_us if that is later. */
uint64_t recorded_commands_end_us(const struct recorded_commands *commands, uint64_t end_us);

#endif
