/* Settings of the sensors: where each one reports, and how its edges are filtered. */
#ifndef HW_SETTINGS_H
#define HW_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { LINE_TEXT_SIZE = 64 };

enum line_bias { BIAS_AS_IS, BIAS_PULL_UP, BIAS_PULL_DOWN, BIAS_NONE };

enum {
    RADIO_TOPIC_SIZE = 256,
    RADIO_TEXT_SIZE = 64,   /* of a path or a value, and of the name of a node and its sensor */
    RADIO_LEVELS_MAX = 100, /* of a topic; mosquitto closes the connection above 200 */
    RADIO_ALIVE_MAX = 2,
    RADIO_LATE_MAX_MS = 10000,
};

enum line_source { LINE_GPIO, LINE_MQTT, LINE_NODE };

/* When a message on an MQTT topic means that the sensor is active. */
enum radio_match {
    MATCH_WORD,   /* the payload is `ON`, `1`, `true`, `open` or `pressed` */
    MATCH_VALUE,  /* the payload equals value */
    MATCH_MEMBER, /* the member at path of a JSON payload equals value */
    MATCH_ABOVE,  /* the number at path is above that in value */
    MATCH_BELOW,
};

/*
 * `mqtt TOPIC`, with what follows it, or `node NODE SENSOR`. It has no padding that differs between
 * two equal ones: it is cleared before it is filled in.
 */
struct radio_source {
    char topic[RADIO_TOPIC_SIZE]; /* of a node: its name */
    char path[RADIO_TEXT_SIZE];   /* of a node: the sensor's name in its messages */
    char value[RADIO_TEXT_SIZE];
    char alive[RADIO_ALIVE_MAX][RADIO_TOPIC_SIZE]; /* "": none */
    double number;                                 /* of value, if is_number */
    uint32_t late_ms;                              /* if has_late; else the default applies */
    bool is_number;
    bool has_late;
    bool once;     /* only an activation is reported */
    uint8_t match; /* enum radio_match */
};

/* Figures of the radio link; RADIO_UNKNOWN if none was sent. */
enum { RADIO_UNKNOWN = INT16_MIN };

struct radio_link {
    int16_t battery; /* percent, 0 to 100 */
    int16_t linkquality;
    int16_t rssi; /* dBm */
};

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
    uint8_t bias;              /* enum line_bias */
    uint8_t source;            /* enum line_source */
    struct radio_source radio; /* unless the source is LINE_GPIO; then all above is empty */
};

/* Whether messages from the broker bring the edges of this sensor. */
static inline bool line_is_radio(const struct line_config *line)
{
    return line->fitted && line->source != LINE_GPIO;
}

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
