/* check: what is wrong with a configuration, or with score sheets. */
#include "ctl.h"
#include "sheet/sheet.h"

static void print_problem(void *path, int line, const char *message)
{
    config_print_problem(stderr, path, line, message);
}

/* Checks the files that are score sheets and lists the others. Returns the number of problems. */
static int check_sheets(char *const *files, size_t count, const char **others, size_t *other_count)
{
    int problems = 0;

    for (size_t i = 0; i < count; i++) {
        struct sheet sheet;
        if (!sheet_is_sheet(files[i])) {
            others[(*other_count)++] = files[i];
        } else {
            problems += sheet_read_file(files[i], &sheet, print_problem, files[i]);
        }
    }
    return problems;
}

int ctl_check(const struct call *call)
{
    const char *others[CONFIG_FILES_MAX];
    const char *const *files = others;
    size_t all = (size_t)call->count;
    size_t count = 0;
    struct config config;

    if (all > CONFIG_FILES_MAX) {
        return ctl_usage_error("at most %d files", CONFIG_FILES_MAX);
    }
    int problems = check_sheets(call->words, all, others, &count);
    if (all == 0) {
        all = count = options_files(call->options, &files);
    }
    problems += config_load(files, count, &config, config_print_problem, stderr);
    if (problems) {
        return EXIT_CONFIG;
    }
    if (config_check_files(&config.mqtt, config_print_problem, stderr)) {
        return EXIT_UNAVAILABLE;
    }
    if (all == 0) {
        puts("There is no configuration to check: the defaults apply. Name a file, or use "
             "--config.");
        return EXIT_FINE;
    }
    printf("%zu file%s, no problems.\n", all, all == 1 ? "" : "s");
    return EXIT_FINE;
}
