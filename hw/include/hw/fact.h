/*
 * What the sensors say: edges in, facts out.
 *
 * An edge is what a line did; a fact is what a player at the table would say of it. Times are
 * microseconds of the kernel's monotonic clock, and edges are judged by them alone.
 */
#ifndef HW_FACT_H
#define HW_FACT_H

#include "rules/words.h"

#include <stdbool.h>
#include <stdint.h>

enum { BUTTONS_MAX = 16 };

/* A time that never comes: no deadline. */
#define NEVER_US UINT64_MAX

/*
 * Every sensor that a table can have has a number: the cannon's and the rope's, a tilt switch and a
 * beam a piece, a dock a harbour, and the push buttons.
 */
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
 * One change of one line. What a backend reads anew, at its start or after a loss, it gives as an
 * edge wherever the level is not the one it gave last; before the first edge every level is 0.
 */
struct edge {
    uint64_t at_us;
    uint16_t sensor; /* enum sensor */
    uint8_t level;   /* 1: active (beam broken, tilted, pressed) */
};

/* What becomes of a line beside its edges. */
enum line_news_kind {
    LINE_LOSSY, /* its level is another one than its edges told */
    LINE_GONE,  /* its chip does not answer any more */
    LINE_BACK,  /* it does again */
    LINE_NEWS_COUNT,
};

struct line_news {
    uint16_t sensor; /* enum sensor */
    enum line_news_kind kind;
};

#define HW_FACTS(X)                                                                                \
    X(BALL_LEFT, "ball-left")       /* speed_mmps, if two beams saw the ball */                    \
    X(HIT, "hit")                   /* piece */                                                    \
    X(TOPPLED, "toppled")           /* piece, pieces still moving; at_us: the tilt began */        \
    X(RAISED, "raised")             /* piece */                                                    \
    X(ROPE_AT, "rope-at")           /* knots_milli, counts since the last zero; invalid */         \
    X(ROPE_PRESSED, "rope-pressed") /* shorter than a hold; knots_milli as it was told */          \
    X(ROPE_HELD, "rope-held")       /* told as soon as it is a hold; knots_milli */                \
    X(PRESSED, "pressed")           /* button: index of a push button */                           \
    X(DOCKED, "docked")             /* harbour, level */                                           \
    X(LOOKED, "looked")             /* pieces whose switch was asked, lying: those that lie */     \
    X(BLOCKED, "blocked")           /* sensor, level 1: what is in the beam does not fly */        \
    X(SENSED, "sensed")             /* sensor, level, edges and more: for its topic */             \
    X(HEALTH, "health")             /* the same, and health has changed */

#define HW_ENUM_FACT(name, ...) FACT_##name,
enum fact_kind { FACT_NONE, HW_FACTS(HW_ENUM_FACT) FACT_COUNT };

enum { EVIDENCE_BEAMS_MAX = 1 };

/* What a fact rests on; published with the events it causes. */
struct evidence {
    uint64_t at_us;
    uint32_t width_us;  /* of a pulse, 0 if none */
    uint32_t settle_us; /* how long a switch has been quiet or was watched, 0 if none */
    uint32_t bounces;
    uint16_t sensor; /* enum sensor; SENSOR_NONE: no sensor was involved */
    uint8_t beams;   /* 1: only one of two muzzle beams saw the ball; else 0 */
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
    uint32_t rate;     /* edges within a second, until the last one */
    uint32_t pulse_us; /* how long it was active the last time, 0 if that is not over */
    uint32_t speed_mmps;
    int32_t knots_milli;
    int32_t counts;   /* of the encoder */
    uint32_t invalid; /* transitions since the start that no encoder makes */
    struct evidence evidence;
};

/* The name of the list above; "?" for what is not in it. */
const char *fact_name(enum fact_kind kind);

/* Whether each one counts, and their order; of the others only the latest of a sensor matters. */
bool fact_is_of_game(enum fact_kind kind);

#endif
