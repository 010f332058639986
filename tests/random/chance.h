/*
 * Chance that is the same on every machine: splitmix64 from a seed. Draw in separate statements:
 * the order within one (arguments, initializers) is the compiler's to choose.
 */
#ifndef RANDOM_CHANCE_H
#define RANDOM_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

struct chance {
    uint64_t state;
};

static inline uint64_t chance_next(struct chance *chance)
{
    uint64_t mixed = chance->state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* 0 to count - 1; count must not be 0. Not quite even, which is of no consequence here. */
static inline unsigned chance_below(struct chance *chance, unsigned count)
{
    return (unsigned)((chance_next(chance) >> 32) * count >> 32);
}

/* low to high, both included. */
static inline unsigned chance_between(struct chance *chance, unsigned low, unsigned high)
{
    return low + chance_below(chance, high - low + 1);
}

/* True that many times in a hundred. */
static inline bool chance_percent(struct chance *chance, unsigned percent)
{
    return chance_below(chance, 100) < percent;
}

#endif
