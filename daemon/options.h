/* The command line of shipahoyd. */
#ifndef DAEMON_OPTIONS_H
#define DAEMON_OPTIONS_H

#include "config/config.h"

#include <stdbool.h>

/* In the state directory; read after all other files. */
#define PAIRED_NAME "paired.ini"
enum { OPTIONS_PATH_SIZE = 4096 };

struct options {
    const char *files[CONFIG_FILES_MAX];
    size_t file_count;
    const char *state_directory;
    char paired[OPTIONS_PATH_SIZE]; /* the file with paired sensors, in that directory */
    bool check;
    const char *recording; /* to be judged again, or NULL */
    const char *journal;   /* the record of the game of then, or NULL */
};

/* True and the options, or false and how to end the program (help and version are printed). */
bool options_read(int argc, char **argv, struct options *options, int *exit_code);

#endif
