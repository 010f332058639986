#include "options.h"

#include "common/exit_codes.h"
#include "common/option_error.h"
#include "common/version.h"

#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "Usage: shipahoyd [OPTION]...\n"
    "The Ship Ahoy table controller: reads the sensors of the table, applies the rules of the\n"
    "game and publishes it over MQTT. Runs in the foreground and logs to stderr.\n"
    "\n"
    "  --config FILE    read this configuration; may be given several times, later files\n"
    "                   override earlier ones (default /etc/shipahoy/shipahoy.ini)\n"
    "  --check          check the configuration, tell all its problems, and stop\n"
    "  --state-dir DIR  keep games here (default $STATE_DIRECTORY, else /var/lib/shipahoy)\n"
    "  --replay FILE    judge a recording of edges ([hw] record) by this configuration, print the\n"
    "                   game that follows from it, and stop; no games are touched, no broker "
    "asked\n"
    "  --game FILE      with --replay: take what people said from the record of this game\n"
    "  --version        print the version and stop\n"
    "  --help           print this and stop\n";

static const struct option long_options[] = {
    {"config", required_argument, NULL, 'c'},
    {"check", no_argument, NULL, 'k'},
    {"state-dir", required_argument, NULL, 's'},
    {"replay", required_argument, NULL, 'r'},
    {"game", required_argument, NULL, 'g'},
    {"version", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const char *default_state_directory(void)
{
    const char *directory = getenv("STATE_DIRECTORY");

    return directory && directory[0] ? directory : "/var/lib/shipahoy";
}

static bool add_file(struct options *options, const char *file)
{
    if (options->file_count == CONFIG_FILES_MAX) {
        fprintf(stderr, "shipahoyd: at most %d configuration files\n", CONFIG_FILES_MAX);
        return false;
    }
    options->files[options->file_count++] = file;
    return true;
}

/* False ends the program with *exit_code. */
static bool take_option(int option, struct options *options, int *exit_code)
{
    switch (option) {
    case 'c':
        *exit_code = EXIT_USAGE;
        return add_file(options, optarg);
    case 'k':
        options->check = true;
        return true;
    case 's':
        options->state_directory = optarg;
        return true;
    case 'r':
        options->recording = optarg;
        return true;
    case 'g':
        options->journal = optarg;
        return true;
    case 'v':
        printf("shipahoyd %s\n", SHIPAHOY_VERSION);
        *exit_code = EXIT_FINE;
        return false;
    case 'h':
        fputs(usage, stdout);
        *exit_code = EXIT_FINE;
        return false;
    default:
        *exit_code = EXIT_USAGE;
        return false;
    }
}

bool options_read(int argc, char **argv, struct options *options, int *exit_code)
{
    int option;

    *options = (struct options){.state_directory = default_state_directory()};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            option_error("shipahoyd", long_options, option, argv);
        }
        if (!take_option(option, options, exit_code)) {
            return false;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "shipahoyd: unexpected argument %s; see shipahoyd --help\n", argv[optind]);
        *exit_code = EXIT_USAGE;
        return false;
    }
    if (options->journal && !options->recording) {
        fputs("shipahoyd: --game goes with --replay; see shipahoyd --help\n", stderr);
        *exit_code = EXIT_USAGE;
        return false;
    }
    snprintf(options->paired, sizeof options->paired, "%s/%s", options->state_directory,
             PAIRED_NAME);
    if (options->file_count == 0) {
        add_file(options, "/etc/shipahoy/shipahoy.ini");
    }
    return true;
}
