#include "options.h"

#include "common/exit_codes.h"

#include <assert.h>
#include <stdio.h>

static_assert((int)DAEMON_FILES_MAX == (int)CONFIG_FILES_MAX, "as many as can be read");

static const char usage[] =
    "Usage: shipahoyd [OPTION]...\n"
    "The Ship Ahoy table controller: reads the sensors of the table, applies the rules of the\n"
    "game and publishes it over MQTT. Runs in the foreground and logs to stderr.\n"
    "\n"
    "  --config FILE    read this configuration; may be given several times, later files\n"
    "                   override earlier ones (default /etc/shipahoy/shipahoy.ini)\n"
    "  --check          check the configuration, report all problems, and stop\n"
    "  --state-dir DIR  keep games here (default $STATE_DIRECTORY, else /var/lib/shipahoy)\n"
    "  --replay FILE    replay a recording of edges ([hw] record) with this configuration, print\n"
    "                   the game that follows from it, and stop; no games are touched, no broker\n"
    "                   is asked\n"
    "  --game FILE      with --replay: take what people said from the record of this game\n"
    "  --version        print the version and stop\n"
    "  --help           print this and stop\n";

static const struct option long_options[] = {
    DAEMON_OPTIONS,
    {"replay", required_argument, NULL, 'r'},
    {"game", required_argument, NULL, 'g'},
    {0},
};

static void take(void *self, int option)
{
    struct options *options = self;

    if (option == 'r') {
        options->recording = optarg;
    } else {
        options->journal = optarg;
    }
}

bool options_read(int argc, char **argv, struct options *options, int *exit_code)
{
    struct daemon_program program = {
        .name = "shipahoyd",
        .usage = usage,
        .state_directory = "/var/lib/shipahoy",
        .options = long_options,
        .take = take,
        .self = options,
    };

    *options = (struct options){0};
    if (!daemon_options_read(argc, argv, &program, &options->daemon, exit_code)) {
        return false;
    }
    *exit_code = EXIT_USAGE;
    if (!daemon_options_end(argc, argv, &program)) {
        return false;
    }
    if (options->journal && !options->recording) {
        fputs("shipahoyd: --game goes with --replay; see shipahoyd --help\n", stderr);
        return false;
    }
    snprintf(options->paired, sizeof options->paired, "%s/%s", options->daemon.state_directory,
             PAIRED_NAME);
    return true;
}
