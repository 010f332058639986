/* What the configuration says about how edges are judged. */
#ifndef HW_SETTINGS_H
#define HW_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* So many settle times a switch may chatter before it is judged without being quiet. */
enum { TILT_PATIENCE = 10 };

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
