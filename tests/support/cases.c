#include "cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_MAX = 2048,
    CASES_MAX = 128,
    LINE_SIZE = 512,
    STATEMENT_SIZE = 2048,
    EXPECTED_MAX = 32,
    MESSAGE_SIZE = 8192
};

/* The file that is run. */
static struct {
    const char *path;
    const struct language *language;
    char line[LINES_MAX][LINE_SIZE];
    size_t lines;
    size_t statement; /* the line that is run */
} file;

const char *cases_path(void)
{
    return file.path;
}

int cases_line(void)
{
    return (int)file.statement + 1;
}

void cases_fail(const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_error("%s\n", message);
    _fail(cases_path(), cases_line());
    abort(); /* _fail does not return */
}

void cases_split(char *text, char *parts[PARTS_MAX + 1])
{
    size_t count = 0;

    for (char *rest = text; rest; text = rest) {
        assert_true(count < PARTS_MAX);
        parts[count++] = text;
        rest = strstr(text, ", ");
        if (rest) {
            *rest = '\0';
            rest += strlen(", ");
        }
    }
    parts[count] = NULL;
}

static bool begins_case(const char *line)
{
    return strncmp(line, "== ", 3) == 0;
}

static bool is_empty(const char *line)
{
    return line[0] == '\0' || line[0] == '#';
}

/* Collects the `>` lines of a statement; returns the number of the line after them. */
static size_t collect(const char *inline_expected, size_t at, const char *expected[EXPECTED_MAX])
{
    size_t count = 0;

    if (inline_expected) {
        expected[count++] = inline_expected;
    }
    for (; at < file.lines && file.line[at][0] == '>'; at++) {
        assert_true(count < EXPECTED_MAX - 1);
        expected[count++] = file.line[at] + strlen("> ");
    }
    expected[count] = NULL;
    return at;
}

/* Copies the statement at that line; a line that ends with a comma continues on the next one. */
static size_t read_statement(size_t at, char statement[STATEMENT_SIZE])
{
    size_t length = 0;

    do {
        const char *line = file.line[at] + strspn(file.line[at], " ");
        length += (size_t)snprintf(statement + length, STATEMENT_SIZE - length, "%s%s",
                                   length ? " " : "", line);
        assert_true(length < STATEMENT_SIZE);
        at++;
    } while (statement[length - 1] == ',' && at < file.lines);
    return at;
}

/* Runs the statements from that line on, to the next case. */
static void run_statements(void *self, size_t at)
{
    while (at < file.lines && !begins_case(file.line[at])) {
        const char *expected[EXPECTED_MAX];
        char statement[STATEMENT_SIZE];
        file.statement = at;
        if (is_empty(file.line[at])) {
            at++;
            continue;
        }
        at = read_statement(at, statement);
        char *arrow = strstr(statement, " > ");
        if (arrow) {
            *arrow = '\0';
            arrow += strlen(" > ");
        }
        at = collect(arrow, at, expected);
        file.language->run(self, statement);
        file.language->compare(self, expected);
    }
}

static void run_case(void **state)
{
    const char *name = *state;
    void *self = file.language->begin();

    run_statements(self, 0);
    run_statements(self, (size_t)(name - file.line[0]) / LINE_SIZE + 1);
    file.language->end(self);
}

static void read_file(void)
{
    FILE *stream = fopen(file.path, "r");

    while (stream && file.lines < LINES_MAX && fgets(file.line[file.lines], LINE_SIZE, stream)) {
        char *line = file.line[file.lines++];
        line[strcspn(line, "\n")] = '\0';
    }
    if (stream) {
        fclose(stream);
    }
}

int cases_run(const char *path, const struct language *language)
{
    struct CMUnitTest tests[CASES_MAX];
    size_t count = 0;

    file.path = path;
    file.language = language;
    read_file();
    for (size_t i = 0; i < file.lines && count < CASES_MAX; i++) {
        if (begins_case(file.line[i])) {
            tests[count++] = (struct CMUnitTest){.name = file.line[i] + strlen("== "),
                                                 .test_func = run_case,
                                                 .initial_state = file.line[i]};
        }
    }
    if (count == 0 || count == CASES_MAX || file.lines == LINES_MAX) {
        fprintf(stderr, "%s: no cases, or more than fit\n", path);
        return EXIT_FAILURE;
    }
    return _cmocka_run_group_tests(path, tests, count, NULL, NULL);
}
