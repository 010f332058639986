#include "local_time.h"

#include <time.h>

const char *local_time_write(int64_t wall_ms, const char *format, char *text, size_t size)
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm local;

    text[0] = '\0';
    if (seconds && localtime_r(&seconds, &local)) {
        strftime(text, size, format, &local);
    }
    return text;
}
