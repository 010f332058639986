/*
 * Rolls that were taken back. Nobody rolls the daemon's dice again by an undo: they show the same
 * again, in the same order. Follows the accepted inputs of a game; pure.
 */
#ifndef TABLE_KNOWN_ROLLS_H
#define TABLE_KNOWN_ROLLS_H

#include "journal/journal.h"

struct die_rolls {
    uint8_t values[JOURNAL_RECORDS_MAX]; /* the next one last */
    unsigned count;
};

/* Zeroed: none. */
struct known_rolls {
    struct die_rolls move;
    struct die_rolls combat;
};

/* The input was accepted, with this outcome. */
void known_rolls_follow(struct known_rolls *rolls, const struct input *input,
                        const struct outcome *outcome);

/* What the next roll (roll-move or roll-combat) shows; 0: it has to be rolled. */
uint8_t known_rolls_next(struct known_rolls *rolls, enum input_kind kind);

#endif
