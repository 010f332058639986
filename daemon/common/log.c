#include "common/log.h"

#include "rules/text.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    LOG_LINE_SIZE = 1024, /* less than PIPE_BUF, so a pipe accepts a whole line or nothing */
};

/* Held between poll and write, so that no other thread fills the pipe in between. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned dropped;

/* Never blocks; false if the line was not written. */
static bool write_line(enum log_level level, const char *text)
{
    struct pollfd log = {.fd = STDERR_FILENO, .events = POLLOUT};
    char line[LOG_LINE_SIZE + 8];
    char prefix[8] = "";

    if (getenv("JOURNAL_STREAM")) {
        snprintf(prefix, sizeof prefix, "<%d>", (int)level);
    }
    size_t length = (size_t)snprintf(line, sizeof line, "%s%s\n", prefix, text);
    return poll(&log, 1, 0) > 0 && (log.revents & POLLOUT) &&
           write(STDERR_FILENO, line, length) == (ssize_t)length;
}

static void write_dropped_count(void)
{
    char text[LOG_LINE_SIZE];

    snprintf(text, sizeof text, "log: %u lines before this one were dropped", dropped);
    if (write_line(LOG_LEVEL_WARNING, text)) {
        dropped = 0;
    }
}

__attribute__((format(printf, 2, 0))) static void print(enum log_level level, const char *format,
                                                        va_list arguments)
{
    char text[LOG_LINE_SIZE];

    vsnprintf(text, sizeof text, format, arguments);
    /* Parts of it come from outside and must not start a new line or control a terminal. */
    text_replace_controls(text);
    pthread_mutex_lock(&lock);
    if (dropped) {
        write_dropped_count();
    }
    if (dropped || !write_line(level, text)) {
        dropped++;
    }
    pthread_mutex_unlock(&lock);
}

#define LOG_FUNCTION(name, priority)                                                               \
    void name(const char *format, ...)                                                             \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        print(priority, format, arguments);                                                        \
        va_end(arguments);                                                                         \
    }

LOG_FUNCTION(log_error, LOG_LEVEL_ERROR)
LOG_FUNCTION(log_warning, LOG_LEVEL_WARNING)
LOG_FUNCTION(log_notice, LOG_LEVEL_NOTICE)

bool log_limit_passes(struct log_limit *limit, uint64_t now_us)
{
    uint64_t begin_us = limit->full_us > now_us ? limit->full_us : now_us;

    if (begin_us - now_us > (uint64_t)(LOG_BURST - 1) * LOG_REFILL_US) {
        limit->suppressed++;
        return false;
    }
    limit->full_us = begin_us + LOG_REFILL_US;
    return true;
}

static uint64_t clock_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* True if the line passes; logs when suppression starts and how many lines it suppressed. */
static bool pass_limit(struct log_limit *limit)
{
    pthread_mutex_lock(&lock);
    bool passes = log_limit_passes(limit, clock_us());
    uint64_t suppressed = limit->suppressed;
    limit->suppressed = passes ? 0 : suppressed;
    pthread_mutex_unlock(&lock);
    if (passes && suppressed) {
        log_notice("log: %" PRIu64 " lines like the next one were suppressed", suppressed);
    } else if (!passes && suppressed == 1) {
        log_notice("log: more lines like the last one are suppressed, one every %d s passes",
                   LOG_REFILL_US / 1000000);
    }
    return passes;
}

void log_limited(struct log_limit *limit, enum log_level level, const char *format, ...)
{
    va_list arguments;

    if (!pass_limit(limit)) {
        return;
    }
    va_start(arguments, format);
    print(level, format, arguments);
    va_end(arguments);
}

void log_file_problem(void *context, const char *file, int line, const char *message)
{
    (void)context;
    if (line > 0) {
        log_error("%s:%d: %s", file, line, message);
    } else {
        log_error("%s: %s", file, message);
    }
}
