#include "common/utc.h"

enum {
    MS_A_DAY = 86400000,
    DAYS_BEFORE_1970 = 719468, /* from 1 March of the year 0 */
    DAYS_IN_4_YEARS = 4 * 365 + 1,
    DAYS_IN_100_YEARS = 25 * DAYS_IN_4_YEARS - 1,
    DAYS_IN_400_YEARS = 4 * DAYS_IN_100_YEARS + 1,
    DAYS_IN_5_MONTHS = 153, /* from March or August on */
    MONTHS_FROM_MARCH_TO_DECEMBER = 10,
};

static void put_digits(char *text, unsigned count, int64_t number)
{
    while (count-- > 0) {
        text[count] = (char)('0' + number % 10);
        number /= 10;
    }
}

static int64_t least(int64_t one, int64_t two)
{
    return one < two ? one : two;
}

/* Years begin in March here, so that the leap day is the last one, and of the last year of four. */
static void put_date(char *text, int64_t days)
{
    int64_t year = days / DAYS_IN_400_YEARS * 400;
    days %= DAYS_IN_400_YEARS;
    int64_t centuries = least(days / DAYS_IN_100_YEARS, 3);
    days -= centuries * DAYS_IN_100_YEARS;
    int64_t fours = days / DAYS_IN_4_YEARS;
    days %= DAYS_IN_4_YEARS;
    int64_t years = least(days / 365, 3);
    days -= years * 365;
    int64_t month = (5 * days + 2) / DAYS_IN_5_MONTHS;

    year += centuries * 100 + fours * 4 + years + (month >= MONTHS_FROM_MARCH_TO_DECEMBER);
    put_digits(text, 4, year);
    put_digits(text + 5, 2, month < MONTHS_FROM_MARCH_TO_DECEMBER ? month + 3 : month - 9);
    put_digits(text + 8, 2, days - (DAYS_IN_5_MONTHS * month + 2) / 5 + 1);
}

void utc_write(int64_t wall_ms, char text[UTC_SIZE])
{
    static const char form[UTC_SIZE] = "0000-00-00T00:00:00.000Z";
    int64_t ms = wall_ms + (int64_t)DAYS_BEFORE_1970 * MS_A_DAY;
    int64_t seconds = ms % MS_A_DAY / 1000;

    for (unsigned i = 0; i < UTC_SIZE; i++) {
        text[i] = form[i];
    }
    put_date(text, ms / MS_A_DAY);
    put_digits(text + 11, 2, seconds / 3600);
    put_digits(text + 14, 2, seconds / 60 % 60);
    put_digits(text + 17, 2, seconds % 60);
    put_digits(text + 20, 3, ms % 1000);
}
