/* Sizes of the ids of games and commands, with NUL. */
#ifndef COMMON_IDS_H
#define COMMON_IDS_H

enum {
    GAME_ID_SIZE = 32,
    COMMAND_ID_SIZE = 65,
};

#endif
