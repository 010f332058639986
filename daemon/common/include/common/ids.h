/* Names of games and of commands. */
#ifndef COMMON_IDS_H
#define COMMON_IDS_H

enum {
    GAME_ID_SIZE = 32,    /* with the end */
    COMMAND_ID_SIZE = 65, /* with the end */
};

#endif
