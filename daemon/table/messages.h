/* The game that the configuration describes, as a command. */
#ifndef TABLE_MESSAGES_H
#define TABLE_MESSAGES_H

#include "config/config.h"
#include "wire/wire.h"

/* What start-game without fields starts; what is drawn is 0. */
void command_default_game(const struct config *config, struct command *command);

#endif
