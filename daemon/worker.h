/*
 * A thread for what may have to wait for a disk. It does one job at a time, in the order in which
 * they were begun, and shares nothing with the loop but the two pipes in which jobs come and go.
 */
#ifndef DAEMON_WORKER_H
#define DAEMON_WORKER_H

#include "common/jobs.h"

#include <stdbool.h>

struct worker;

/* 0 or -errno. */
int worker_open(struct worker **opened);

/*
 * Waits for the job that is under way; the others are neither worked nor done. False when the job
 * hangs: its memory is still used then, and the program should end at once. Accepts NULL.
 */
bool worker_close(struct worker *worker);

/* For those who have jobs. */
struct jobs worker_jobs(struct worker *worker);

/* Readable while a job is to be done; worker_finish calls the done of one of them. */
int worker_fd(const struct worker *worker);
void worker_finish(struct worker *worker);

#endif
