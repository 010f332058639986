/*
 * The list of possible commands (rules/choices.h) against the commands themselves: what is in the
 * list is accepted, what is not in it is refused.
 */
#ifndef RANDOM_SWEEP_H
#define RANDOM_SWEEP_H

#include "rules/choices.h"

/* The list, as if the players rolled: with daemon dice it holds no values to compare. */
void sweep_list(const struct play *play, struct choices *choices);

/* The entry with this command, or NULL. The input has no fields but those of its kind. */
const struct choice *sweep_find(const struct choices *choices, const struct game *game,
                                const struct input *input);

/* Whether the list is about inputs of this kind: commands, except for new-game. */
bool sweep_covers(enum input_kind kind);

/*
 * Tries all commands with all pieces, harbours and values, and lengths up to more than any piece
 * can move. NULL, or what is wrong; tried counts the attempts.
 */
const char *sweep_commands(const struct play *play, const struct choices *choices, uint64_t at_us,
                           uint64_t *tried);

#endif
