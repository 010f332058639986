/*
 * A private broker, and whatever a benchmark starts against it: all end with the benchmark, by
 * their own process ids. What cannot be set up ends the program with a sentence.
 */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum { RIG_PATH_SIZE = 256, RIG_PROCESSES_MAX = 12, RIG_ARGUMENTS_MAX = 16 };

/* Where a daemon keeps its games: in memory, so that a sync costs nothing, or on the disk. */
enum rig_place { RIG_MEMORY, RIG_DISK, RIG_PLACES };

struct rig {
    char folders[RIG_PLACES][RIG_PATH_SIZE];
    unsigned port;        /* of the broker, on loopback */
    const char *daemon;   /* shipahoyd of this build */
    const char *other;    /* that of BENCH_AGAINST, a build to compare with, or NULL */
    const char *sections; /* to add to the ini of the next daemons, or NULL */
    pid_t broker;
    pid_t pids[RIG_PROCESSES_MAX];
    unsigned count;
    double start_ms; /* of the daemon started last, from the fork to READY=1 */
};

void rig_open(struct rig *rig);

/* Ends everything that was started and removes the folders. */
void rig_close(struct rig *rig);

/* The path of a file in the folder in memory. */
void rig_path(const struct rig *rig, const char *name, char path[RIG_PATH_SIZE]);

/* Creates such a file, and says where it is. */
FILE *rig_create(const struct rig *rig, const char *name, char path[RIG_PATH_SIZE]);

/* Starts a program; its messages go to the rig's log. The list ends with NULL. */
pid_t rig_start(struct rig *rig, const char *const arguments[]);
void rig_stop(struct rig *rig, pid_t pid);

/*
 * Starts a shipahoyd as table NAME with the sim socket NAME.sock, under prefix `bench`, and waits
 * for READY=1. Its games are those of its last start in this place.
 */
pid_t rig_start_daemon(struct rig *rig, const char *program, const char *name,
                       enum rig_place place);

/* A connection to a unix stream socket of the rig, as soon as somebody listens there. */
int rig_connect(const struct rig *rig, const char *socket_name);

/* A port of loopback that nobody uses. */
unsigned rig_free_port(void);

/* The same over TCP, on loopback. */
int rig_connect_port(unsigned port);

/* CLOCK_MONOTONIC. */
double rig_now_us(void);
void rig_pause_ms(unsigned ms);

/* Says what is wrong and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void rig_fail(const char *format, ...);

#endif
