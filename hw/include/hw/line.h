/* Where a sensor is wired, in the words of the configuration. */
#ifndef HW_LINE_H
#define HW_LINE_H

#include <stdbool.h>
#include <stdint.h>

enum { LINE_TEXT_SIZE = 64 };

enum line_bias { BIAS_AS_IS, BIAS_PULL_UP, BIAS_PULL_DOWN, BIAS_NONE };

/*
 * `GPIO17`, `gpiochip2:5`, `LABEL:5`, and its flags. Without a chip the line is on the default chip
 * ([hw] chip); found by its name it may also be on any other.
 */
struct line_config {
    char chip[LINE_TEXT_SIZE]; /* name, path or label, or "" */
    char name[LINE_TEXT_SIZE]; /* "": by offset */
    uint32_t offset;
    bool fitted;
    bool active_low;
    uint8_t bias; /* enum line_bias */
};

#endif
