#include "options.h"

#include "common/exit_codes.h"
#include "common/option_error.h"
#include "common/version.h"

#include <stdio.h>
#include <stdlib.h>
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
    {"config", required_argument, NULL, 'c'},
    {"check", no_argument, NULL, 'k'},
    {"state-dir", required_argument, NULL, 's'},
    {"export", required_argument, NULL, 'e'},
    {"backup", required_argument, NULL, 'b'},
    {"version", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static bool add_file(struct options *options, const char *file)
{
    if (options->file_count == CONFIG_FILES_MAX) {
        fprintf(stderr, "shipahoy-logbook: at most %d configuration files\n", CONFIG_FILES_MAX);
        return false;
    }
    options->files[options->file_count++] = file;
    return true;
}

/* False ends the program with *exit_code. */
static bool take_option(int option, struct options *options, int *exit_code)
{
    *exit_code = EXIT_USAGE;
    switch (option) {
    case 'c':
        return add_file(options, optarg);
    case 'k':
        options->check = true;
        return true;
    case 's':
        options->state_directory = optarg;
        return true;
    case 'e':
        options->export_format = optarg;
        return true;
    case 'b':
        options->backup_file = optarg;
        return true;
    case 'v':
        printf("shipahoy-logbook %s\n", SHIPAHOY_VERSION);
        *exit_code = EXIT_FINE;
        return false;
    case 'h':
        fputs(usage, stdout);
        *exit_code = EXIT_FINE;
        return false;
    default:
        return false;
    }
}

/* What follows the options: the directory of an export. */
static bool take_arguments(int argc, char **argv, struct options *options)
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
    if (optind < argc) {
        fprintf(stderr, "shipahoy-logbook: unexpected argument %s; see shipahoy-logbook --help\n",
                argv[optind]);
        return false;
    }
    return true;
}

static const char *default_state_directory(void)
{
    const char *directory = getenv("STATE_DIRECTORY");

    return directory && directory[0] ? directory : "/var/lib/shipahoy-logbook";
}

bool options_read(int argc, char **argv, struct options *options, int *exit_code)
{
    int option;

    *options = (struct options){.state_directory = default_state_directory()};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            option_error("shipahoy-logbook", long_options, option, argv);
        }
        if (!take_option(option, options, exit_code)) {
            return false;
        }
    }
    if (!take_arguments(argc, argv, options)) {
        *exit_code = EXIT_USAGE;
        return false;
    }
    if (options->file_count == 0) {
        add_file(options, "/etc/shipahoy/shipahoy.ini");
    }
    return true;
}
