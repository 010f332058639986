#include "options.h"

#include "common/exit_codes.h"
#include "common/option_error.h"
#include "rules/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TIMEOUT_MS = 5000,
    TIMEOUT_S_MAX = 3600,
    HELP_COLUMN = 24,
    FIRST_OPTION = 256,
    HELPS_MAX = 2
};

static const char default_file[] = "/etc/shipahoy/shipahoy.ini";

#define LONG_OPTION(name, word, value, ...)                                                        \
    {(word), sizeof(value) > 1 ? required_argument : no_argument, NULL,                            \
     FIRST_OPTION + OPTION_##name},
#define HELP_ROW(name, word, value, ...) {(word), (value), {__VA_ARGS__}},

static const struct option long_options[] = {CTL_OPTIONS(LONG_OPTION){0}};

static const struct {
    const char *word;
    const char *value;
    struct {
        const char *text;
        int of;
    } helps[HELPS_MAX];
} help_rows[OPTION_COUNT] = {CTL_OPTIONS(HELP_ROW)};

static int owners_of(unsigned id)
{
    int of = 0;

    for (unsigned i = 0; i < HELPS_MAX; i++) {
        of |= help_rows[id].helps[i].of;
    }
    return of;
}

static bool take(struct options *options, enum option_id id, const char *value)
{
    options->values[id] = value ? value : "";
    options->last_read |= bit(id);
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

static bool is_negative(const char *word)
{
    return word[0] == '-' && (isdigit((unsigned char)word[1]) || word[1] == '.');
}

/* Reads the options up to the next word, or to the end. False after printing what is wrong. */
static bool read_up_to_word(int argc, char **argv, struct options *options)
{
    while (optind == 0 || optind >= argc || !is_negative(argv[optind])) {
        int id = getopt_long(argc, argv, "+:", long_options, NULL);
        if (id == -1) {
            return true;
        }
        if (id < FIRST_OPTION) {
            option_error("shipahoyctl", long_options, id, argv);
            return false;
        }
        if (!take(options, (enum option_id)(id - FIRST_OPTION), optarg)) {
            return false;
        }
    }
    return true;
}

int options_read(int argc, char **argv, bool stop_at_word, struct options *options)
{
    int count = 0; /* of the words, which are put where options have been read already */
    bool are_words = false;

    options->last_read = 0;
    opterr = 0;
    optind = 0; /* begin anew: glibc also forgets where it was in a word */
    while (optind < argc) {
        int before = optind;
        if (!are_words && !read_up_to_word(argc, argv, options)) {
            return -1;
        }
        are_words |= optind > before && strcmp(argv[optind - 1], "--") == 0;
        if (stop_at_word) {
            return optind;
        }
        if (optind < argc) {
            argv[1 + count++] = argv[optind++];
        }
    }
    memmove(argv + argc - count, argv + 1, (size_t)count * sizeof *argv);
    return argc - count;
}

const char *options_foreign(const struct options *options, int of, int *owners)
{
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if ((options->last_read & bit(id)) && !(owners_of(id) & of)) {
            *owners = owners_of(id);
            return help_rows[id].word;
        }
    }
    return NULL;
}

static void quote(struct text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ._/:@%+=-";
    const char *mark = word[0] && !word[strspn(word, plain)] ? "" : "'";

    text_add(text, mark);
    for (; *word; word++) {
        text_add_some(text, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    }
    text_add(text, mark);
}

static void add_option(struct text *text, unsigned id, const char *value)
{
    text_add(text, " --");
    text_add(text, help_rows[id].word);
    text_add(text, " ");
    quote(text, value);
}

void options_write_command(const struct options *options, const char *program, char *command,
                           size_t size)
{
    struct text text = text_begin(command, size);

    quote(&text, program);
    for (size_t i = 0; i < options->file_count; i++) {
        add_option(&text, OPTION_CONFIG, options->files[i]);
    }
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if (options->values[id] && help_rows[id].value[0] && (owners_of(id) & OF_PROGRAM)) {
            add_option(&text, id, options->values[id]);
        }
    }
}

static void print_name(FILE *file, unsigned id)
{
    int column = fprintf(file, "  --%s%s%s", help_rows[id].word, help_rows[id].value[0] ? " " : "",
                         help_rows[id].value);

    fprintf(file, "%*s", column < HELP_COLUMN ? HELP_COLUMN - column : 1, "");
}

void options_print(FILE *file, int of)
{
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        for (unsigned i = 0; i < HELPS_MAX; i++) {
            if (help_rows[id].helps[i].of & of) {
                print_name(file, id);
                fprintf(file, "%s\n", help_rows[id].helps[i].text);
            }
        }
    }
}

void options_print_all(FILE *file, void (*list_owners)(int of, char *list, size_t size))
{
    char list[OPTION_OWNERS_SIZE];

    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        print_name(file, id);
        for (unsigned i = 0; i < HELPS_MAX && help_rows[id].helps[i].text; i++) {
            int of = help_rows[id].helps[i].of;
            fputs(i > 0 ? "; " : "", file);
            if (of != OF_ANY && !(of & OF_PROGRAM)) {
                list_owners(of, list, sizeof list);
                fprintf(file, "%s: ", list);
            }
            fputs(help_rows[id].helps[i].text, file);
        }
        fputs("\n", file);
    }
}

size_t options_files(const struct options *options, const char *const **files)
{
    static const char *const default_files[] = {default_file};

    *files = options->file_count ? options->files : default_files;
    return options->file_count ? options->file_count : access(default_file, F_OK) == 0;
}

static bool override_text(char *text, size_t size, const char *value)
{
    return !value || (size_t)snprintf(text, size, "%s", value) < size;
}

static bool override_port(uint16_t *port, const char *value)
{
    char *end;
    unsigned long number = value ? strtoul(value, &end, 10) : *port;

    if (value && (*end || number == 0 || number > UINT16_MAX)) {
        return false;
    }
    *port = (uint16_t)number;
    return true;
}

static bool apply_options(const struct options *options, struct config *config)
{
    const char *const *values = options->values;
    struct mqtt_config *mqtt = &config->mqtt;

    return override_text(mqtt->host, sizeof mqtt->host, values[OPTION_HOST]) &&
           override_port(&mqtt->port, values[OPTION_PORT]) &&
           override_text(mqtt->prefix, sizeof mqtt->prefix, values[OPTION_PREFIX]) &&
           override_text(config->table, sizeof config->table, values[OPTION_TABLE]) &&
           override_text(config->hw.socket, sizeof config->hw.socket, values[OPTION_SOCKET]) &&
           override_text(mqtt->username, sizeof mqtt->username, values[OPTION_USERNAME]) &&
           override_text(mqtt->password_file, sizeof mqtt->password_file,
                         values[OPTION_PASSWORD_FILE]) &&
           override_text(mqtt->tls_ca, sizeof mqtt->tls_ca, values[OPTION_TLS_CA]);
}

int options_configure(const struct options *options, struct config *config)
{
    const char *const *files;
    size_t count = options_files(options, &files);

    config_defaults(config);
    if (count && config_load(files, count, config, config_print_problem, stderr)) {
        return EXIT_CONFIG;
    }
    if (!apply_options(options, config)) {
        fputs("shipahoyctl: the value of an option is too long, or is not a port\n", stderr);
        return EXIT_USAGE;
    }
    return 0;
}

/* `state` in the folder of this file; false when there is none. */
static bool find_state_beside(const char *file, char directory[PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    int folder = slash ? (int)(slash - file) + 1 : 0;

    return snprintf(directory, PATH_MAX, "%.*sstate", folder, file) < PATH_MAX &&
           access(directory, X_OK) == 0;
}

void options_state_directory(const struct options *options, char directory[PATH_MAX])
{
    const char *given = options->values[OPTION_STATE_DIR];
    const char *by_systemd = getenv("STATE_DIRECTORY");

    if (!given && by_systemd && by_systemd[0]) {
        given = by_systemd;
    }
    if (given || !options->file_count || !find_state_beside(options->files[0], directory)) {
        snprintf(directory, PATH_MAX, "%s", given ? given : "/var/lib/shipahoy");
    }
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
