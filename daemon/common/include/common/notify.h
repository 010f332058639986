/* Messages to systemd that never block: sd_notify waits while the manager does not read. */
#ifndef COMMON_NOTIFY_H
#define COMMON_NOTIFY_H

#include <stdbool.h>

/*
 * Sends a state such as READY=1 to the socket in $NOTIFY_SOCKET. False when the socket is full: try
 * again later. True otherwise, also when nobody listens.
 */
bool notify_systemd(const char *state);

#endif
