/*
 * config_docs sample|reference|man: writes config/shipahoy.ini, docs/configuration.md or
 * docs/man/shipahoy.ini.5 to stdout.
 */
#include "config/config.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";

    if (strcmp(what, "sample") == 0) {
        return config_write_sample(stdout) ? EX_IOERR : EXIT_SUCCESS;
    }
    if (strcmp(what, "reference") == 0) {
        return config_write_reference(stdout) ? EX_IOERR : EXIT_SUCCESS;
    }
    if (strcmp(what, "man") == 0) {
        return config_write_man(stdout) ? EX_IOERR : EXIT_SUCCESS;
    }
    fprintf(stderr, "usage: config_docs sample|reference|man\n");
    return EX_USAGE;
}
