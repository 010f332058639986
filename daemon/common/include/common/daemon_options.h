/* The command line of a daemon: the options that all daemons have, and those of one program. */
#ifndef COMMON_DAEMON_OPTIONS_H
#define COMMON_DAEMON_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

enum { DAEMON_FILES_MAX = 8 };

struct daemon_options {
    const char *files[DAEMON_FILES_MAX]; /* of the configuration, later ones override */
    size_t file_count;
    const char *state_directory;
    bool check;
};

/* The first rows of program->options; the values of further rows are other letters. */
#define DAEMON_OPTIONS                                                                             \
    {"config", required_argument, NULL, 'c'}, {"check", no_argument, NULL, 'k'},                   \
        {"state-dir", required_argument, NULL, 's'}, {"version", no_argument, NULL, 'v'},          \
    {                                                                                              \
        "help", no_argument, NULL, 'h'                                                             \
    }

struct daemon_program {
    const char *name;
    const char *usage;
    const char *state_directory; /* unless systemd or an option names one */
    const struct option *options;
    void (*take)(void *self, int option); /* an option of this program alone, with optarg */
    void *self;
};

/*
 * True and the options, with optind at the first argument that is none; or false and how to end the
 * program (help, version or the error are printed).
 */
bool daemon_options_read(int argc, char **argv, const struct daemon_program *program,
                         struct daemon_options *options, int *exit_code);

/* True if no argument is left, or false with an error printed. */
bool daemon_options_end(int argc, char **argv, const struct daemon_program *program);

#endif
