/* Files in, configuration out. */
#include "config_internal.h"

#include "rules/nearest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_SIZE = 64 };

static struct parser *begin(const char *const *files, config_problem_fn *problem, void *context);
static void read_file(struct parser *parser, unsigned file);
static struct ini_handler begin_file(struct parser *parser, unsigned file);
static int end(struct parser *parser, struct config *config);

int config_load(const char *const *files, size_t count, struct config *config,
                config_problem_fn *problem, void *context)
{
    return config_load_paired(files, count, NULL, config, problem, context);
}

int config_load_paired(const char *const *files, size_t count, const char *paired,
                       struct config *config, config_problem_fn *problem, void *context)
{
    const char *all[CONFIG_FILES_MAX + 1];

    for (size_t i = 0; i < count && i < CONFIG_FILES_MAX; i++) {
        all[i] = files[i];
    }
    if (paired && access(paired, R_OK) == 0) {
        all[count++] = paired;
    }
    struct parser *parser = begin(all, problem, context);
    for (unsigned file = 0; parser && file < count; file++) {
        read_file(parser, file);
    }
    return end(parser, config);
}

int config_load_text(const char *name, const char *text, size_t size, struct config *config,
                     config_problem_fn *problem, void *context)
{
    struct parser *parser = begin(&name, problem, context);

    if (parser) {
        struct ini_handler handler = begin_file(parser, 0);
        ini_read(text, size, &handler);
    }
    return end(parser, config);
}

int config_load_card(const char *path, struct config *config, config_problem_fn *problem,
                     void *context)
{
    struct parser *parser = begin(&path, problem, context);

    if (!parser) {
        return 1;
    }
    parser->is_card = true;
    read_file(parser, 0);
    memcpy(config, &parser->config, sizeof *config);
    return end(parser, config);
}

/* NULL if it is out of memory. Not on the stack, which never shrinks. */
static struct parser *begin(const char *const *files, config_problem_fn *problem, void *context)
{
    struct parser *parser = calloc(1, sizeof *parser);

    if (!parser) {
        problem(context, "configuration", 0, strerror(ENOMEM));
        return NULL;
    }
    config_defaults(&parser->config);
    parser->files = files;
    parser->problem = problem;
    parser->context = context;
    return parser;
}

/* Frees the parser, which may be NULL. */
static int end(struct parser *parser, struct config *config)
{
    if (!parser) {
        return 1;
    }
    parser_check(parser);
    int problems = parser->problems;
    if (problems == 0) {
        memcpy(config, &parser->config, sizeof *config);
    }
    free(parser);
    return problems;
}

/*
 * Problems
 */

void config_print_problem(void *context, const char *file, int line, const char *message)
{
    if (line > 0) {
        fprintf(context, "%s:%d: %s\n", file, line, message);
    } else {
        fprintf(context, "%s: %s\n", file, message);
    }
}

static void ignore_problem(void *context, const char *file, int line, const char *message)
{
    (void)context;
    (void)file;
    (void)line;
    (void)message;
}

static void report(struct parser *parser, const struct origin *origin, const char *message)
{
    parser->problems++;
    parser->problem(parser->context, parser->files[origin->file], origin->line, message);
}

void parser_report(struct parser *parser, const struct origin *origin, const char *format, ...)
{
    char message[PROBLEM_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report(parser, origin, message);
}

void parser_report_key(struct parser *parser, const struct config_key *key, unsigned instance,
                       const char *format, ...)
{
    char message[PROBLEM_SIZE];
    struct text text = text_begin(message, sizeof message);
    va_list arguments;

    text_add(&text, "[");
    config_add_section(&text, &parser->config, key->section, instance);
    text_add(&text, "] ");
    text_add(&text, key->name);
    va_start(arguments, format);
    vsnprintf(message + text.length, sizeof message - text.length, format, arguments);
    va_end(arguments);
    report(parser, parser_origin(parser, key, instance), message);
}

const struct origin *parser_origin(const struct parser *parser, const struct config_key *key,
                                   unsigned instance)
{
    return &parser->keys[key - config_keys][instance];
}

/* The key that sets the line of a sensor, and its instance. */
static const struct config_key *find_line_key(const struct config *config, unsigned sensor,
                                              unsigned *instance)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        unsigned last = config_section(key->section)->last;
        for (*instance = 0; key->type == TYPE_LINE && *instance <= last; ++*instance) {
            if (config_member_const(config, key, *instance) == &config->hw.lines[sensor]) {
                return key;
            }
        }
    }
    *instance = 0;
    return config_find_key(SECTION_HW, "backend");
}

void config_report_line(const char *const *files, size_t count, unsigned sensor,
                        const char *message, config_problem_fn *problem, void *context)
{
    struct parser *parser = begin(files, ignore_problem, NULL);
    unsigned instance;

    if (!parser) {
        problem(context, "configuration", 0, message);
        return;
    }
    for (unsigned file = 0; file < count; file++) {
        read_file(parser, file);
    }
    const struct config_key *key = find_line_key(&parser->config, sensor, &instance);
    parser->problem = problem;
    parser->context = context;
    parser_report_key(parser, key, instance, ": %s", message);
    free(parser);
}

/*
 * Paired sensors: a section and a key for each
 */

int config_change_pairing(const struct config *config, const char *text, size_t size,
                          unsigned sensor, const char *source, char *changed)
{
    char title[INI_LINE_MAX];
    struct text entry = text_begin(title, sizeof title);
    struct text out = text_begin(changed, INI_FILE_SIZE_MAX);
    unsigned instance;
    const struct config_key *key = find_line_key(config, sensor, &instance);
    bool is_found = false;

    text_add(&entry, "[");
    config_add_section(&entry, config, key->section, instance);
    text_add(&entry, "]\n");
    text_add(&entry, key->name);
    text_add(&entry, " = ");
    for (size_t at = 0; at < size;) {
        /* An entry is two lines. */
        const char *newline = memchr(text + at, '\n', size - at);
        size_t first = newline ? (size_t)(newline - text) + 1 : size;
        newline = memchr(text + first, '\n', size - first);
        size_t next = newline ? (size_t)(newline - text) + 1 : size;
        bool is_it = next - at > entry.length && memcmp(text + at, title, entry.length) == 0;
        is_found |= is_it;
        text_add_some(&out, text + at, is_it ? 0 : next - at);
        at = next;
    }
    if (source) {
        text_add(&out, title);
        text_add(&out, source);
        text_add(&out, "\n");
    } else if (!is_found) {
        return -ENOENT;
    }
    return out.length < INI_FILE_SIZE_MAX ? (int)out.length : -EFBIG;
}

static const char *show(const char *value, char shown[SHOWN_SIZE])
{
    text_quote(value, shown, SHOWN_SIZE);
    return shown;
}

/*
 * Files
 */

static void open_section(void *self, int line, const char *name);
static void take_pair(void *self, int line, const char *name, const char *value);
static void take_problem(void *self, int line, const char *message);

static struct ini_handler begin_file(struct parser *parser, unsigned file)
{
    parser->at = (struct origin){.file = file};
    parser->section_state = SECTION_NOT_YET;
    return (struct ini_handler){parser, open_section, take_pair, take_problem};
}

static void read_file(struct parser *parser, unsigned file)
{
    struct ini_handler handler = begin_file(parser, file);

    ini_read_file(parser->files[file], &handler);
}

static void take_problem(void *self, int line, const char *message)
{
    struct parser *parser = self;

    parser->at.line = line;
    report(parser, &parser->at, message);
}

/*
 * Sections
 */

static void add_section_guess(struct text *advice, const char *name, const char *instance)
{
    text_add(advice, "did you mean [");
    text_add(advice, name);
    text_add(advice, instance ? "." : "");
    text_add(advice, instance ? instance : "");
    text_add(advice, "]?");
}

static unsigned section_count(const struct parser *parser)
{
    return parser->is_card ? SECTION_COUNT : SECTION_WIFI;
}

/* What to write instead of a section whose name is unknown. */
static void add_name_advice(const struct parser *parser, struct text *advice, const char *name,
                            const char *instance)
{
    struct nearest nearest = nearest_begin(name);
    unsigned count = section_count(parser);

    for (unsigned id = 0; id < count; id++) {
        nearest_offer(&nearest, config_section((enum section_id)id)->name);
    }
    if (nearest.best) {
        add_section_guess(advice, nearest.best, instance);
        return;
    }
    text_add(advice, "expected ");
    for (unsigned id = 0; id < count; id++) {
        const struct config_section *section = config_section((enum section_id)id);
        text_add(advice, id == 0 ? "[" : id + 1 < count ? "], [" : "] or [");
        text_add(advice, section->name);
        text_add(advice, section->example ? "." : "");
        text_add(advice, section->example ? section->example : "");
    }
    text_add(advice, "]");
}

/* What to write instead of a section whose instance is unknown. */
static void add_instance_advice(struct text *advice, const struct config_section *section,
                                const char *instance)
{
    struct nearest nearest = nearest_begin(instance);

    if (!section->instance_name) {
        text_add(advice, "expected a name of 1 to ");
        text_add_number(advice, BUTTON_NAME_MAX);
        text_add(advice, " letters, digits, - or _");
        return;
    }
    for (unsigned i = section->first; i <= section->last; i++) {
        nearest_offer(&nearest, section->instance_name(i));
    }
    if (nearest.best) {
        add_section_guess(advice, section->name, nearest.best);
        return;
    }
    text_add(advice, "expected ");
    for (unsigned i = section->first; i <= section->last; i++) {
        text_add(advice, i == section->first ? "[" : i < section->last ? "], [" : "] or [");
        text_add(advice, section->name);
        text_add(advice, ".");
        text_add(advice, section->instance_name(i));
    }
    text_add(advice, "]");
}

/* The number of the button with that name, or of a new one; -1 if there can be none. */
static int find_button(struct parser *parser, const char *name)
{
    struct hw_config *hw = &parser->config.hw;

    for (unsigned i = 0; i < hw->button_count; i++) {
        if (strcmp(hw->buttons[i].name, name) == 0) {
            return (int)i;
        }
    }
    if (hw->button_count == BUTTONS_MAX || !config_is_segment(name, BUTTON_NAME_MAX)) {
        return -1;
    }
    memcpy(hw->buttons[hw->button_count].name, name, strlen(name) + 1);
    return (int)hw->button_count++;
}

static const struct config_section *find_section(const struct parser *parser, const char *name,
                                                 enum section_id *id)
{
    for (unsigned i = 0; i < section_count(parser); i++) {
        if (strcmp(config_section((enum section_id)i)->name, name) == 0) {
            *id = (enum section_id)i;
            return config_section(*id);
        }
    }
    return NULL;
}

/* The instance with that name (NULL: the file names none); -1 and advice if there is none. */
static int find_instance(struct parser *parser, const struct config_section *section,
                         const char *instance, struct text *advice)
{
    if (!section->example) {
        if (instance) {
            add_section_guess(advice, section->name, NULL);
        }
        return instance ? -1 : 0;
    }
    if (!instance) {
        add_section_guess(advice, section->name, section->example);
        return -1;
    }
    int found = section->instance_name ? config_find_instance(section, instance)
                                       : find_button(parser, instance);
    if (found < 0 && parser->config.hw.button_count == BUTTONS_MAX && !section->instance_name) {
        text_add(advice, "expected at most ");
        text_add_number(advice, BUTTONS_MAX);
        text_add(advice, " buttons");
    } else if (found < 0) {
        add_instance_advice(advice, section, instance);
    }
    return found;
}

static void open_section(void *self, int line, const char *name)
{
    struct parser *parser = self;
    char base[SHOWN_SIZE];
    char shown[SHOWN_SIZE];
    char advice_text[PROBLEM_SIZE];
    struct text text = text_begin(base, sizeof base);
    struct text advice = text_begin(advice_text, sizeof advice_text);
    const char *dot = name ? strchr(name, '.') : NULL;
    int instance = -1;

    parser->at.line = line;
    if (!name) {
        parser->section_state = SECTION_UNKNOWN;
        return;
    }
    text_add_some(&text, name, dot ? (size_t)(dot - name) : strlen(name));
    const struct config_section *section = find_section(parser, base, &parser->section);
    if (section) {
        instance = find_instance(parser, section, dot ? dot + 1 : NULL, &advice);
    } else {
        add_name_advice(parser, &advice, base, dot ? show(dot + 1, shown) : NULL);
    }
    if (instance < 0) {
        parser->section_state = SECTION_UNKNOWN;
        parser_report(parser, &parser->at, "[%s]: unknown section; %s", show(name, shown),
                      advice_text);
        return;
    }
    parser->section_state = SECTION_OPEN;
    parser->instance = (unsigned)instance;
    parser->sections[parser->section][instance] = parser->at;
}

/*
 * Keys
 */

static void report_unknown_key(struct parser *parser, const char *name)
{
    char advice_text[PROBLEM_SIZE];
    char title_text[SHOWN_SIZE];
    char shown[SHOWN_SIZE];
    struct text advice = text_begin(advice_text, sizeof advice_text);
    struct text title = text_begin(title_text, sizeof title_text);
    struct nearest nearest = nearest_begin(name);
    const char *between = "expected ";

    for (size_t i = 0; i < config_key_count; i++) {
        if (config_keys[i].section == parser->section) {
            nearest_offer(&nearest, config_keys[i].name);
        }
    }
    config_add_guess(&advice, nearest.best);
    for (size_t i = 0; i < config_key_count && !nearest.best; i++) {
        if (config_keys[i].section == parser->section) {
            text_add(&advice, between);
            text_add(&advice, config_keys[i].name);
            between = ", ";
        }
    }
    config_add_section(&title, &parser->config, parser->section, parser->instance);
    parser_report(parser, &parser->at, "[%s] %s: unknown key; %s", title_text, show(name, shown),
                  advice_text);
}

static void report_value(struct parser *parser, const struct config_key *key, const char *value,
                         const char *hint)
{
    char accepted[PROBLEM_SIZE];
    char shown[SHOWN_SIZE];
    struct text text = text_begin(accepted, sizeof accepted);

    config_describe_value(key, &text);
    parser_report_key(parser, key, parser->instance, " = %s: expected %s%s%s",
                      config_is_secret(key) ? "***" : show(value, shown), accepted,
                      *hint ? "; " : "", hint);
}

static void set_key(struct parser *parser, const struct config_key *key, const char *value)
{
    char hint_text[PROBLEM_SIZE / 2];
    struct text hint = text_begin(hint_text, sizeof hint_text);
    struct origin *origin = &parser->keys[key - config_keys][parser->instance];
    struct origin before = *origin;

    *origin = parser->at;
    origin->given = *value != '\0';
    if (before.line && before.file == origin->file) {
        parser_report_key(parser, key, parser->instance, ": already set in line %d", before.line);
    }
    origin->refused = !config_read_value(
        key, value, config_member(&parser->config, key, parser->instance), &hint);
    if (origin->refused) {
        report_value(parser, key, value, hint_text);
    }
}

static void take_pair(void *self, int line, const char *name, const char *value)
{
    struct parser *parser = self;
    const struct config_key *key = config_find_key(parser->section, name);

    parser->at.line = line;
    if (parser->section_state == SECTION_NOT_YET) {
        char shown[SHOWN_SIZE];
        parser_report(parser, &parser->at, "%s: key before the first [section]", show(name, shown));
    } else if (parser->section_state == SECTION_OPEN && key) {
        set_key(parser, key, value);
    } else if (parser->section_state == SECTION_OPEN) {
        report_unknown_key(parser, name);
    }
}
