/*
 * Edges and facts.
 *
 * An edge is a change of a line; a fact is what it means to a player: the ball has left, blue-2
 * lies on its side. Times are microseconds of the kernel's monotonic clock, and filters use only
 * them, not the time at which an edge is read.
 */
#ifndef HW_FACT_H
#define HW_FACT_H

#include "rules/words.h"

#include <stdbool.h>
#include <stdint.h>

enum { BUTTONS_MAX = 16 };

/* No deadline. */
#define NEVER_US UINT64_MAX

/* The number of each sensor that a table can have. */
enum sensor {
    SENSOR_NONE,
    SENSOR_CANNON_BEAM,
    SENSOR_CANNON_BEAM2,
    SENSOR_ROPE_A,
    SENSOR_ROPE_B,
    SENSOR_ROPE_BUTTON,
    SENSOR_TILT,                                 /* + enum piece */
    SENSOR_BEAM = SENSOR_TILT + PIECE_COUNT,     /* + enum piece */
    SENSOR_DOCK = SENSOR_BEAM + PIECE_COUNT,     /* + enum harbour */
    SENSOR_BUTTON = SENSOR_DOCK + HARBOUR_COUNT, /* + index of the button */
    SENSOR_COUNT = SENSOR_BUTTON + BUTTONS_MAX,
};

/*
 * A change of a line. Before the first edge every level is 0. A backend that reads levels, at its
 * start or after a loss, adds an edge for each line whose level differs from its last edge.
 */
struct edge {
    uint64_t at_us;
    uint16_t sensor; /* enum sensor */
    uint8_t level;   /* 1: active (beam broken, tilted, pressed) */
    uint8_t kind;    /* enum edge_kind */
};

/* What a radio sensor reports besides its edges, in order with them. */
enum edge_kind {
    EDGE_CHANGE, /* the level has changed: an edge */
    EDGE_LEVEL,  /* the level is known, and did not change now: a retained message, a reset */
    EDGE_LOSSY,  /* edges were lost; the level is not used, nor is it below */
    EDGE_GONE,   /* nothing is heard of the sensor: it is silent */
    EDGE_BACK,
    EDGE_KIND_COUNT,
};

/* What a backend reports about a line besides its edges. */
enum line_status_kind {
    LINE_LOSSY, /* edges were lost */
    LINE_GONE,  /* its source, such as the GPIO chip, has gone */
    LINE_BACK,  /* the source is back */
    LINE_STATUS_COUNT,
};

struct line_status {
    uint16_t sensor; /* enum sensor */
    enum line_status_kind kind;
};

#define HW_FACTS(X)                                                                                \
    X(BALL_LEFT, "ball-left")       /* speed_mmps, if two beams detected the ball */               \
    X(HIT, "hit")                   /* piece */                                                    \
    X(TOPPLED, "toppled")           /* piece, pieces still moving; at_us: the tilt began */        \
    X(RAISED, "raised")             /* piece */                                                    \
    X(ROPE_AT, "rope-at")           /* knots_milli, counts since the last zero; invalid */         \
    X(ROPE_PRESSED, "rope-pressed") /* released before a hold; as ROPE_AT, and pressed_counts */   \
    X(ROPE_HELD, "rope-held")       /* as soon as it is a hold; the same */                        \
    X(PRESSED, "pressed")           /* button: index of a push button */                           \
    X(DOCKED, "docked")             /* harbour, level */                                           \
    X(LOOKED, "looked")             /* pieces whose switches were read, lying: those that lie */   \
    X(BLOCKED, "blocked")           /* sensor, level 1: an object stays in the beam */             \
    X(SENSED, "sensed")             /* sensor, level, edges, rate, pulse_us: for its topic */      \
    X(HEALTH, "health")             /* the same, and health, which has changed */

#define HW_ENUM_FACT(name, ...) FACT_##name,
enum fact_kind { FACT_NONE, HW_FACTS(HW_ENUM_FACT) FACT_COUNT };

enum { EVIDENCE_BEAMS_MAX = 1 };

/* The measurement behind a fact; published with the events that the fact causes. */
struct evidence {
    uint64_t at_us;
    uint32_t width_us;  /* of a pulse, 0 if none */
    uint32_t settle_us; /* quiet time of a switch before it was decided, 0 if none */
    uint32_t bounces;
    uint16_t sensor; /* enum sensor; SENSOR_NONE: no sensor was involved */
    uint8_t beams;   /* 1: only one of two muzzle beams detected the ball; else 0 */
    bool is_radio; /* reported over MQTT: at_us may be late, by up to late_ms; the table sets it */
    uint32_t late_ms;
};

struct fact {
    enum fact_kind kind;
    uint64_t at_us; /* when it began */
    enum piece piece;
    enum harbour harbour;
    uint32_t pieces; /* a set: 1 << enum piece */
    uint32_t lying;  /* the same */
    uint16_t sensor; /* enum sensor */
    uint8_t button;
    uint8_t level;
    enum health health;
    uint32_t edges;
    uint32_t rate;     /* edges within the second before the last one */
    uint32_t pulse_us; /* duration of the last active level, 0 if there was none */
    uint32_t speed_mmps;
    int32_t knots_milli;
    int32_t counts;         /* of the encoder */
    int32_t pressed_counts; /* counts when the button was pressed */
    uint32_t invalid;       /* impossible transitions and lost edges since the start */
    struct evidence evidence;
};

/* The name in the list above; "?" for a kind that is not in it. */
const char *fact_name(enum fact_kind kind);

/* Whether every fact of this kind counts; of other kinds only the latest of a sensor does. */
bool fact_is_of_game(enum fact_kind kind);

/*
 * Facts in the order in which they became certain. Between two edges a sensor can have its own
 * fact, two changes of health and two readings for its topic; the size allows for that and for the
 * edge itself.
 */
enum { FACT_LIST_MAX = 8 * SENSOR_COUNT };

struct fact_list {
    unsigned count;
    struct fact facts[FACT_LIST_MAX];
};

/* Appends a fact that began at at_us, with that sensor as its evidence; the caller adds the rest.
 */
struct fact *fact_list_add(struct fact_list *list, enum fact_kind kind, unsigned sensor,
                           uint64_t at_us);

#endif
