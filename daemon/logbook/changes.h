/*
 * The difference between two states of a game, as a table sends it in `history`: the keys that
 * differ with their new values, and in `pieces` only the pieces that differ.
 */
#ifndef LOGBOOK_CHANGES_H
#define LOGBOOK_CHANGES_H

#include <jansson.h>

/* Changes a state. 0, or -ENOMEM. */
int changes_apply(json_t *state, const json_t *changes);

/* The changes that turn one state into another; NULL: out of memory. */
json_t *changes_between(const json_t *from, const json_t *to);

#endif
