/* The log: what is written, limited and dropped. */
#include "tests/support/test.h"

#include "common/log.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_END, WRITE_END, PIPE_ENDS, PIPE_SIZE = 1 << 20 };

/* A pipe that replaces stderr during a test. */
struct captured {
    int pipe[PIPE_ENDS];
    int stderr_before;
};

static void begin(struct captured *captured)
{
    assert_int_equal(pipe2(captured->pipe, O_CLOEXEC | O_NONBLOCK), 0);
    captured->stderr_before = dup(STDERR_FILENO);
    dup2(captured->pipe[WRITE_END], STDERR_FILENO);
    unsetenv("JOURNAL_STREAM");
}

static void end(struct captured *captured)
{
    dup2(captured->stderr_before, STDERR_FILENO);
    close(captured->stderr_before);
    close(captured->pipe[READ_END]);
    close(captured->pipe[WRITE_END]);
}

/* Reads everything in the pipe. */
static const char *take_all(struct captured *captured)
{
    static char text[PIPE_SIZE];
    size_t length = 0;
    ssize_t count;

    while ((count = read(captured->pipe[READ_END], text + length, sizeof text - length - 1)) > 0) {
        length += (size_t)count;
    }
    text[length] = '\0';
    return text;
}

static void fill(struct captured *captured)
{
    char bytes[4096];

    memset(bytes, '.', sizeof bytes);
    while (write(captured->pipe[WRITE_END], bytes, sizeof bytes) > 0) {
    }
    /* A blocking write would now wait forever. */
    assert_int_equal(fcntl(captured->pipe[WRITE_END], F_SETFL, 0), 0);
}

TEST(a_line_is_written_unchanged)
{
    struct captured captured;

    begin(&captured);
    log_notice("game %s continues", "a");
    log_error("journal: %s", "broken");
    const char *text = take_all(&captured);
    end(&captured);
    assert_string_equal(text, "game a continues\njournal: broken\n");
}

TEST(under_systemd_lines_have_priorities)
{
    struct captured captured;

    begin(&captured);
    setenv("JOURNAL_STREAM", "8:1", 1);
    log_warning("careful");
    const char *text = take_all(&captured);
    unsetenv("JOURNAL_STREAM");
    end(&captured);
    assert_string_equal(text, "<4>careful\n");
}

TEST(lines_that_a_full_pipe_does_not_accept_are_dropped_and_counted)
{
    struct captured captured;

    begin(&captured);
    fill(&captured);
    log_notice("one");
    log_notice("two");
    take_all(&captured);
    log_notice("three");
    const char *text = take_all(&captured);
    end(&captured);
    assert_string_equal(text, "log: 2 lines before this one were dropped\nthree\n");
}

TEST(a_flood_of_lines_is_limited_and_announced_once)
{
    struct log_limit limit = {0};
    struct captured captured;
    unsigned lines = 0;

    begin(&captured);
    for (unsigned i = 0; i < 5000; i++) {
        log_limited(&limit, LOG_LEVEL_WARNING, "noise");
    }
    const char *text = take_all(&captured);
    end(&captured);
    assert_non_null(strstr(text, "log: more lines like the last one are suppressed"));
    for (const char *at = text; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    assert_in_range(lines, LOG_BURST + 1, LOG_BURST + 20); /* time passes meanwhile */
}

TEST(a_limited_line_passes_after_a_pause)
{
    struct log_limit limit = {0};
    uint64_t now_us = 1;

    for (unsigned i = 0; i < LOG_BURST; i++) {
        assert_true(log_limit_passes(&limit, now_us));
    }
    assert_false(log_limit_passes(&limit, now_us));
    assert_false(log_limit_passes(&limit, now_us + LOG_REFILL_US - 1));
    assert_int_equal(limit.suppressed, 2);
    assert_true(log_limit_passes(&limit, now_us + LOG_REFILL_US));
    assert_false(log_limit_passes(&limit, now_us + LOG_REFILL_US));
    now_us += 100 * (uint64_t)LOG_REFILL_US;
    for (unsigned i = 0; i < LOG_BURST; i++) {
        assert_true(log_limit_passes(&limit, now_us));
    }
    assert_false(log_limit_passes(&limit, now_us));
}

TEST(control_characters_are_replaced)
{
    struct captured captured;

    begin(&captured);
    log_warning("command %s", "a\nb\033[2J\xc2\x9b"
                              "c\xc3\xa9");
    const char *text = take_all(&captured);
    end(&captured);
    assert_string_equal(text, "command a?b?[2J??c\xc3\xa9\n");
}
