/* Files in, configuration out. inih takes the lines apart; what they mean is for config_reading.c.
 */
#include "config/config.h"

#include "hw/regular_file.h"
#include "reading.h"

#include <errno.h>
#include <ini.h>
#include <string.h>

/* inih keeps a line with its newline and its end, and would cut off what is longer. */
_Static_assert(CONFIG_FILE_LINE_MAX + 2 <= INI_MAX_LINE, "lines would be cut off");

static const char blanks[] = " \t\v\f\r\n";
static const char comment_signs[] = ";#";

static void begin(struct reading *reading, const char *const *files, config_problem_fn *problem,
                  void *context);
static void read_file(struct reading *reading, unsigned file);
static void read_text(struct reading *reading, unsigned file, const char *text, size_t size);
static int end(struct reading *reading, struct config *config);

int config_load(const char *const *files, size_t count, struct config *config,
                config_problem_fn *problem, void *context)
{
    struct reading reading;

    begin(&reading, files, problem, context);
    for (unsigned file = 0; file < count; file++) {
        read_file(&reading, file);
    }
    return end(&reading, config);
}

int config_load_text(const char *name, const char *text, size_t size, struct config *config,
                     config_problem_fn *problem, void *context)
{
    struct reading reading;

    begin(&reading, &name, problem, context);
    read_text(&reading, 0, text, size);
    return end(&reading, config);
}

static void begin(struct reading *reading, const char *const *files, config_problem_fn *problem,
                  void *context)
{
    memset(reading, 0, sizeof *reading);
    config_defaults(&reading->config);
    reading->files = files;
    reading->problem = problem;
    reading->context = context;
}

static int end(struct reading *reading, struct config *config)
{
    reading_finish(reading);
    if (reading->problems == 0) {
        memcpy(config, &reading->config, sizeof *config);
    }
    return reading->problems;
}

static void keep_quiet(void *context, const char *file, int line, const char *message)
{
    (void)context;
    (void)file;
    (void)line;
    (void)message;
}

/* The key that sets the line of a sensor, and for which instance. */
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

void config_complain_of_line(const char *const *files, size_t count, unsigned sensor,
                             const char *message, config_problem_fn *problem, void *context)
{
    struct reading reading;
    unsigned instance;

    begin(&reading, files, keep_quiet, NULL);
    for (unsigned file = 0; file < count; file++) {
        read_file(&reading, file);
    }
    const struct config_key *key = find_line_key(&reading.config, sensor, &instance);
    reading.problem = problem;
    reading.context = context;
    reading_complain_key(&reading, key, instance, ": %s", message);
}

void config_print_problem(void *context, const char *file, int line, const char *message)
{
    if (line > 0) {
        fprintf(context, "%s:%d: %s\n", file, line, message);
    } else {
        fprintf(context, "%s: %s\n", file, message);
    }
}

/*
 * A file
 */

static void read_file(struct reading *reading, unsigned file)
{
    struct origin origin = {.file = file};
    char text[CONFIG_FILE_SIZE_MAX + 1];
    int error;
    FILE *stream = regular_file_read(reading->files[file], &error);

    size_t size = stream ? fread(text, 1, sizeof text, stream) : 0;
    if (!stream || ferror(stream)) {
        reading_complain(reading, &origin, "cannot be read: %s",
                         regular_file_problem(error ? error : -errno));
    } else if (size > CONFIG_FILE_SIZE_MAX) {
        reading_complain(reading, &origin, "is larger than %d bytes", CONFIG_FILE_SIZE_MAX);
    } else {
        read_text(reading, file, text, size);
    }
    if (stream) {
        fclose(stream);
    }
}

static char *next_line(char *line, int size, void *stream);
static int take_pair(void *context, const char *section, const char *key, const char *value);

/* inih tells the number of the first bad line only, so each is noticed in next_line instead. */
static void read_text(struct reading *reading, unsigned file, const char *text, size_t size)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t mark = sizeof byte_order_mark - 1;
    bool marked = size >= mark && memcmp(text, byte_order_mark, mark) == 0;

    reading->at = (struct origin){.file = file};
    reading->section_state = SECTION_NOT_YET;
    reading->rest = marked ? text + mark : text;
    reading->left = marked ? size - mark : size;
    reading->pair_expected = false;
    ini_parse_stream(next_line, reading, take_pair, reading);
}

static bool is_blank(char byte)
{
    return byte != '\0' && strchr(blanks, byte);
}

/* The next line of the file without blanks around it, so that inih never joins it to the last. */
static const char *cut_line(struct reading *reading, size_t *length)
{
    const char *line = reading->rest;
    const char *newline = memchr(line, '\n', reading->left);
    size_t whole = newline ? (size_t)(newline - line) + 1 : reading->left;

    reading->rest += whole;
    reading->left -= whole;
    reading->at.line++;
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

/* inih says nothing of a section without keys, so sections are opened here. */
static void open_section(struct reading *reading, const char *line)
{
    char name[INI_MAX_LINE];
    size_t length = strcspn(line + 1, "]");
    struct text text = text_begin(name, sizeof name);

    if (line[1 + length] != ']') {
        reading_complain(reading, &reading->at, "a section ends with ]");
        reading->section_state = SECTION_UNKNOWN;
        return;
    }
    const char *after = line + 1 + length + 1;
    after += strspn(after, blanks);
    if (!strchr(comment_signs, *after)) {
        reading_complain(reading, &reading->at, "only a comment may follow a section's ]");
    }
    text_add_some(&text, line + 1, length);
    reading_open_section(reading, name);
}

/* inih knows only ; as the sign of a comment behind a value: # becomes one. */
static void unify_comments(char *line)
{
    for (char *at = line + 1; *line && *at; at++) {
        if (*at == '#' && is_blank(at[-1])) {
            *at = ';';
            return;
        }
    }
}

/* Whether inih, with room for so many bytes, can be given this line; if not, it is told why. */
static bool check_line(struct reading *reading, const char *line, size_t length, size_t room)
{
    size_t most = room < CONFIG_FILE_LINE_MAX ? room : CONFIG_FILE_LINE_MAX;

    if (length == 0 || line[0] == ';' || line[0] == '#') {
        return false;
    }
    if (memchr(line, '\0', length)) {
        reading_complain(reading, &reading->at, "a NUL byte: this is not a text file");
        return false;
    }
    if (length > most) {
        reading_complain(reading, &reading->at, "a line of %zu bytes: expected at most %zu", length,
                         most);
        return false;
    }
    return true;
}

/* The ini_reader: gives inih the next line, or an empty one in the place of what it must not see.
 */
static char *next_line(char *line, int size, void *stream)
{
    static const char newline[] = "\n";
    struct reading *reading = stream;
    size_t length;

    if (reading->pair_expected) {
        reading_complain(reading, &reading->at, "expected [section], key = value or a comment");
        reading->pair_expected = false;
    }
    if (reading->left == 0) {
        return NULL;
    }
    const char *start = cut_line(reading, &length);
    if (!check_line(reading, start, length, (size_t)size - sizeof newline)) {
        length = 0;
    }
    memcpy(line, start, length);
    line[length] = '\0';
    unify_comments(line);
    if (line[0] == '[') {
        open_section(reading, line);
    } else {
        reading->pair_expected = length > 0;
    }
    memcpy(line + length, newline, sizeof newline);
    return line;
}

/* The ini_handler. */
static int take_pair(void *context, const char *section, const char *key, const char *value)
{
    struct reading *reading = context;

    (void)section;
    reading->pair_expected = false;
    reading_set(reading, key, value);
    return 1;
}
