/* Exit codes of our programs, as in sysexits.h. */
#ifndef COMMON_EXIT_CODES_H
#define COMMON_EXIT_CODES_H

enum exit_code {
    EXIT_FINE = 0,
    EXIT_USAGE = 64,       /* invalid options */
    EXIT_UNAVAILABLE = 69, /* sensors or broker settings cannot be opened */
    EXIT_INTERNAL = 70,
    EXIT_CONFIG = 78, /* invalid configuration */
};

#endif
