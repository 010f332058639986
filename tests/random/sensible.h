/* Inputs that fit the game: what invent.c is built on. */
#ifndef RANDOM_SENSIBLE_H
#define RANDOM_SENSIBLE_H

#include "invent.h"

static inline bool toss(struct inventor *inventor, unsigned percent)
{
    return chance_percent(&inventor->chance, percent);
}

static inline unsigned draw(struct inventor *inventor, unsigned low, unsigned high)
{
    return chance_between(&inventor->chance, low, high);
}

/* What a player would do next, or a sensor would say of it. */
struct input sensible_input(struct inventor *inventor, const struct game *game);

/* What happens to a table in any step: children, second balls, second thoughts. */
struct input accident(struct inventor *inventor, const struct game *game);

#endif
