/*
 * The sensor thread with simulated sensors in a temporary directory, and clients of its socket.
 * Every wait has a deadline, after which the test fails.
 */
#ifndef TESTS_HW_FIXTURE_H
#define TESTS_HW_FIXTURE_H

#include "tests/support/test.h"

#include "hw/hw.h"

enum {
    FIXTURE_DEADLINE_MS = 20000,
    FIXTURE_PATH_SIZE = 64,
    MS = 1000, /* microseconds */
    SECOND = 1000 * MS,
};

struct fixture {
    char folder[FIXTURE_PATH_SIZE];
    struct hw_settings settings;
    struct hw *hw;
};

/* cmocka's setup and teardown: default timing, button `end`; the thread runs. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* A client of the socket at that path, or -1; the same in two steps. */
int fixture_connect(const char *path);
int fixture_socket(void);
bool fixture_reach(int fd, const char *path);

void fixture_send(int fd, const char *text);

/* Expects this line next. */
void fixture_expect_line(int fd, const char *line);

/* Expects that the connection is closed without further data. */
void fixture_expect_end(int fd);

/* Sends a line and expects `ok`. */
void fixture_move(int fd, const char *line);

/* Waits for the next fact of that kind and drops facts of other kinds. */
struct fact fixture_await(struct fixture *fixture, enum fact_kind kind);

/* Expects the kinds of all facts until the given one, separated by blanks; ignores SENSED. */
void fixture_expect_until(struct fixture *fixture, enum fact_kind last, const char *kinds);

#endif
