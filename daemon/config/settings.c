#include "config/settings.h"

struct filter_settings filter_settings_of(const struct config *config)
{
    return (struct filter_settings){
        .tilt_settle_ms = config->timing.tilt_settle_ms,
        .beam_min_us = config->timing.beam_min_us,
        .button_ms = config->timing.button_ms,
        .stuck_s = config->timing.stuck_s,
        .beam_gap_um = config->hw.beam_gap_um,
        .two_beams = config->hw.lines[SENSOR_CANNON_BEAM2].fitted,
        .counts_per_knot = config->hw.counts_per_knot,
        .rope_reverse = config->hw.rope_reverse,
    };
}

struct button_names button_names_of(const struct config *config)
{
    struct button_names buttons = {.count = config->hw.button_count};

    for (unsigned i = 0; i < buttons.count; i++) {
        snprintf(buttons.name[i], sizeof buttons.name[i], "%.*s", BUTTON_NAME_SIZE - 1,
                 config->hw.buttons[i].name);
    }
    return buttons;
}
