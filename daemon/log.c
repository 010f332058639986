#include "daemon/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG_LINE_SIZE = 1024, PRIORITY_ERROR = 3, PRIORITY_WARNING = 4, PRIORITY_NOTICE = 5 };

/* One write a line, so that lines of several threads do not mix. */
__attribute__((format(printf, 2, 0))) static void print(int priority, const char *format,
                                                        va_list arguments)
{
    char text[LOG_LINE_SIZE];

    vsnprintf(text, sizeof text, format, arguments);
    if (getenv("JOURNAL_STREAM")) {
        fprintf(stderr, "<%d>%s\n", priority, text);
    } else {
        fprintf(stderr, "%s\n", text);
    }
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
