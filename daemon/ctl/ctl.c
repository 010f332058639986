#include "ctl.h"

#include "common/version.h"
#include "rules/nearest.h"

#include <stdarg.h>
#include <string.h>

static const struct subcommand {
    const char *name;
    const char *words;
    const char *help;
    subcommand_fn *run;
    int options; /* which are for it */
} subcommands[] = {
    {"check", "[FILE...]", "check a configuration and say all that is wrong with it", ctl_check,
     OF_CHECK},
    {"watch", "", "the scoreboard, live; plain lines when the output is no terminal", ctl_watch,
     OF_WATCH},
    {"send", "VERB [KEY=VALUE...]", "say one command to the table and print the answer", ctl_send,
     OF_SEND},
    {"sim", "WHAT...", "move simulated sensors; `sim` alone lists what there is", ctl_sim, OF_SIM},
    {"log", "[GAME|FILE]", "what happened in a game, by default the last one", ctl_log, OF_LOG},
    {"doctor", "", "every sensor, live: level, edges, health, and what to try", ctl_doctor,
     OF_DOCTOR},
    {"calibrate", "[KNOTS]", "learn from pulls of so many knots (5) how the rope counts",
     ctl_calibrate, OF_CALIBRATE},
};

enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static void print_usage(FILE *file)
{
    fputs("usage: shipahoyctl [OPTION...] SUBCOMMAND [OPTION...] [WORD...]\n\n", file);
    for (unsigned i = 0; i < SUBCOMMAND_COUNT; i++) {
        const char *words = subcommands[i].words;
        fprintf(file, "  %s%s%s\n      %s\n", subcommands[i].name, words[0] ? " " : "", words,
                subcommands[i].help);
    }
    fputs("\nOptions:\n", file);
    options_print(file, OF_ANY | OF_PROGRAM);
    fputs("\nExit codes: 0 fine, 1 refused or ill, 64 wrong usage, 69 broker, daemon or socket\n"
          "away, 70 internal error, 78 wrong configuration.\n",
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

static int run_subcommand(const struct subcommand *subcommand, int argc, char **argv,
                          struct options *options)
{
    struct call call = {.options = options};
    int first = options_read(argc, argv, false, options);

    if (first < 0 || !options_timeout_ms(options, &call.timeout_ms)) {
        return EXIT_USAGE;
    }
    if (options->values[OPTION_HELP]) {
        printf("usage: shipahoyctl %s [OPTION...] %s\n  %s\n\nOptions:\n", subcommand->name,
               subcommand->words, subcommand->help);
        options_print(stdout, subcommand->options);
        return EXIT_FINE;
    }
    call.words = argv + first;
    call.count = argc - first;
    return subcommand->run(&call);
}

int ctl_run(int argc, char **argv)
{
    struct options options = {0};
    int first = options_read(argc, argv, true, &options);

    if (first < 0) {
        return EXIT_USAGE;
    }
    if (options.values[OPTION_HELP]) {
        print_usage(stdout);
        return EXIT_FINE;
    }
    if (options.values[OPTION_VERSION]) {
        puts("shipahoyctl " SHIPAHOY_VERSION);
        return EXIT_FINE;
    }
    if (first == argc) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const struct subcommand *subcommand = subcommand_named(argv[first]);
    if (!subcommand) {
        return refuse_subcommand(argv[first]);
    }
    return run_subcommand(subcommand, argc - first, argv + first, &options);
}
