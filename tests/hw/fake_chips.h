/*
 * GPIO chips in memory, linked instead of the GPIO library and of what looks into /dev: two chips
 * of eight lines, `gpiochip0` and `gpiochip1`, whose lines a test moves.
 */
#ifndef TESTS_HW_FAKE_CHIPS_H
#define TESTS_HW_FAKE_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

enum { FAKE_CHIPS = 2, FAKE_LINES = 8, FAKE_EVENTS_MAX = 256 };

/* Two chips that are there, quiet lines that are low, nothing wrong. */
void fake_chips_reset(void);

/* The line goes there, and an event tells it. */
void fake_chips_edge(unsigned chip, unsigned line, uint64_t at_us, bool level);

/* The same, but the event is dropped; tells says whether the kernel admits it. */
void fake_chips_lose(unsigned chip, unsigned line, bool level, bool tells);

/* Opening this line fails with that error, from here on; 0: no more. */
void fake_chips_refuse(unsigned chip, unsigned line, int error);

/* The chip is pulled out; or it is put back. Who watches the chips is told, but not who waits for
 * events: so do older kernels. */
void fake_chips_unplug(unsigned chip);
void fake_chips_plug(unsigned chip);

/* How often lines of that chip were opened. */
unsigned fake_chips_openings(unsigned chip);

#endif
