/*
 * How much is run of a sweep over all operations, bytes or seeds: all of it in an optimised build,
 * and one of `step` in a build with sanitizers, where a run takes ten times as long. With
 * SHIPAHOY_FULL_SWEEPS=1 in the environment it is all of it there, too.
 */
#ifndef TESTS_SUPPORT_SWEEP_STEP_H
#define TESTS_SUPPORT_SWEEP_STEP_H

#include <stdlib.h>

static inline unsigned sweep_step(unsigned step)
{
#ifdef __OPTIMIZE__
    return step ? 1 : 0;
#else
    return getenv("SHIPAHOY_FULL_SWEEPS") ? 1 : step;
#endif
}

#endif
