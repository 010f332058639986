/* The command line of the random players. */
#ifndef RANDOM_OPTIONS_H
#define RANDOM_OPTIONS_H

#include <stdint.h>

enum { EXIT_USAGE = 64, OPTIONS_READ = -1 };

struct options {
    uint64_t seed;
    uint64_t steps;
    const char *replay; /* a file to be checked instead; NULL: play */
};

/* Reads --seed, --steps and --replay. OPTIONS_READ, or the exit code after printing the usage. */
int options_read(int argc, char **argv, const char *usage, struct options *options);

#endif
