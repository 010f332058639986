#ifndef COMMON_UTC_H
#define COMMON_UTC_H

#include <stdint.h>

enum { UTC_SIZE = sizeof "2026-11-16T20:45:01.123Z" };

/* Writes a time, in milliseconds since 1970, of the years 1 to 9999. */
void utc_write(int64_t wall_ms, char text[UTC_SIZE]);

#endif
