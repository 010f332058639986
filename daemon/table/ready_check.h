/*
 * The ready check: what is wrong with the table. Before a game it says whether one may start,
 * during a game whether the table is as the game says. Pure functions of the observed table.
 */
#ifndef TABLE_READY_CHECK_H
#define TABLE_READY_CHECK_H

#include "observed.h"

#include <stddef.h>

#define READY_CHECKS(X)                                                                            \
    X(START, "start")                                                                              \
    X(RESUME, "resume")

/* X(NAME, "what is said about the piece, beam, rope or sensor", "what to do"). */
#define READY_TROUBLES(X)                                                                          \
    X(LIES, "lies on its side", "stand it up")                                                     \
    X(FELL, "lies on its side, the game says it stands", "stand it up, or send raise for it")      \
    X(ROSE, "stands, the game says it lies flat", "lay it down, or send topple for it")            \
    X(BLOCKED, "is broken", "take away what is in it")                                             \
    X(ROPE_OUT, "is pulled out", "wind it in")                                                     \
    X(FAULTY, "is", "do not rely on it, look yourself") /* the health follows */                   \
    X(UNHEARD, "has not reported yet", "")              /* what to do depends on the sensor */     \
    X(BATTERY, "has a battery at", "replace it soon")   /* the percentage follows */

#define READY_ENUM_CHECK(name, ...) CHECK_##name,
#define READY_ENUM_TROUBLE(name, ...) TROUBLE_##name,
enum check_kind { CHECK_NONE, READY_CHECKS(READY_ENUM_CHECK) CHECK_COUNT };
enum trouble { TROUBLE_NONE, READY_TROUBLES(READY_ENUM_TROUBLE) TROUBLE_COUNT };

enum { PROBLEMS_MAX = SENSOR_COUNT, PROBLEM_TEXT_SIZE = 128 };

struct problem {
    uint16_t sensor; /* enum sensor */
    uint8_t trouble; /* enum trouble */
    uint8_t piece;   /* enum piece, PIECE_NONE if it concerns none */
    uint8_t health;  /* enum health, of TROUBLE_FAULTY */
    uint8_t blocks;  /* it prevents the start of a game in which the piece takes part */
    uint8_t percent; /* of TROUBLE_BATTERY */
    uint8_t spare;
};

/* All problems, in the order of the sensors. Without padding, so that memcmp compares two. */
struct ready_check {
    uint16_t kind; /* enum check_kind */
    uint16_t ready;
    uint16_t autostart; /* set by the caller: a game starts by itself as soon as it is ready */
    uint16_t count;
    struct problem problems[PROBLEMS_MAX];
};

/* ready: whether a game with this setup may start. Problems of all pieces are listed. */
void ready_check_start(const struct observed *observed, const struct setup *setup,
                       struct ready_check *check);

/* ready: whether the table is as the game says. */
void ready_check_game(const struct observed *observed, const struct game *game,
                      struct ready_check *check);

bool problem_prevents_start(const struct problem *problem, const struct setup *setup);

const char *ready_check_name(enum check_kind kind);

/* "blue-2 lies on its side: stand it up." sensor is the name of problem->sensor. */
void problem_message(const struct problem *problem, const char *sensor, char *text, size_t size);

/* Why a game with this setup cannot start, as one sentence of at most SENTENCE_SIZE. */
void ready_check_refusal(const struct ready_check *check, const struct setup *setup, char *text,
                         size_t size);

#endif
