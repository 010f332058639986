/* How our programs end, in the numbers of sysexits.h. */
#ifndef DAEMON_EXIT_CODES_H
#define DAEMON_EXIT_CODES_H

enum exit_code {
    EXIT_FINE = 0,
    EXIT_USAGE = 64,       /* wrong options */
    EXIT_UNAVAILABLE = 69, /* sensors or broker settings that cannot be opened */
    EXIT_INTERNAL = 70,
    EXIT_CONFIG = 78, /* the configuration has problems */
};

#endif
