/* What the kernel tells of a process, all its threads together. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <sys/types.h>

struct process_effort {
    double cpu_us;
    double wakeups; /* how often a thread had been waiting */
};

/* A line of /proc/PID/FILE by its name, with the number in it. Fails if there is none. */
double process_number(pid_t pid, const char *file, const char *name);

/* Since its start. */
struct process_effort process_effort(pid_t pid);

#endif
