#include "options.h"

#include "common/exit_codes.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: shipahoy-logbook [OPTION]...\n"
    "Stores every game of every Ship Ahoy table of a broker in a database, and answers queries "
    "about\n"
    "games and players over MQTT. Runs in the foreground and logs to stderr.\n"
    "\n"
    "  --config FILE            read this configuration; may be given several times, later files\n"
    "                           override earlier ones (default /etc/shipahoy/shipahoy.ini)\n"
    "  --check                  check the configuration, report all problems, and stop\n"
    "  --state-dir DIR          keep the database here unless [logbook] database is set (default\n"
    "                           $STATE_DIRECTORY, else /var/lib/shipahoy-logbook)\n"
    "  --export csv|json DIR    write all games into files in this directory, and stop; the\n"
    "                           logbook may be running\n"
    "  --backup FILE            copy the database (SQLite) into a new file, and stop; the logbook "
    "may\n"
    "                           be running\n"
    "  --version                print the version and stop\n"
    "  --help                   print this and stop\n";

static const struct option long_options[] = {
    DAEMON_OPTIONS,
    {"export", required_argument, NULL, 'e'},
    {"backup", required_argument, NULL, 'b'},
    {0},
};

static void take(void *self, int option)
{
    struct options *options = self;

    if (option == 'e') {
        options->export_format = optarg;
    } else {
        options->backup_file = optarg;
    }
}

/* What follows --export: a directory. */
static bool take_directory(int argc, char **argv, struct options *options)
{
    const char *format = options->export_format;

    if (format && strcmp(format, "csv") != 0 && strcmp(format, "json") != 0) {
        fprintf(stderr, "shipahoy-logbook: --export %s: expected csv or json\n", format);
        return false;
    }
    if (format && optind < argc) {
        options->export_directory = argv[optind++];
    }
    if (format && !options->export_directory) {
        fputs("shipahoy-logbook: --export needs a directory; see shipahoy-logbook --help\n",
              stderr);
        return false;
    }
    return true;
}

bool options_read(int argc, char **argv, struct options *options, int *exit_code)
{
    struct daemon_program program = {
        .name = "shipahoy-logbook",
        .usage = usage,
        .state_directory = "/var/lib/shipahoy-logbook",
        .options = long_options,
        .take = take,
        .self = options,
    };

    *options = (struct options){0};
    if (!daemon_options_read(argc, argv, &program, &options->daemon, exit_code)) {
        return false;
    }
    *exit_code = EXIT_USAGE;
    return take_directory(argc, argv, options) && daemon_options_end(argc, argv, &program);
}
