/* config_docs sample|reference: writes config/shipahoy.ini or docs/configuration.md to stdout. */
#include "config.h"

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
    fprintf(stderr, "usage: config_docs sample|reference\n");
    return EX_USAGE;
}
