/* Times as text, compared with the C library. */
#include "tests/support/test.h"

#include "common/utc.h"

#include <stdio.h>
#include <time.h>

static void assert_same(int64_t wall_ms)
{
    time_t seconds = (time_t)((wall_ms - (wall_ms % 1000 + 1000) % 1000) / 1000);
    char expected[64];
    char date[32];
    char text[UTC_SIZE];
    struct tm utc;

    assert_non_null(gmtime_r(&seconds, &utc));
    strftime(date, sizeof date, "%m-%dT%H:%M:%S", &utc);
    snprintf(expected, sizeof expected, "%04d-%s.%03dZ", utc.tm_year + 1900, date,
             (int)((wall_ms % 1000 + 1000) % 1000));
    utc_write(wall_ms, text);
    assert_string_equal(text, expected);
}

/* Every day of 1600 to 2400, at another time of the day. */
TEST(every_day_has_its_date)
{
    const int64_t day_ms = 86400000;

    for (int64_t day = -370 * 365; day < 430 * 365; day++) {
        assert_same(day * day_ms + (day + 370 * 365) * 791999 % day_ms);
    }
}

TEST(the_years_1_to_9999_have_four_digits)
{
    assert_same(INT64_C(-62135596800000));
    assert_same(INT64_C(253402300799999));
}
