#include "stamp.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

void stamp_time(int64_t ago_s, char at[STAMP_TIME_SIZE])
{
    struct timespec now;
    struct tm utc;

    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= (time_t)ago_s;
    gmtime_r(&now.tv_sec, &utc);
    size_t length = strftime(at, STAMP_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(at + length, STAMP_TIME_SIZE - length, ".%03uZ",
             (unsigned)(now.tv_nsec / 1000000) % 1000);
}

void stamp_id(char id[STAMP_ID_SIZE])
{
    time_t now = time(NULL);
    struct tm utc;
    uint32_t random = 0;

    (void)!getrandom(&random, sizeof random, 0);
    gmtime_r(&now, &utc);
    size_t length = strftime(id, STAMP_ID_SIZE, "%Y%m%d-%H%M%S", &utc);
    snprintf(id + length, STAMP_ID_SIZE - length, "-%08x", random);
}
