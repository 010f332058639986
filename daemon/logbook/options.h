/* The command line of shipahoy-logbook. */
#ifndef LOGBOOK_OPTIONS_H
#define LOGBOOK_OPTIONS_H

#include "config/config.h"

struct options {
    const char *files[CONFIG_FILES_MAX];
    size_t file_count;
    const char *state_directory;
    bool check;
    const char *export_format; /* csv or json; NULL: no export */
    const char *export_directory;
    const char *backup_file; /* NULL: no backup */
};

/* True and the options, or false and how to end the program (help and version are printed). */
bool options_read(int argc, char **argv, struct options *options, int *exit_code);

#endif
