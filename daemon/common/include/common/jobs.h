/* Work that another thread does; daemon/worker.h is the one that does it. */
#ifndef COMMON_JOBS_H
#define COMMON_JOBS_H

/*
 * Something that may have to wait for a disk. Both functions get self, work in another thread and
 * then done in this one; between begin and done the job and what work touches belong to that
 * thread.
 */
struct job {
    void *self;
    void (*work)(void *self);
    void (*done)(void *self);
};

struct jobs {
    void *self;
    /* 0, or -errno, and then neither is called. */
    int (*begin)(void *self, struct job *job);
};

#endif
