/* That nobody is ever stuck: what must always be possible, tried out on a copy of the game. */
#ifndef RANDOM_WAYS_H
#define RANDOM_WAYS_H

#include "rules/rules.h"

/* NULL, or what should be possible in this game and is refused; before is the game a step ago. */
const char *check_ways(const struct game *before, const struct game *game);

#endif
