/*
 * A fault planted on purpose, to show that a failure is found, shrunk and reproduced: PLANTED_FAULT
 * is FAULT_none in the program proper, FAULT_claimed for a failure and FAULT_crash for a crash.
 */
#ifndef RANDOM_FAULT_H
#define RANDOM_FAULT_H

#include <stdint.h>

/* NULL, or a failure about a game in which these events (1 << enum event_kind) happened. */
const char *planted_fault(uint64_t events_seen);

#endif
