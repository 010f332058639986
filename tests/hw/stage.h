/*
 * The sensor thread with a simulated table in a directory of its own, and clients of its socket.
 * Whatever is waited for is waited for itself, and fails the test after a deadline.
 */
#ifndef TESTS_HW_STAGE_H
#define TESTS_HW_STAGE_H

#include "hw/hw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    STAGE_DEADLINE_MS = 20000,
    STAGE_PATH_SIZE = 64,
    MS = 1000, /* microseconds */
    SECOND = 1000 * MS,
};

struct stage {
    char folder[STAGE_PATH_SIZE];
    struct hw_settings settings;
    struct hw *hw;
};

/* cmocka's setup and teardown: default timing, button `end`; the thread runs. */
int stage_setup(void **state);
int stage_teardown(void **state);

/* A client of the socket at that path, or -1; and the same in two steps. */
int stage_connect(const char *path);
int stage_socket(void);
bool stage_reach(int fd, const char *path);

void stage_send(int fd, const char *text);

/* The next line that comes is this one. */
void stage_expect_line(int fd, const char *line);

/* The other side has closed the connection, and nothing more came. */
void stage_expect_end(int fd);

/* Sends a line and expects `ok`. */
void stage_move(int fd, const char *line);

/* Waits for the next fact of that kind; facts of other kinds on the way are dropped. */
struct fact stage_await(struct stage *stage, enum fact_kind kind);

/* The kinds of all facts until the given one, except readings for topics, as words in a line. */
void stage_expect_until(struct stage *stage, enum fact_kind last, const char *kinds);

#endif
