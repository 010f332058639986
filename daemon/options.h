/* The command line of shipahoyd. */
#ifndef DAEMON_OPTIONS_H
#define DAEMON_OPTIONS_H

#include "config/config.h"

#include <stdbool.h>

struct options {
    const char *files[CONFIG_FILES_MAX];
    size_t file_count;
    const char *state_directory;
    bool check;
    const char *recording; /* to be judged again, or NULL */
    const char *journal;   /* the record of the game of then, or NULL */
};

/* True and the options, or false and how to end the program (help and version are printed). */
bool options_read(int argc, char **argv, struct options *options, int *exit_code);

#endif
