#include "common/daemon_options.h"

#include "common/exit_codes.h"
#include "common/option_error.h"
#include "common/version.h"

#include <stdio.h>
#include <stdlib.h>

static bool add_file(const struct daemon_program *program, struct daemon_options *options,
                     const char *file)
{
    if (options->file_count == DAEMON_FILES_MAX) {
        fprintf(stderr, "%s: at most %d configuration files\n", program->name, DAEMON_FILES_MAX);
        return false;
    }
    options->files[options->file_count++] = file;
    return true;
}

/* False ends the program with *exit_code. */
static bool take_option(int option, const struct daemon_program *program,
                        struct daemon_options *options, int *exit_code)
{
    *exit_code = EXIT_USAGE;
    switch (option) {
    case 'c':
        return add_file(program, options, optarg);
    case 'k':
        options->check = true;
        return true;
    case 's':
        options->state_directory = optarg;
        return true;
    case 'v':
        printf("%s %s\n", program->name, SHIPAHOY_VERSION);
        *exit_code = EXIT_FINE;
        return false;
    case 'h':
        fputs(program->usage, stdout);
        *exit_code = EXIT_FINE;
        return false;
    case '?':
    case ':':
        return false;
    default:
        program->take(program->self, option);
        return true;
    }
}

bool daemon_options_read(int argc, char **argv, const struct daemon_program *program,
                         struct daemon_options *options, int *exit_code)
{
    const char *directory = getenv("STATE_DIRECTORY");
    int option;

    *options = (struct daemon_options){
        .state_directory = directory && directory[0] ? directory : program->state_directory};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", program->options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            option_error(program->name, program->options, option, argv);
        }
        if (!take_option(option, program, options, exit_code)) {
            return false;
        }
    }
    if (options->file_count == 0) {
        add_file(program, options, "/etc/shipahoy/shipahoy.ini");
    }
    return true;
}

bool daemon_options_end(int argc, char **argv, const struct daemon_program *program)
{
    if (optind < argc) {
        fprintf(stderr, "%s: unexpected argument %s; see %s --help\n", program->name, argv[optind],
                program->name);
        return false;
    }
    return true;
}
