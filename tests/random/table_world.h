/*
 * A simulated table to which acts happen, each a line of text, and after each of which every
 * promise about it is checked.
 *
 *   say LINE                    as fake_table_say says it, commands with an id of their own
 *   again                       the last command, with the id it had
 *   ask history | games | look-back   about the game as it stands
 *   wait MS
 *   disk fail AT COUNT ERRNO LOSS READS    see struct fake_faults
 *   disk cut AT LOSS SEED       the power goes at this operation
 *   disk full BYTES             room for so much and no more
 *   disk mend
 *   bus lose AT HOW             see struct fake_bus_faults
 *   bus fail AT
 *   bus slow | bus quick | bus down | bus up
 *   bus take COUNT DISORDER     a slow broker acknowledges
 *   kill | stop | cut LOSS SEED and the daemon is started again
 */
#ifndef RANDOM_TABLE_WORLD_H
#define RANDOM_TABLE_WORLD_H

#include "table_truth.h"

enum { ACT_SIZE = 160, PROMISES_MAX = 1024, WORLD_INI_SIZE = 512 };

struct world {
    struct fake_table fake;
    struct fake_view view;
    struct promise made[PROMISES_MAX];
    size_t promised;

    unsigned commands;      /* said so far; the last one's number is its id */
    char command[ACT_SIZE]; /* the last one, "" if there is none */
    const char *reply;      /* to it, NULL if none came */
    bool is_restarted;      /* since then */

    enum fake_loss cut_loss; /* when the power goes by itself */
    uint64_t cut_seed;
};

/* A table that runs and is connected, with this configuration. */
void world_begin(struct world *world, const char *ini);
void world_end(struct world *world);

/* NULL, or the promise that was broken. A line that makes no sense does nothing. */
const char *world_act(struct world *world, const char *act);

/* Mends everything and waits: all events must have arrived then. NULL, or a broken promise. */
const char *world_settle(struct world *world);

#endif
