/* The log, when nobody reads it. */
#include "common/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

enum { READ_END, WRITE_END, PIPE_ENDS, PIPE_SIZE = 1 << 20 };

/* Our stderr is a pipe for a while. */
struct trial {
    int pipe[PIPE_ENDS];
    int stderr_before;
};

static void begin(struct trial *trial)
{
    assert_int_equal(pipe2(trial->pipe, O_CLOEXEC | O_NONBLOCK), 0);
    trial->stderr_before = dup(STDERR_FILENO);
    dup2(trial->pipe[WRITE_END], STDERR_FILENO);
    unsetenv("JOURNAL_STREAM");
}

static void end(struct trial *trial)
{
    dup2(trial->stderr_before, STDERR_FILENO);
    close(trial->stderr_before);
    close(trial->pipe[READ_END]);
    close(trial->pipe[WRITE_END]);
}

/* All that is in the pipe. */
static const char *take_all(struct trial *trial)
{
    static char text[PIPE_SIZE];
    size_t length = 0;
    ssize_t count;

    while ((count = read(trial->pipe[READ_END], text + length, sizeof text - length - 1)) > 0) {
        length += (size_t)count;
    }
    text[length] = '\0';
    return text;
}

static void fill(struct trial *trial)
{
    char bytes[4096];

    memset(bytes, '.', sizeof bytes);
    while (write(trial->pipe[WRITE_END], bytes, sizeof bytes) > 0) {
    }
    /* A pipe that says no to us, but would keep a careless writer waiting. */
    assert_int_equal(fcntl(trial->pipe[WRITE_END], F_SETFL, 0), 0);
}

static void a_line_is_written_as_it_is(void **state)
{
    struct trial trial;

    (void)state;
    begin(&trial);
    log_notice("game %s goes on", "a");
    log_error("journal: %s", "broken");
    const char *text = take_all(&trial);
    end(&trial);
    assert_string_equal(text, "game a goes on\njournal: broken\n");
}

static void the_journal_of_systemd_gets_priorities(void **state)
{
    struct trial trial;

    (void)state;
    begin(&trial);
    setenv("JOURNAL_STREAM", "8:1", 1);
    log_warning("careful");
    const char *text = take_all(&trial);
    unsetenv("JOURNAL_STREAM");
    end(&trial);
    assert_string_equal(text, "<4>careful\n");
}

static void a_log_that_nobody_reads_keeps_nobody_waiting_and_tells_later_what_is_lost(void **state)
{
    struct trial trial;

    (void)state;
    begin(&trial);
    fill(&trial);
    log_notice("one");
    log_notice("two");
    take_all(&trial);
    log_notice("three");
    const char *text = take_all(&trial);
    end(&trial);
    assert_string_equal(text, "log: 2 lines before this one could not be written\nthree\n");
}

static void a_flood_of_lines_is_limited_and_says_so_once(void **state)
{
    struct log_limit limit = {0};
    struct trial trial;
    unsigned lines = 0;

    (void)state;
    begin(&trial);
    for (unsigned i = 0; i < 5000; i++) {
        log_limited(&limit, LOG_LEVEL_WARNING, "somebody knocks");
    }
    const char *text = take_all(&trial);
    end(&trial);
    assert_non_null(strstr(text, "log: more lines like the last one are suppressed"));
    for (const char *at = text; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    assert_in_range(lines, LOG_BURST + 1, LOG_BURST + 20); /* time passes meanwhile */
}

static void after_a_pause_a_limited_line_passes_and_says_how_many_did_not(void **state)
{
    struct log_limit limit = {0};
    uint64_t now_us = 1;

    (void)state;
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

static void control_characters_do_not_reach_the_log(void **state)
{
    struct trial trial;

    (void)state;
    begin(&trial);
    log_warning("command %s", "a\nb\033[2J\xc2\x9b"
                              "c\xc3\xa9");
    const char *text = take_all(&trial);
    end(&trial);
    assert_string_equal(text, "command a?b?[2J??c\xc3\xa9\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_written_as_it_is),
        cmocka_unit_test(a_flood_of_lines_is_limited_and_says_so_once),
        cmocka_unit_test(after_a_pause_a_limited_line_passes_and_says_how_many_did_not),
        cmocka_unit_test(control_characters_do_not_reach_the_log),
        cmocka_unit_test(the_journal_of_systemd_gets_priorities),
        cmocka_unit_test(a_log_that_nobody_reads_keeps_nobody_waiting_and_tells_later_what_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
