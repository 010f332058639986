/*
 * The log: lines on stderr, with the priorities of the systemd journal under systemd. Only daemon/
 * logs; an error is logged once, where it is no longer passed up. Any thread may log.
 *
 * Logging never blocks: a line that stderr does not accept is dropped and counted, and the count is
 * logged as soon as stderr accepts lines again.
 */
#ifndef COMMON_LOG_H
#define COMMON_LOG_H

#include <stdbool.h>
#include <stdint.h>

__attribute__((format(printf, 1, 2))) void log_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void log_warning(const char *format, ...);
__attribute__((format(printf, 1, 2))) void log_notice(const char *format, ...);

/* A problem in a file, as FILE:LINE: MESSAGE; line 0: none. Has the type of a config_problem_fn. */
void log_file_problem(void *context, const char *file, int line, const char *message);

/*
 * For every line that a client, a broker or a sensor can cause. LOG_BURST lines pass, then one
 * every LOG_REFILL_US. The first suppressed line is announced, and the next line that passes is
 * preceded by the number of suppressed lines.
 */
enum { LOG_BURST = 10, LOG_REFILL_US = 6000000 };

enum log_level { LOG_LEVEL_ERROR = 3, LOG_LEVEL_WARNING = 4, LOG_LEVEL_NOTICE = 5 };

/* One for each kind of line, usually static next to it; starts zeroed. */
struct log_limit {
    uint64_t full_us;    /* when all LOG_BURST lines are allowed again */
    uint64_t suppressed; /* since the last line that passed */
};

__attribute__((format(printf, 3, 4))) void
log_limited(struct log_limit *limit, enum log_level level, const char *format, ...);

/* Only the decision for a line at that time; counts suppressed lines. */
bool log_limit_passes(struct log_limit *limit, uint64_t now_us);

#endif
