/*
 * The log: one line each on stderr, with the priorities of the systemd journal when it listens.
 * Only daemon/ logs, and an error is logged once, by whoever stops passing it on. Any thread may.
 *
 * Nobody waits for whoever reads the log: a line for which there is no room is dropped, and how
 * many were is told when there is room again.
 */
#ifndef DAEMON_LOG_H
#define DAEMON_LOG_H

#include <stdbool.h>
#include <stdint.h>

__attribute__((format(printf, 1, 2))) void log_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void log_warning(const char *format, ...);
__attribute__((format(printf, 1, 2))) void log_notice(const char *format, ...);

/*
 * For every line that somebody outside can cause: a client, a broker, a sensor. LOG_BURST lines
 * pass, then one every LOG_REFILL_US. The first line that is suppressed is announced, and the next
 * one that passes says how many there were.
 */
enum { LOG_BURST = 10, LOG_REFILL_US = 6000000 };

enum log_level { LOG_LEVEL_ERROR = 3, LOG_LEVEL_WARNING = 4, LOG_LEVEL_NOTICE = 5 };

/* Zeroed: nothing was logged yet. One for each kind of line, usually static beside it. */
struct log_limit {
    uint64_t full_us;    /* when all LOG_BURST lines are allowed again */
    uint64_t suppressed; /* since the last line that passed */
};

__attribute__((format(printf, 3, 4))) void
log_limited(struct log_limit *limit, enum log_level level, const char *format, ...);

/* The decision alone, at that time; counts what is suppressed. */
bool log_limit_passes(struct log_limit *limit, uint64_t now_us);

#endif
