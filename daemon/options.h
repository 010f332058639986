/* The command line of shipahoyd. */
#ifndef DAEMON_OPTIONS_H
#define DAEMON_OPTIONS_H

#include "common/daemon_options.h"
#include "config/config.h"

/* In the state directory; read after all other files. */
#define PAIRED_NAME "paired.ini"
enum { OPTIONS_PATH_SIZE = 4096 };

struct options {
    struct daemon_options daemon;
    char paired[OPTIONS_PATH_SIZE]; /* the file with paired sensors, in the state directory */
    const char *recording;          /* to be judged again, or NULL */
    const char *journal;            /* the record of the game of then, or NULL */
};

/* True and the options, or false and how to end the program (help and version are printed). */
bool options_read(int argc, char **argv, struct options *options, int *exit_code);

#endif
