/* Work for another thread; daemon/worker.h implements it. */
#ifndef COMMON_JOBS_H
#define COMMON_JOBS_H

#include <stdint.h>

/*
 * Work that may block on a disk. work runs in another thread, done then runs in the thread that
 * called begin; between begin and done, the job and its data belong to the other thread.
 */
struct job {
    void *self;
    void (*work)(void *self);
    void (*done)(void *self);
    uint64_t used_us; /* the processor time of work, valid in done */
};

struct jobs {
    void *self;
    /* 0, or -errno: then neither function is called. */
    int (*begin)(void *self, struct job *job);
};

#endif
