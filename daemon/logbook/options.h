/* The command line of shipahoy-logbook. */
#ifndef LOGBOOK_OPTIONS_H
#define LOGBOOK_OPTIONS_H

#include "common/daemon_options.h"

struct options {
    struct daemon_options daemon;
    const char *export_format; /* csv or json; NULL: no export */
    const char *export_directory;
    const char *backup_file; /* NULL: no backup */
};

/* True and the options, or false and how to end the program (help and version are printed). */
bool options_read(int argc, char **argv, struct options *options, int *exit_code);

#endif
