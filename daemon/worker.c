#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { READ_END, WRITE_END, PIPE_ENDS, JOIN_S = 2 };

struct worker {
    int begun[PIPE_ENDS];
    int worked[PIPE_ENDS];
    atomic_bool is_closing;
    pthread_t thread;
};

/* What goes through a pipe: as a whole, being shorter than any pipe's promise for that. */
struct parcel {
    struct job *job;
};

static bool take(int fd, struct job **job)
{
    struct parcel parcel;
    bool is_whole = read(fd, &parcel, sizeof parcel) == (ssize_t)sizeof parcel;

    if (is_whole) {
        *job = parcel.job;
    }
    return is_whole;
}

static int give(int fd, struct job *job)
{
    struct parcel parcel = {.job = job};

    return write(fd, &parcel, sizeof parcel) == (ssize_t)sizeof parcel ? 0 : -errno;
}

/* Processor time of this thread. */
static uint64_t used_us(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

static void *run(void *self)
{
    struct worker *worker = self;
    struct job *job;

    while (take(worker->begun[READ_END], &job)) {
        if (!atomic_load(&worker->is_closing)) {
            uint64_t before_us = used_us();
            job->work(job->self);
            job->used_us = used_us() - before_us;
            give(worker->worked[WRITE_END], job);
        }
    }
    return NULL;
}

static void close_pipes(struct worker *worker)
{
    for (unsigned end = 0; end < PIPE_ENDS; end++) {
        close(worker->begun[end]);
        close(worker->worked[end]);
    }
}

int worker_open(struct worker **opened)
{
    struct worker *worker = calloc(1, sizeof *worker);

    if (!worker) {
        return -ENOMEM;
    }
    if (pipe2(worker->begun, O_CLOEXEC)) {
        int error = -errno;
        free(worker);
        return error;
    }
    int error = pipe2(worker->worked, O_CLOEXEC) ? -errno : 0;
    if (!error) {
        error = -pthread_create(&worker->thread, NULL, run, worker);
    }
    if (error) {
        close_pipes(worker);
        free(worker);
        return error;
    }
    *opened = worker;
    return 0;
}

bool worker_close(struct worker *worker)
{
    struct timespec until;

    if (!worker) {
        return true;
    }
    atomic_store(&worker->is_closing, true);
    close(worker->begun[WRITE_END]); /* nothing more can come: the thread ends */
    worker->begun[WRITE_END] = -1;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += JOIN_S;
    if (pthread_timedjoin_np(worker->thread, NULL, &until)) {
        return false;
    }
    close_pipes(worker);
    free(worker);
    return true;
}

static int begin(void *self, struct job *job)
{
    return give(((struct worker *)self)->begun[WRITE_END], job);
}

struct jobs worker_jobs(struct worker *worker)
{
    return (struct jobs){.self = worker, .begin = begin};
}

int worker_fd(const struct worker *worker)
{
    return worker->worked[READ_END];
}

void worker_finish(struct worker *worker)
{
    struct job *job;

    if (take(worker->worked[READ_END], &job)) {
        job->done(job->self);
    }
}
