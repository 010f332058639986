/*
 * Messages to systemd. By hand, because sd_notify waits while the manager does not read, and
 * libsystemd brings a megabyte of libraries for compression and cryptography with it.
 */
#ifndef COMMON_NOTIFY_H
#define COMMON_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sends a state such as READY=1 to the socket in $NOTIFY_SOCKET. False when the socket is full: try
 * again later. True otherwise, also when nobody listens.
 */
bool notify_systemd(const char *state);

/* How often systemd wants to be sent WATCHDOG=1, at the least; 0: not at all. */
uint64_t notify_watchdog_us(void);

#endif
