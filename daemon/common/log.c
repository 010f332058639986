#include "common/log.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LOG_LINE_SIZE = 1024, /* less than a pipe takes at once if it takes anything */
    PRIORITY_ERROR = 3,
    PRIORITY_WARNING = 4,
    PRIORITY_NOTICE = 5,
};

/* Between a look whether there is room and the writing nobody else may take the room. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned lost;

/* Whoever reads the log, or does not, shall not keep the game waiting. False: it is lost. */
static bool write_line(int priority, const char *text)
{
    struct pollfd log = {.fd = STDERR_FILENO, .events = POLLOUT};
    char line[LOG_LINE_SIZE + 8];
    char prefix[8] = "";

    if (getenv("JOURNAL_STREAM")) {
        snprintf(prefix, sizeof prefix, "<%d>", priority);
    }
    size_t length = (size_t)snprintf(line, sizeof line, "%s%s\n", prefix, text);
    return poll(&log, 1, 0) > 0 && (log.revents & POLLOUT) &&
           write(STDERR_FILENO, line, length) == (ssize_t)length;
}

static void write_how_many_are_lost(void)
{
    char text[LOG_LINE_SIZE];

    snprintf(text, sizeof text, "log: %u lines before this one could not be written", lost);
    if (write_line(PRIORITY_WARNING, text)) {
        lost = 0;
    }
}

__attribute__((format(printf, 2, 0))) static void print(int priority, const char *format,
                                                        va_list arguments)
{
    char text[LOG_LINE_SIZE];

    vsnprintf(text, sizeof text, format, arguments);
    pthread_mutex_lock(&lock);
    if (lost) {
        write_how_many_are_lost();
    }
    if (lost || !write_line(priority, text)) {
        lost++;
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

LOG_FUNCTION(log_error, PRIORITY_ERROR)
LOG_FUNCTION(log_warning, PRIORITY_WARNING)
LOG_FUNCTION(log_notice, PRIORITY_NOTICE)
