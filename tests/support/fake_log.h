/* The daemon's log in tests: nothing is printed unless SHIPAHOY_LOG is set, the latest is kept. */
#ifndef TESTS_SUPPORT_FAKE_LOG_H
#define TESTS_SUPPORT_FAKE_LOG_H

#include <stdbool.h>

void fake_log_forget(void);

/* Whether one of the latest lines has this in it. */
bool fake_log_has(const char *text);

#endif
