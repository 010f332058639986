/*
 * Files in, configuration out. inih splits the lines into keys and values; this file alone includes
 * it.
 */
#include "config_internal.h"

#include "hw/regular_file.h"
#include "rules/nearest.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <string.h>

enum { SHOWN_SIZE = 64 };

/* inih keeps a line with its newline and NUL, and would cut off a longer one. */
_Static_assert(CONFIG_FILE_LINE_MAX + 2 <= INI_MAX_LINE, "lines would be cut off");

static const char blanks[] = " \t\v\f\r\n";
static const char comment_signs[] = ";#";

static void begin(struct parser *parser, const char *const *files, config_problem_fn *problem,
                  void *context);
static void read_file(struct parser *parser, unsigned file);
static void read_text(struct parser *parser, unsigned file, const char *text, size_t size);
static int end(struct parser *parser, struct config *config);

int config_load(const char *const *files, size_t count, struct config *config,
                config_problem_fn *problem, void *context)
{
    struct parser parser;

    begin(&parser, files, problem, context);
    for (unsigned file = 0; file < count; file++) {
        read_file(&parser, file);
    }
    return end(&parser, config);
}

int config_load_text(const char *name, const char *text, size_t size, struct config *config,
                     config_problem_fn *problem, void *context)
{
    struct parser parser;

    begin(&parser, &name, problem, context);
    read_text(&parser, 0, text, size);
    return end(&parser, config);
}

static void begin(struct parser *parser, const char *const *files, config_problem_fn *problem,
                  void *context)
{
    memset(parser, 0, sizeof *parser);
    config_defaults(&parser->config);
    parser->files = files;
    parser->problem = problem;
    parser->context = context;
}

static int end(struct parser *parser, struct config *config)
{
    parser_check(parser);
    if (parser->problems == 0) {
        memcpy(config, &parser->config, sizeof *config);
    }
    return parser->problems;
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
    struct parser parser;
    unsigned instance;

    begin(&parser, files, ignore_problem, NULL);
    for (unsigned file = 0; file < count; file++) {
        read_file(&parser, file);
    }
    const struct config_key *key = find_line_key(&parser.config, sensor, &instance);
    parser.problem = problem;
    parser.context = context;
    parser_report_key(&parser, key, instance, ": %s", message);
}

static const char *show(const char *value, char shown[SHOWN_SIZE])
{
    text_quote(value, shown, SHOWN_SIZE);
    return shown;
}

/*
 * Files and lines
 */

static void read_file(struct parser *parser, unsigned file)
{
    struct origin origin = {.file = file};
    char text[CONFIG_FILE_SIZE_MAX + 1];
    int error;
    FILE *stream = regular_file_read(parser->files[file], &error);

    size_t size = stream ? fread(text, 1, sizeof text, stream) : 0;
    if (!stream || ferror(stream)) {
        parser_report(parser, &origin, "cannot be read: %s",
                      regular_file_problem(error ? error : -errno));
    } else if (size > CONFIG_FILE_SIZE_MAX) {
        parser_report(parser, &origin, "is larger than %d bytes", CONFIG_FILE_SIZE_MAX);
    } else {
        read_text(parser, file, text, size);
    }
    if (stream) {
        fclose(stream);
    }
}

static char *next_line(char *line, int size, void *stream);
static int take_pair(void *context, const char *section, const char *name, const char *value);

/* inih returns the number of the first bad line only, so next_line detects all of them. */
static void read_text(struct parser *parser, unsigned file, const char *text, size_t size)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t mark = sizeof byte_order_mark - 1;
    bool marked = size >= mark && memcmp(text, byte_order_mark, mark) == 0;

    parser->at = (struct origin){.file = file};
    parser->section_state = SECTION_NOT_YET;
    parser->rest = marked ? text + mark : text;
    parser->left = marked ? size - mark : size;
    parser->pair_expected = false;
    ini_parse_stream(next_line, parser, take_pair, parser);
}

static bool is_blank(char byte)
{
    return byte != '\0' && strchr(blanks, byte);
}

/* The next line of the file without blanks around it: inih would join an indented line to the one
 * before. */
static const char *cut_line(struct parser *parser, size_t *length)
{
    const char *line = parser->rest;
    const char *newline = memchr(line, '\n', parser->left);
    size_t whole = newline ? (size_t)(newline - line) + 1 : parser->left;

    parser->rest += whole;
    parser->left -= whole;
    parser->at.line++;
    while (whole > 0 && is_blank(line[0])) {
        line++;
        whole--;
    }
    while (whole > 0 && is_blank(line[whole - 1])) {
        whole--;
    }
    *length = whole;
    return line;
}

/* inih accepts only ; for a comment after a value, so # is replaced. */
static void unify_comments(char *line)
{
    for (char *at = line + 1; *line && *at; at++) {
        if (*at == '#' && is_blank(at[-1])) {
            *at = ';';
            return;
        }
    }
}

/* True if inih, which accepts room bytes, is to get this line; reports a line that is invalid. */
static bool check_line(struct parser *parser, const char *line, size_t length, size_t room)
{
    size_t most = room < CONFIG_FILE_LINE_MAX ? room : CONFIG_FILE_LINE_MAX;

    if (length == 0 || line[0] == ';' || line[0] == '#') {
        return false;
    }
    if (memchr(line, '\0', length)) {
        parser_report(parser, &parser->at, "NUL byte: this is not a text file");
        return false;
    }
    if (length > most) {
        parser_report(parser, &parser->at, "line of %zu bytes: expected at most %zu", length, most);
        return false;
    }
    return true;
}

static void open_section_line(struct parser *parser, const char *line);

/* The ini_reader: gives inih the next line, or an empty line instead of one it must not see. */
static char *next_line(char *line, int size, void *stream)
{
    static const char newline[] = "\n";
    struct parser *parser = stream;
    size_t length;

    if (parser->pair_expected) {
        parser_report(parser, &parser->at, "expected [section], key = value or a comment");
        parser->pair_expected = false;
    }
    if (parser->left == 0) {
        return NULL;
    }
    const char *start = cut_line(parser, &length);
    if (!check_line(parser, start, length, (size_t)size - sizeof newline)) {
        length = 0;
    }
    memcpy(line, start, length);
    line[length] = '\0';
    unify_comments(line);
    if (line[0] == '[') {
        open_section_line(parser, line);
    } else {
        parser->pair_expected = length > 0;
    }
    memcpy(line + length, newline, sizeof newline);
    return line;
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

/* What to write instead of a section whose name is unknown. */
static void add_name_advice(struct text *advice, const char *name, const char *instance)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned id = 0; id < SECTION_COUNT; id++) {
        nearest_offer(&nearest, config_section((enum section_id)id)->name);
    }
    if (nearest.best) {
        add_section_guess(advice, nearest.best, instance);
        return;
    }
    text_add(advice, "expected ");
    for (unsigned id = 0; id < SECTION_COUNT; id++) {
        const struct config_section *section = config_section((enum section_id)id);
        text_add(advice, id == 0 ? "[" : id + 1 < SECTION_COUNT ? "], [" : "] or [");
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

static const struct config_section *find_section(const char *name, enum section_id *id)
{
    for (unsigned i = 0; i < SECTION_COUNT; i++) {
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

static void open_section(struct parser *parser, const char *name)
{
    char base[SHOWN_SIZE];
    char shown[SHOWN_SIZE];
    char advice_text[PROBLEM_SIZE];
    struct text text = text_begin(base, sizeof base);
    struct text advice = text_begin(advice_text, sizeof advice_text);
    const char *dot = strchr(name, '.');
    int instance = -1;

    text_add_some(&text, name, dot ? (size_t)(dot - name) : strlen(name));
    const struct config_section *section = find_section(base, &parser->section);
    if (section) {
        instance = find_instance(parser, section, dot ? dot + 1 : NULL, &advice);
    } else {
        add_name_advice(&advice, base, dot ? show(dot + 1, shown) : NULL);
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

/* inih does not report a section without keys, so next_line opens the sections. */
static void open_section_line(struct parser *parser, const char *line)
{
    char name[INI_MAX_LINE];
    size_t length = strcspn(line + 1, "]");
    struct text text = text_begin(name, sizeof name);

    if (line[1 + length] != ']') {
        parser_report(parser, &parser->at, "expected ] at the end of a section name");
        parser->section_state = SECTION_UNKNOWN;
        return;
    }
    const char *after = line + 1 + length + 1;
    after += strspn(after, blanks);
    if (!strchr(comment_signs, *after)) {
        parser_report(parser, &parser->at, "expected only a comment after a section's ]");
    }
    text_add_some(&text, line + 1, length);
    open_section(parser, name);
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
    parser_report_key(parser, key, parser->instance, " = %s: expected %s%s%s", show(value, shown),
                      accepted, *hint ? "; " : "", hint);
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

/* The ini_handler. */
static int take_pair(void *context, const char *section, const char *name, const char *value)
{
    struct parser *parser = context;
    const struct config_key *key = config_find_key(parser->section, name);

    (void)section;
    parser->pair_expected = false;
    if (parser->section_state == SECTION_NOT_YET) {
        char shown[SHOWN_SIZE];
        parser_report(parser, &parser->at, "%s: key before the first [section]", show(name, shown));
    } else if (parser->section_state == SECTION_OPEN && key) {
        set_key(parser, key, value);
    } else if (parser->section_state == SECTION_OPEN) {
        report_unknown_key(parser, name);
    }
    return 1;
}
