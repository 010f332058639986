/* inih splits the lines into keys and values; this file alone includes it. */
#include "config/ini.h"

#include "hw/regular_file.h"
#include "rules/text.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEM_SIZE = 256 };

static const char blanks[] = " \t\v\f\r\n";
static const char comment_signs[] = ";#";

struct reader {
    const struct ini_handler *handler;
    const char *rest; /* of the text, not read yet */
    size_t left;
    int line_number;
    bool pair_expected; /* from the line that inih has */
    char *long_value;   /* of that line, too long for inih, which has a short one instead */
    char line[INI_LINE_MAX + 1]; /* a long line, which long_value points into */
};

__attribute__((format(printf, 2, 3))) static void report(const struct reader *reader,
                                                         const char *format, ...)
{
    char message[PROBLEM_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->handler->problem(reader->handler->self, reader->line_number, message);
}

/* Not on the stack, which never shrinks. */
void ini_read_file(const char *path, const struct ini_handler *handler)
{
    struct reader whole_file = {.handler = handler};
    char *text = malloc(INI_FILE_SIZE_MAX + 1);
    int error = -ENOMEM;
    FILE *stream = text ? regular_file_read(path, &error) : NULL;

    size_t size = stream ? fread(text, 1, INI_FILE_SIZE_MAX + 1, stream) : 0;
    if (!stream || ferror(stream)) {
        report(&whole_file, "cannot be read: %s", regular_file_problem(error ? error : -errno));
    } else if (size > INI_FILE_SIZE_MAX) {
        report(&whole_file, "is larger than %d bytes", INI_FILE_SIZE_MAX);
    } else {
        ini_read(text, size, handler);
    }
    if (stream) {
        fclose(stream);
    }
    free(text);
}

static char *next_line(char *line, int size, void *stream);
static int take_pair(void *context, const char *section, const char *name, const char *value);

/* inih returns the number of the first bad line only, so next_line detects all of them. */
void ini_read(const char *text, size_t size, const struct ini_handler *handler)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t mark = sizeof byte_order_mark - 1;
    bool marked = size >= mark && memcmp(text, byte_order_mark, mark) == 0;
    struct reader reader = {.handler = handler,
                            .rest = marked ? text + mark : text,
                            .left = marked ? size - mark : size};

    ini_parse_stream(next_line, &reader, take_pair, &reader);
}

static bool is_blank(char byte)
{
    return byte != '\0' && strchr(blanks, byte);
}

/* The next line of the file without blanks around it: inih would join an indented line to the one
 * before. */
static const char *cut_line(struct reader *reader, size_t *length)
{
    const char *line = reader->rest;
    const char *newline = memchr(line, '\n', reader->left);
    size_t whole = newline ? (size_t)(newline - line) + 1 : reader->left;

    reader->rest += whole;
    reader->left -= whole;
    reader->line_number++;
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

/* True if the line has a section or a key; reports a line that is invalid. */
static bool check_line(struct reader *reader, const char *line, size_t length)
{
    if (length == 0 || line[0] == ';' || line[0] == '#') {
        return false;
    }
    if (memchr(line, '\0', length)) {
        report(reader, "NUL byte: this is not a text file");
        return false;
    }
    if (length > INI_LINE_MAX) {
        report(reader, "line of %zu bytes: expected at most %d", length, INI_LINE_MAX);
        return false;
    }
    return true;
}

/* As inih does it: a comment begins with ; behind a blank, and blanks around a value do not count.
 */
static char *trim_value(char *value)
{
    value += strspn(value, blanks);
    for (char *at = value; *at; at++) {
        if (*at == ';' && (at == value || is_blank(at[-1]))) {
            *at = '\0';
            break;
        }
    }
    for (size_t length = strlen(value); length > 0 && is_blank(value[length - 1]); length--) {
        value[length - 1] = '\0';
    }
    return value;
}

/*
 * inih would cut off a line that is longer than its own. It gets the key with a short value then,
 * and take_pair gets the real one from long_value.
 */
static bool shorten(struct reader *reader, char *line, size_t room)
{
    size_t key = strcspn(reader->line, "=:");

    if (!reader->line[key] || key + 3 > room) {
        report(reader, "expected [section], key = value or a comment");
        return false;
    }
    memcpy(line, reader->line, key);
    memcpy(line + key, "=1", sizeof "=1");
    reader->long_value = trim_value(reader->line + key + 1);
    return true;
}

/* inih does not report a section without keys, so next_line opens the sections. */
static void open_section_line(struct reader *reader, const char *line)
{
    const struct ini_handler *handler = reader->handler;
    char name[INI_LINE_MAX];
    size_t length = strcspn(line + 1, "]");
    struct text text = text_begin(name, sizeof name);

    if (line[1 + length] != ']') {
        report(reader, "expected ] at the end of a section name");
        handler->section(handler->self, reader->line_number, NULL);
        return;
    }
    const char *after = line + 1 + length + 1;
    after += strspn(after, blanks);
    if (!strchr(comment_signs, *after)) {
        report(reader, "expected only a comment after a section's ]");
    }
    text_add_some(&text, line + 1, length);
    handler->section(handler->self, reader->line_number, name);
}

/* The ini_reader: gives inih the next line, or an empty line instead of one it must not see. */
static char *next_line(char *line, int size, void *stream)
{
    static const char newline[] = "\n";
    struct reader *reader = stream;
    size_t length;

    if (reader->pair_expected) {
        report(reader, "expected [section], key = value or a comment");
        reader->pair_expected = false;
    }
    if (reader->left == 0) {
        return NULL;
    }
    const char *start = cut_line(reader, &length);
    if (!check_line(reader, start, length)) {
        length = 0;
    }
    memcpy(reader->line, start, length);
    reader->line[length] = '\0';
    reader->long_value = NULL;
    unify_comments(reader->line);
    size_t room = (size_t)size - sizeof newline;
    line[0] = '\0';
    if (reader->line[0] == '[') {
        open_section_line(reader, reader->line);
    } else if (length > room) {
        reader->pair_expected = shorten(reader, line, room);
    } else {
        memcpy(line, reader->line, length + 1);
        reader->pair_expected = length > 0;
    }
    memcpy(line + strlen(line), newline, sizeof newline);
    return line;
}

/* The ini_handler. */
static int take_pair(void *context, const char *section, const char *name, const char *value)
{
    struct reader *reader = context;

    (void)section;
    reader->pair_expected = false;
    reader->handler->pair(reader->handler->self, reader->line_number, name,
                          reader->long_value ? reader->long_value : value);
    return 1;
}
