#include "ctl.h"

#include "common/version.h"
#include "rules/nearest.h"
#include "rules/text.h"

#include <stdarg.h>
#include <string.h>

static const struct subcommand {
    const char *name;
    const char *words;
    const char *help;
    subcommand_fn *run;
    int options; /* which are for it */
} subcommands[] = {
    {"check", "[FILE...]", "check a configuration and list every problem", ctl_check, OF_CHECK},
    {"watch", "", "the live scoreboard; plain lines when the output is not a terminal", ctl_watch,
     OF_WATCH},
    {"send", "VERB [KEY=VALUE...]", "send one command to the table and print the reply", ctl_send,
     OF_SEND},
    {"sim", "WHAT...", "move simulated sensors; `sim` alone lists the movements", ctl_sim, OF_SIM},
    {"log", "[GAME|FILE]", "the events of a game, by default the last one", ctl_log, OF_LOG},
    {"games", "[KEY=VALUE...]",
     "the games in the logbook or, without one, those that the table still has", ctl_games,
     OF_BOOK},
    {"stats", "[PLAYER]", "the statistics of all players or of one, from the logbook", ctl_stats,
     OF_BOOK},
    {"players", "[merge PLAYER INTO|unmerge PLAYER]",
     "list the players of the logbook; merge two spellings of a name, or undo that", ctl_players,
     OF_BOOK},
    {"doctor", "", "live readings of every sensor, with advice for faulty ones", ctl_doctor,
     OF_DOCTOR},
    {"calibrate", "[KNOTS]", "measure how the rope counts, with pulls of KNOTS knots (5)",
     ctl_calibrate, OF_CALIBRATE},
    {"pair", "SENSOR", "find the radio sensor of a piece: tip it over and stand it up again",
     ctl_pair, OF_PAIR},
    {"unpair", "SENSOR", "forget what was paired with a sensor", ctl_unpair, OF_PAIR},
    {"backup", "FILE",
     "write games, logbook, users, configuration and certificates of this machine into a file",
     ctl_backup, OF_BACKUP},
    {"restore", "[FILE]",
     "replace all that a backup holds by it, or complete an interrupted restore", ctl_restore,
     OF_RESTORE},
};

enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0], COMMAND_SIZE = 8192 };

/* The names of the subcommands that have such options; nothing if none has. */
static void list_owners(int of, char *list, size_t size)
{
    struct text text = text_begin(list, size);

    for (unsigned i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (subcommands[i].options & of) {
            text_add(&text, text.length ? ", " : "");
            text_add(&text, subcommands[i].name);
        }
    }
}

static void print_usage(FILE *file)
{
    fputs("usage: shipahoyctl [OPTION...] SUBCOMMAND [OPTION...] [WORD...]\n\n", file);
    for (unsigned i = 0; i < SUBCOMMAND_COUNT; i++) {
        const char *words = subcommands[i].words;
        fprintf(file, "  %s%s%s\n      %s\n", subcommands[i].name, words[0] ? " " : "", words,
                subcommands[i].help);
    }
    fputs("\nOptions:\n", file);
    options_print_all(file, list_owners);
    fputs(
        "\nExit codes: 0 success, 1 refused or a faulty sensor, 64 wrong usage, 69 broker, daemon\n"
        "or socket not available, 70 internal error, 78 configuration error.\n",
        file);
}

int ctl_usage_error(const char *format, ...)
{
    va_list arguments;

    fputs("shipahoyctl: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("; see shipahoyctl --help\n", stderr);
    return EXIT_USAGE;
}

static const struct subcommand *subcommand_named(const char *name)
{
    for (unsigned i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(subcommands[i].name, name) == 0) {
            return &subcommands[i];
        }
    }
    return NULL;
}

static int refuse_subcommand(const char *name)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned i = 0; i < SUBCOMMAND_COUNT; i++) {
        nearest_offer(&nearest, subcommands[i].name);
    }
    return ctl_usage_error("%s: no such subcommand%s%s", name,
                           nearest.best ? "; the nearest is " : "",
                           nearest.best ? nearest.best : "");
}

/* An option that was read last and is of none of these, with the subcommands that have it. */
static bool refuse_option(const struct options *options, const struct subcommand *subcommand,
                          int of)
{
    char list[OPTION_OWNERS_SIZE];
    int owners = 0;
    const char *option = options_foreign(options, of, &owners);

    list_owners(owners, list, sizeof list);
    if (option) {
        ctl_usage_error("--%s is not an option of %s%s%s", option, subcommand->name,
                        list[0] ? ", only of " : "", list);
    }
    return option;
}

static void print_subcommand_usage(const struct subcommand *subcommand)
{
    printf("usage: shipahoyctl %s [OPTION...]%s%s\n  %s\n\nOptions:\n", subcommand->name,
           subcommand->words[0] ? " " : "", subcommand->words, subcommand->help);
    options_print(stdout, subcommand->options);
}

/* argv begins with the subcommand. */
static int run_subcommand(const struct subcommand *subcommand, const char *program, int argc,
                          char **argv, struct options *options)
{
    char command[COMMAND_SIZE];
    struct call call = {.options = options, .command = command};

    if (refuse_option(options, subcommand, subcommand->options | OF_PROGRAM)) {
        return EXIT_USAGE;
    }
    int first = options_read(argc, argv, false, options);
    if (first < 0 || refuse_option(options, subcommand, subcommand->options) ||
        !options_timeout_ms(options, &call.timeout_ms)) {
        return EXIT_USAGE;
    }
    if (options->values[OPTION_HELP]) {
        print_subcommand_usage(subcommand);
        return EXIT_FINE;
    }
    options_write_command(options, program, command, sizeof command);
    call.words = argv + first;
    call.count = argc - first;
    return subcommand->run(&call);
}

/* `help` and `help SUBCOMMAND`, which people type although --help is documented. */
static int print_help(const char *name)
{
    const struct subcommand *subcommand = name ? subcommand_named(name) : NULL;

    if (name && !subcommand) {
        return refuse_subcommand(name);
    }
    if (subcommand) {
        print_subcommand_usage(subcommand);
    } else {
        print_usage(stdout);
    }
    return EXIT_FINE;
}

int ctl_run(int argc, char **argv)
{
    struct options options = {0};
    int first = options_read(argc, argv, true, &options);

    if (first < 0) {
        return EXIT_USAGE;
    }
    if (options.values[OPTION_HELP]) {
        return print_help(NULL);
    }
    if (options.values[OPTION_VERSION]) {
        puts("shipahoyctl " SHIPAHOY_VERSION);
        return EXIT_FINE;
    }
    if (first == argc) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[first], "help") == 0) {
        return print_help(argv[first + 1]);
    }
    const struct subcommand *subcommand = subcommand_named(argv[first]);
    if (!subcommand) {
        return refuse_subcommand(argv[first]);
    }
    return run_subcommand(subcommand, argv[0], argc - first, argv + first, &options);
}
