/* What the command line of a random player asks for. */
#ifndef TESTS_RANDOM_WISHES_H
#define TESTS_RANDOM_WISHES_H

#include <stdint.h>

enum { EXIT_USAGE = 64, WISHES_READ = -1 };

struct wishes {
    uint64_t seed;
    uint64_t steps;
    const char *replay; /* a file to be judged instead; NULL: play */
};

/*
 * Reads --seed, --steps and --replay over what the wishes are already. WISHES_READ, or the exit
 * code after the usage was told, as --help wants it and mistakes deserve it.
 */
int wishes_read(int argc, char **argv, const char *usage, struct wishes *wishes);

#endif
