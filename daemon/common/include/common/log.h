/*
 * The log: one line each on stderr, with the priorities of the systemd journal when it listens.
 * Only daemon/ logs, and an error is logged once, by whoever stops passing it on. Any thread may.
 *
 * Nobody waits for whoever reads the log: a line for which there is no room is dropped, and how
 * many were is told when there is room again.
 */
#ifndef DAEMON_LOG_H
#define DAEMON_LOG_H

__attribute__((format(printf, 1, 2))) void log_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void log_warning(const char *format, ...);
__attribute__((format(printf, 1, 2))) void log_notice(const char *format, ...);

#endif
