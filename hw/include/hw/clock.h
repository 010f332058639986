/* The kernel's monotonic clock, which edges are timed with. */
#ifndef HW_CLOCK_H
#define HW_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t monotonic_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

#endif
