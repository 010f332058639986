/*
 * GPIO chips in memory, linked instead of gpiod_v1.c or gpiod_v2.c and chip_scan.c: `gpiochip0` and
 * `gpiochip1`, with eight lines each.
 */
#ifndef TESTS_HW_FAKE_CHIPS_H
#define TESTS_HW_FAKE_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

enum { FAKE_CHIPS = 2, FAKE_LINES = 8, FAKE_EVENTS_MAX = 256 };

/* Both chips exist, all lines are low. */
void fake_chips_reset(void);

/* The line changes, with an event. */
void fake_chips_edge(unsigned chip, unsigned line, uint64_t at_us, bool level);

/* The line changes, and its event is dropped; the kernel reports that, or not. */
void fake_chips_lose(unsigned chip, unsigned line, bool level, bool reported);

/* From now on opening this line fails with that error; 0: it does not. */
void fake_chips_refuse(unsigned chip, unsigned line, int error);

/* Removes the chip, or puts it back. Only chip_watch notices, not a wait for events, as in older
 * kernels. */
void fake_chips_unplug(unsigned chip);
void fake_chips_plug(unsigned chip);

/* How often lines of that chip were opened. */
unsigned fake_chips_openings(unsigned chip);

#endif
