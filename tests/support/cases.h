/*
 * Tests that are text. A file has cases, and a case has statements:
 *
 *     # A comment.
 *     == NAME                 begins a case
 *     STATEMENT
 *     > LINE                  what the statement before causes, a line each
 *     > LINE
 *     STATEMENT > LINE        the same on one line
 *
 * A statement that ends with a comma continues on the next line. What stands before the first case
 * is said at the beginning of each.
 * The language of a folder says what its statements mean and compares the lines.
 */
#ifndef TESTS_SUPPORT_CASES_H
#define TESTS_SUPPORT_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct language {
    void *(*begin)(void); /* a case; returns its state */
    void (*run)(void *state, char *statement);
    /* What the statement caused, with the expected lines and NULL; called after each statement. */
    void (*compare)(void *state, const char *const *lines);
    void (*end)(void *state);
};

/* Runs all cases of a file as a group of cmocka tests; the result is that of main. */
int cases_run(const char *path, const struct language *language);

/* The place of the statement that is run. */
const char *cases_path(void);
int cases_line(void);

/* Fails the case there. */
void cases_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Cuts a text at each `, `; the parts and NULL. */
enum { PARTS_MAX = 16 };
void cases_split(char *text, char *parts[PARTS_MAX + 1]);

#endif
