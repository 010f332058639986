/* Settings of the sensors: where each one is wired, and how its edges are filtered. */
#ifndef HW_SETTINGS_H
#define HW_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { LINE_TEXT_SIZE = 64 };

enum line_bias { BIAS_AS_IS, BIAS_PULL_UP, BIAS_PULL_DOWN, BIAS_NONE };

/*
 * `GPIO17`, `gpiochip2:5` or `LABEL:5`, and flags. A line without a chip is on the default chip
 * ([hw] chip); a line given by name is also searched on all other chips.
 */
struct line_config {
    char chip[LINE_TEXT_SIZE]; /* name, path or label, or "" */
    char name[LINE_TEXT_SIZE]; /* "": by offset */
    uint32_t offset;
    bool fitted;
    bool active_low;
    uint8_t bias; /* enum line_bias */
};

/* A tilt switch that bounces for this many settle times is decided without being quiet. */
enum { TILT_SETTLES_MAX = 10 };

struct filter_settings {
    uint32_t tilt_settle_ms;
    uint32_t beam_min_us;
    uint32_t button_ms;
    uint32_t stuck_s; /* 0: never */
    uint32_t beam_gap_um;
    bool two_beams; /* cannon.beam2 is fitted */
    uint32_t counts_per_knot;
    bool rope_reverse;
};

#endif
