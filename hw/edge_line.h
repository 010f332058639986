/*
 * An edge as one line of text, for the simulation's socket and for recordings.
 *
 *     cannon.beam 1               at the time at which it is read
 *     @81234567 cannon.beam 0     at this time, in microseconds of the monotonic clock
 *
 * Of radio sensors, recordings also have the other kinds of enum edge_kind:
 *
 *     @81234567 red-1.tilt =1     the level, which did not change now
 *     @81234567 red-1.tilt gone   and `back`, `lossy`
 */
#ifndef HW_EDGE_LINE_H
#define HW_EDGE_LINE_H

#include "hw/sensor.h"

#include <stddef.h>

enum {
    EDGE_LINE_SIZE = 64,   /* of a line that is written, with its end */
    EDGE_ERROR_SIZE = 160, /* of a sentence about a line that cannot be read */
};

/* at_us of a line without a time; larger than any time that can be read. */
#define EDGE_UNTIMED_US UINT64_MAX
#define EDGE_TIME_MAX_US (UINT64_MAX >> 2)

/*
 * Reads a line without its newline. 0 and the edge, or -EINVAL and a sentence that names the
 * accepted values: one printable line, cut off at EDGE_ERROR_SIZE.
 */
int edge_line_read(const struct sensor_names *names, const char *line, struct edge *edge,
                   char error[EDGE_ERROR_SIZE]);

/* Writes the line with its time and with a newline; returns its length. */
size_t edge_line_write(const struct sensor_names *names, const struct edge *edge,
                       char line[EDGE_LINE_SIZE]);

#endif
