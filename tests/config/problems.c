/*
 * Runs problems.txt: each statement is a file called t, with ` | ` between its lines, and the lines
 * after `>` are all its problems.
 */
#include "loaded.h"

#include "tests/support/cases.h"

#include <string.h>

enum { TEXT_SIZE = 2048 };

static char found[TEXT_SIZE]; /* in the file of the statement */

static void *begin(void)
{
    return NULL;
}

static void run(void *self, char *statement)
{
    char text[TEXT_SIZE] = "";
    char *line = statement;

    (void)self;
    for (char *end = strstr(line, " | "); end; end = strstr(line, " | ")) {
        strncat(text, line, (size_t)(end - line));
        strcat(text, "\n");
        line = end + strlen(" | ");
    }
    strcat(text, line);
    snprintf(found, sizeof found, "%s", problems_in(text));
}

static void compare(void *self, const char *const *lines)
{
    char expected[TEXT_SIZE] = "";

    (void)self;
    for (; *lines; lines++) {
        strcat(expected, *lines);
        strcat(expected, "\n");
    }
    if (strcmp(found, expected) != 0) {
        cases_fail("the problems are:\n%s", found);
    }
}

static void end(void *self)
{
    (void)self;
}

int main(int argc, char **argv)
{
    static const struct language language = {begin, run, compare, end};

    return argc == 2 ? cases_run(argv[1], &language) : 1;
}
