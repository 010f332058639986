/* check: what is wrong with a configuration. */
#include "ctl.h"

int ctl_check(const struct call *call)
{
    const char *const *files = (const char *const *)call->words;
    size_t count = (size_t)call->count;
    struct config config;

    if (count == 0) {
        count = options_files(call->options, &files);
    }
    if (count > CONFIG_FILES_MAX) {
        return ctl_usage_error("at most %d files", CONFIG_FILES_MAX);
    }
    if (config_load(files, count, &config, config_print_problem, stderr)) {
        return EXIT_CONFIG;
    }
    if (config_check_files(&config.mqtt, config_print_problem, stderr)) {
        return EXIT_UNAVAILABLE;
    }
    if (count == 0) {
        puts("There is no configuration to check: the defaults apply. Name a file, or use "
             "--config.");
        return EXIT_FINE;
    }
    printf("%zu file%s, no problems.\n", count, count == 1 ? "" : "s");
    return EXIT_FINE;
}
