/*
 * The observed table: what the sensors report, and which of their facts the game may rely on. A
 * plain value that takes facts and answers questions. It is based on debounced facts, never on the
 * level that a sensor has at the moment.
 *
 * `declared` is, as in struct game, the set of the pieces about which a person spoke last; 0
 * without a game. Sets of pieces are masks of 1 << enum piece.
 */
#ifndef TABLE_OBSERVED_H
#define TABLE_OBSERVED_H

#include "hw/fact.h"
#include "hw/settings.h"
#include "rules/rules.h"

/* One sensor. */
struct sensor_state {
    uint64_t at_us; /* of the last edge, 0 if there was none */
    uint32_t edges;
    uint32_t rate;     /* edges within a second, until the last one */
    uint32_t pulse_us; /* how long it was active the last time, 0 if that is not over */
    uint8_t level;
    uint8_t health;    /* enum health; HEALTH_NONE: nothing reported yet */
    uint8_t settled;   /* 1: a piece lies, a beam is blocked */
    bool is_radio;     /* it reports over MQTT; only then the rest is used */
    bool is_once;      /* it reports only that it becomes active */
    uint64_t heard_us; /* of the last reading, 0 if there was none since the start */
    struct radio_link link;
};

/* Zeroed: nothing reported, everything stands, the beams are clear and the rope is wound in. */
struct observed {
    struct sensor_state sensors[SENSOR_COUNT];
    bool looked;                 /* all sensors have reported how they found the table */
    uint8_t missed[PIECE_COUNT]; /* falls that people reported and the switch did not */
    int32_t rope_milli;          /* since the last zero */
    int32_t rope_counts;
    uint32_t rope_invalid;
    uint32_t rope_presses;       /* of its button, since the start */
    int32_t rope_pressed_counts; /* rope_counts when the last of them began */
};

void observed_fact(struct observed *observed, const struct fact *fact, uint32_t declared);
void observed_zero_rope(struct observed *observed);

/*
 * The game has accepted this input. What a person says about a piece counts until its sensor
 * reports something new, or until it is taken back.
 */
void observed_input(struct observed *observed, const struct input *input, const struct game *before,
                    const struct game *after);

/* Whether the sensor is healthy, or has reported nothing yet. */
bool observed_is_trusted(const struct observed *observed, unsigned sensor);
bool observed_rope_is_trusted(const struct observed *observed);

/*
 * Whether the fact is one for the game and not a mere reading. Facts of a faulty sensor are not,
 * unless it is a radio sensor that became silent after its report; nor is what a switch finds at
 * the start about a piece of which a person spoke last.
 */
bool observed_passes(const struct observed *observed, const struct fact *fact, uint32_t declared);

/* The pieces that lie according to healthy sensors. */
uint32_t observed_lying(const struct observed *observed);

/*
 * Whether the switch of a piece must be silent: people reported several falls in a row without an
 * edge from it, while other switches work.
 */
bool observed_is_silent(const struct observed *observed, enum piece piece);

#endif
