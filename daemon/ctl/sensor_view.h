/*
 * The sensors of a table, read from its topics, whatever they hold.
 */
#ifndef CTL_SENSOR_VIEW_H
#define CTL_SENSOR_VIEW_H

#include "config/config.h"
#include "hw/sensor.h"

enum {
    SENSOR_VIEW_TEXT_SIZE = 192,
    SENSOR_VIEW_PROBLEMS_MAX = 16, /* more do not fit on a screen */
};

struct sensor_reading {
    bool heard; /* a signal since the daemon started, or over MQTT anything */
    bool level; /* true: active */
    enum health health;
    uint32_t edges;
    uint32_t rate;                    /* edges within a second, until the last one */
    uint32_t width_us;                /* of the last pulse, 0 if none is over */
    int64_t at_ms;                    /* UTC, of the last edge; 0: unknown */
    bool is_radio;                    /* it reports over MQTT; then also: */
    char line[SENSOR_VIEW_TEXT_SIZE]; /* where, as the daemon has it; "": unknown */
    bool has_reported;
    struct radio_link link;
};

struct rope_reading {
    bool heard;
    int64_t counts;         /* of the encoder since its last zero, as it counts */
    uint32_t invalid;       /* transitions that no encoder makes */
    uint32_t presses;       /* of its button */
    int64_t pressed_counts; /* counts when the last of them began */
};

struct sensor_view {
    struct sensor_names names;
    struct sensor_reading readings[SENSOR_COUNT];
    struct rope_reading rope;
    char backend[SENSOR_VIEW_TEXT_SIZE]; /* "": unknown */
    enum phase phase;
    char check[SENSOR_VIEW_TEXT_SIZE]; /* which check the problems are of; "": unknown */
    unsigned problem_count;
    char problems[SENSOR_VIEW_PROBLEMS_MAX][SENSOR_VIEW_TEXT_SIZE];
};

/* The names of all sensors with the push buttons of the configuration. */
void sensor_view_name(struct sensor_names *names, const struct hw_config *hw);

/*
 * Reads what was published on a topic below the table's base (`sensor/PLACE/KIND`, `rope`, `info`,
 * `ready`, `state`). What cannot be read changes nothing. True when there is something new.
 */
bool sensor_view_hear(struct sensor_view *view, const char *topic, const void *payload,
                      size_t size);

/* Whether they are simulated, as the daemon says, or else the configuration. */
bool sensor_view_is_simulated(const struct sensor_view *view, const struct hw_config *hw);

#endif
