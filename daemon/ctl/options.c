#include "options.h"

#include "common/exit_codes.h"
#include "common/option_error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_MS = 5000, TIMEOUT_S_MAX = 3600, HELP_COLUMN = 24, FIRST_OPTION = 256 };

static const char default_file[] = "/etc/shipahoy/shipahoy.ini";

#define LONG_OPTION(name, word, value, help)                                                       \
    {(word), sizeof(value) > 1 ? required_argument : no_argument, NULL,                            \
     FIRST_OPTION + OPTION_##name},
#define HELP_ROW(name, word, value, help) {(word), (value), (help)},

static const struct option long_options[] = {CTL_OPTIONS(LONG_OPTION){0}};

static const struct {
    const char *word;
    const char *value;
    const char *help;
} help_rows[OPTION_COUNT] = {CTL_OPTIONS(HELP_ROW)};

static bool take(struct options *options, enum option_id id, const char *value)
{
    options->values[id] = value ? value : "";
    if (id != OPTION_CONFIG) {
        return true;
    }
    if (options->file_count == CONFIG_FILES_MAX) {
        fprintf(stderr, "shipahoyctl: at most %d files with --config\n", CONFIG_FILES_MAX);
        return false;
    }
    options->files[options->file_count++] = value;
    return true;
}

int options_read(int argc, char **argv, bool words_end_options, struct options *options)
{
    const char *how = words_end_options ? "+:" : ":";
    int id;

    opterr = 0;
    optind = 0; /* begin anew: glibc also forgets where it was in a word */
    while ((id = getopt_long(argc, argv, how, long_options, NULL)) != -1) {
        if (id < FIRST_OPTION) {
            option_error("shipahoyctl", long_options, id, argv);
            return -1;
        }
        if (!take(options, (enum option_id)(id - FIRST_OPTION), optarg)) {
            return -1;
        }
    }
    return optind;
}

void options_print(FILE *file)
{
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        int column = fprintf(file, "  --%s%s%s", help_rows[id].word,
                             help_rows[id].value[0] ? " " : "", help_rows[id].value);
        fprintf(file, "%*s%s\n", column < HELP_COLUMN ? HELP_COLUMN - column : 1, "",
                help_rows[id].help);
    }
}

size_t options_files(const struct options *options, const char *const **files)
{
    static const char *const default_files[] = {default_file};

    *files = options->file_count ? options->files : default_files;
    return options->file_count ? options->file_count : access(default_file, F_OK) == 0;
}

static bool lay_over(char *text, size_t size, const char *value)
{
    return !value || (size_t)snprintf(text, size, "%s", value) < size;
}

static bool lay_port_over(uint16_t *port, const char *value)
{
    char *end;
    unsigned long number = value ? strtoul(value, &end, 10) : *port;

    if (value && (*end || number == 0 || number > UINT16_MAX)) {
        return false;
    }
    *port = (uint16_t)number;
    return true;
}

static bool lay_options_over(const struct options *options, struct config *config)
{
    const char *const *values = options->values;
    struct mqtt_config *mqtt = &config->mqtt;

    return lay_over(mqtt->host, sizeof mqtt->host, values[OPTION_HOST]) &&
           lay_port_over(&mqtt->port, values[OPTION_PORT]) &&
           lay_over(mqtt->prefix, sizeof mqtt->prefix, values[OPTION_PREFIX]) &&
           lay_over(config->table, sizeof config->table, values[OPTION_TABLE]) &&
           lay_over(config->hw.socket, sizeof config->hw.socket, values[OPTION_SOCKET]) &&
           lay_over(mqtt->username, sizeof mqtt->username, values[OPTION_USERNAME]) &&
           lay_over(mqtt->password_file, sizeof mqtt->password_file,
                    values[OPTION_PASSWORD_FILE]) &&
           lay_over(mqtt->tls_ca, sizeof mqtt->tls_ca, values[OPTION_TLS_CA]);
}

int options_configure(const struct options *options, struct config *config)
{
    const char *const *files;
    size_t count = options_files(options, &files);

    config_defaults(config);
    if (count && config_load(files, count, config, config_print_problem, stderr)) {
        return EXIT_CONFIG;
    }
    if (!lay_options_over(options, config)) {
        fputs("shipahoyctl: the value of an option is too long, or is no port\n", stderr);
        return EXIT_USAGE;
    }
    return 0;
}

const char *options_state_directory(const struct options *options)
{
    const char *given = options->values[OPTION_STATE_DIR];
    const char *by_systemd = getenv("STATE_DIRECTORY");

    if (given) {
        return given;
    }
    return by_systemd && by_systemd[0] ? by_systemd : "/var/lib/shipahoy";
}

bool options_timeout_ms(const struct options *options, unsigned *timeout_ms)
{
    const char *text = options->values[OPTION_TIMEOUT];
    char *end;
    double seconds = text ? strtod(text, &end) : 0;

    if (text && (end == text || *end || !(seconds > 0 && seconds <= TIMEOUT_S_MAX))) {
        fprintf(stderr, "shipahoyctl: --timeout %s: not a number of seconds up to %d\n", text,
                TIMEOUT_S_MAX);
        return false;
    }
    *timeout_ms = text ? (unsigned)(seconds * 1000) : TIMEOUT_MS;
    return true;
}
