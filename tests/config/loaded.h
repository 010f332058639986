/* Loads configurations in tests. Results are valid until the next call. */
#ifndef TESTS_CONFIG_LOADED_H
#define TESTS_CONFIG_LOADED_H

#include "tests/support/test.h"

#include "config/config.h"

/* The configuration of a text or of files that have no problems. */
const struct config *load(const char *text);
const struct config *load_files(const char *const *files, size_t count);

/* The problems as config_print_problem prints them; the file in memory is called `t`. */
const char *problems_in(const char *text);
const char *problems_in_bytes(const char *bytes, size_t size);
const char *problems_in_files(const char *const *files, size_t count);

void assert_problems(const char *text, const char *expected);

/* Calls config_update; returns its reports as `[section] key: effect`, one per line. */
const char *update(struct config *current, const struct config *next, unsigned *effects);

#endif
