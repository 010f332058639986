#include "observed.h"

enum { MISSED_MAX = 3 };

static bool is_tilt(unsigned sensor)
{
    return sensor >= SENSOR_TILT && sensor < SENSOR_TILT + PIECE_COUNT;
}

static void note_reading(struct observed *observed, const struct fact *fact)
{
    struct sensor_state *sensor = &observed->sensors[fact->sensor];

    if (is_tilt(fact->sensor)) {
        observed->missed[fact->sensor - SENSOR_TILT] = 0;
    }
    sensor->level = fact->level;
    sensor->edges = fact->edges;
    sensor->rate = fact->rate;
    sensor->pulse_us = fact->pulse_us;
    sensor->at_us = fact->at_us;
    sensor->health = sensor->health ? sensor->health : HEALTH_OK;
}

/*
 * At the start a switch reports what it finds, which is not a change, and a faulty switch may
 * report anything: then a person's word counts more.
 */
static bool is_overruled(const struct observed *observed, enum piece piece, uint32_t declared)
{
    bool is_change =
        observed->looked && observed_is_trusted(observed, SENSOR_TILT + (unsigned)piece);

    return !is_change && (declared & bit(piece));
}

static void note_piece(struct observed *observed, enum piece piece, bool lies, uint32_t declared)
{
    observed->missed[piece] = 0;
    if (!is_overruled(observed, piece, declared)) {
        observed->sensors[SENSOR_TILT + piece].settled = lies;
    }
}

static void note_look(struct observed *observed, const struct fact *fact, uint32_t declared)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (fact->pieces & ~declared & bit(piece)) {
            observed->sensors[SENSOR_TILT + piece].settled = (fact->lying & bit(piece)) != 0;
        }
    }
    observed->looked = observed->looked || fact->sensor == SENSOR_NONE;
}

static void note_rope(struct observed *observed, const struct fact *fact)
{
    observed->rope_counts = fact->counts;
    observed->rope_invalid = fact->invalid;
    observed->rope_milli = fact->knots_milli;
}

void observed_fact(struct observed *observed, const struct fact *fact, uint32_t declared)
{
    struct sensor_state *sensor = &observed->sensors[fact->sensor];

    switch (fact->kind) {
    case FACT_SENSED:
        note_reading(observed, fact);
        break;
    case FACT_HEALTH:
        sensor->health = (uint8_t)fact->health;
        break;
    case FACT_TOPPLED:
    case FACT_RAISED:
        note_piece(observed, fact->piece, fact->kind == FACT_TOPPLED, declared);
        break;
    case FACT_LOOKED:
        note_look(observed, fact, declared);
        break;
    case FACT_BLOCKED:
        sensor->settled = fact->level;
        break;
    case FACT_ROPE_AT:
        note_rope(observed, fact);
        break;
    case FACT_ROPE_PRESSED: /* FACT_ROPE_AT is rate-limited; this reading is exact */
        note_rope(observed, fact);
        observed->rope_presses++;
        observed->rope_pressed_counts = fact->pressed_counts;
        break;
    default:
        break;
    }
}

void observed_zero_rope(struct observed *observed)
{
    observed->rope_milli = 0;
    observed->rope_counts = 0;
}

static void note_statement(struct observed *observed, const struct input *input)
{
    struct sensor_state *sensor = &observed->sensors[SENSOR_TILT + input->piece];
    uint8_t *missed = &observed->missed[input->piece];

    if (input->kind == INPUT_RAISE) {
        sensor->settled = 0;
    } else if (!sensor->settled && *missed < MISSED_MAX) {
        ++*missed;
    }
}

/* An undo took back that a person raised these pieces: they lie, as their sensors reported. */
static void restore_lying(struct observed *observed, uint32_t pieces)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & bit(piece)) {
            observed->sensors[SENSOR_TILT + piece].settled = 1;
        }
    }
}

void observed_input(struct observed *observed, const struct input *input, const struct game *before,
                    const struct game *after)
{
    if (input->kind == INPUT_TOPPLE || input->kind == INPUT_RAISE) {
        note_statement(observed, input);
    } else if (input->kind == INPUT_UNDO) {
        restore_lying(observed, after->lying & ~before->lying & ~after->declared);
    }
}

bool observed_is_trusted(const struct observed *observed, unsigned sensor)
{
    return observed->sensors[sensor].health <= HEALTH_OK;
}

bool observed_rope_is_trusted(const struct observed *observed)
{
    return observed_is_trusted(observed, SENSOR_ROPE_A) &&
           observed_is_trusted(observed, SENSOR_ROPE_B);
}

/* S3: a radio sensor that is silent by now, before the fall has settled, has reported it in time.
 */
static bool was_reported(const struct observed *observed, const struct fact *fact)
{
    const struct sensor_state *sensor = &observed->sensors[fact->sensor];

    return sensor->is_radio && sensor->health == HEALTH_SILENT;
}

bool observed_passes(const struct observed *observed, const struct fact *fact, uint32_t declared)
{
    switch (fact->kind) {
    case FACT_SENSED:
    case FACT_BLOCKED:
    case FACT_ROPE_AT:
        return false;
    case FACT_HEALTH:
    case FACT_LOOKED:
        return true;
    case FACT_TOPPLED:
    case FACT_RAISED:
        return (observed_is_trusted(observed, fact->sensor) || was_reported(observed, fact)) &&
               !is_overruled(observed, fact->piece, declared);
    default:
        return observed_is_trusted(observed, fact->sensor);
    }
}

uint32_t observed_lying(const struct observed *observed)
{
    uint32_t lying = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (observed->sensors[SENSOR_TILT + piece].settled &&
            observed_is_trusted(observed, SENSOR_TILT + piece)) {
            lying |= bit(piece);
        }
    }
    return lying;
}

bool observed_is_silent(const struct observed *observed, enum piece piece)
{
    if (observed->missed[piece] < MISSED_MAX) {
        return false;
    }
    for (unsigned other = 1; other < PIECE_COUNT; other++) {
        if (other != (unsigned)piece && observed->sensors[SENSOR_TILT + other].edges) {
            return true;
        }
    }
    return false;
}
