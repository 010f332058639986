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
    int client; /* of its socket */
};

#define HW_TEST(claim) TEST_WITH(struct fixture *fixture, claim)

/* cmocka's setup and teardown: default timing, button `end`; the thread runs and has a client. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Another client; the same in two steps. */
int fixture_connect(const struct fixture *fixture);
int fixture_socket(void);
void fixture_reach(const struct fixture *fixture, int fd);

/* Ends the thread. */
void fixture_close(struct fixture *fixture);

void fixture_send(int fd, const char *text);

/* Expects these lines next. */
void fixture_expect(int fd, const char *lines);

/* Expects that the connection is closed without further data. */
void fixture_expect_end(int fd);

/* Sends a line and expects `ok`. */
void fixture_move(int fd, const char *line);

/* Waits for the next fact of that kind and drops facts of other kinds. */
struct fact fixture_await(struct fixture *fixture, enum fact_kind kind);

/* Expects the kinds of all facts until the given one, separated by blanks; ignores SENSED. */
void fixture_expect_until(struct fixture *fixture, enum fact_kind last, const char *kinds);

#endif
