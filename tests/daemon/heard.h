/* A configuration that a test has read, with all that was said about it. */
#ifndef TESTS_DAEMON_HEARD_H
#define TESTS_DAEMON_HEARD_H

#include "config/config.h"

enum { HEARD_SIZE = 16384 };

struct heard {
    struct config config;
    int result;
    char problems[HEARD_SIZE]; /* one a line, as config_print_problem prints them */
};

/* Reads text as a file that is called `t`; for bytes it may hold anything. */
void hear(struct heard *heard, const char *text);
void hear_bytes(struct heard *heard, const char *bytes, size_t size);
void hear_files(struct heard *heard, const char *const *files, size_t count);

/* That the text has exactly these problems. */
void assert_problems(const char *text, const char *problems);

/* The changes from one configuration to another: `[section] key: effect`, one a line. */
const char *changes_between(const struct config *old, const struct config *new, unsigned *effects,
                            char changes[HEARD_SIZE]);

#endif
