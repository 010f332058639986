/*
 * Answers to queries about the open game and finished ones, computed by replay. Nothing here uses
 * the session: any thread may compute an answer, and wait for the disk.
 */
#ifndef TABLE_HISTORY_H
#define TABLE_HISTORY_H

#include "config/config.h"
#include "journal/journal.h"
#include "table/ports.h"
#include "wire/wire.h"

struct question {
    struct wire_query query;
    char id[COMMAND_ID_SIZE];
    char table[CONFIG_LINE_SIZE];
    const struct disk *disk;
    const struct sensors *sensors; /* for their names */
    struct journal_game open;      /* a copy of the open game; without data if none is open */
    char open_id[GAME_ID_SIZE];
};

/* The reply, or a refusal. To be freed; NULL when memory runs out. */
char *history_answer(const struct question *question);

#endif
