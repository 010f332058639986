/*
 * The lines of one chip, as the GPIO library has them. gpiod_v1.c and gpiod_v2.c are the two of
 * these, one for each libgpiod; what they have in common is in real.c.
 */
#ifndef HW_CHIP_LINES_H
#define HW_CHIP_LINES_H

#include "lines.h"

enum { CHIP_LINES_MAX = 64 }; /* that can be asked for at once */

struct line_wish {
    uint32_t offset;
    bool active_low;
    uint8_t bias; /* enum line_bias */
};

/* An edge as the kernel tells it; see heal.h for how far it can be believed. */
struct line_event {
    uint64_t at_us;
    unsigned index; /* in the wishes */
    bool level;
    bool after_loss; /* the kernel admits that it has dropped events of this line just before */
};

struct chip_lines;

/* What the chip at this path is, with its lines on the heap. 0 or -errno. */
int chip_describe(const char *path, struct chip_info *info);

/* Asks for all these lines as inputs with events. 0 or -errno. */
int chip_lines_open(struct chip_lines **lines, const char *path, const struct line_wish *wishes,
                    unsigned count);

/* Readable when there are events, or when the chip has gone. */
int chip_lines_fd(const struct chip_lines *lines);

/*
 * Takes events without waiting, each line's in order. How many (0: there are none), or -errno:
 * the chip has gone. lost is set, and never cleared, when events of any of the lines may have been
 * dropped.
 */
int chip_lines_read(struct chip_lines *lines, struct line_event *events, size_t max, bool *lost);

/* 0 or 1, or -errno: the chip has gone. */
int chip_lines_level(struct chip_lines *lines, unsigned index);

/* Accepts NULL. */
void chip_lines_close(struct chip_lines *lines);

#endif
