#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_count(const char *text, uint64_t *count)
{
    char *end;

    errno = 0;
    *count = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

int options_read(int argc, char **argv, const char *usage, struct options *options)
{
    static const struct option known[] = {
        {"seed", required_argument, NULL, 's'},
        {"steps", required_argument, NULL, 'n'},
        {"replay", required_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    bool fits = true;

    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 's':
            fits = fits && read_count(optarg, &options->seed);
            break;
        case 'n':
            fits = fits && read_count(optarg, &options->steps);
            break;
        case 'r':
            options->replay = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        default:
            fits = false;
        }
    }
    if (!fits || optind < argc) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    return OPTIONS_READ;
}
