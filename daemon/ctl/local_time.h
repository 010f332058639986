/* Times as the clock on the wall shows them. */
#ifndef CTL_LOCAL_TIME_H
#define CTL_LOCAL_TIME_H

#include <stddef.h>
#include <stdint.h>

/* Milliseconds since 1970 as text, in a format of strftime(3); "" for 0, which is no time. */
__attribute__((format(strftime, 2, 0))) const char *
local_time_write(int64_t wall_ms, const char *format, char *text, size_t size);

#endif
