/*
 * What the sensors see at this moment, and what of it keeps a game from starting or contradicts the
 * game that is played. A plain value: facts in, problems out. It rests on facts that have settled,
 * never on the level that a sensor happens to have.
 */
#ifndef DAEMON_SIGHT_H
#define DAEMON_SIGHT_H

#include "hw/fact.h"
#include "rules/rules.h"

#include <stddef.h>

/* Before a game it is looked whether one may start, in a game whether the table is as it says. */
#define SIGHT_CHECKS(X)                                                                            \
    X(START, "start")                                                                              \
    X(RESUME, "resume")

/* What can be wrong: X(NAME, "what is said of the piece, beam, rope or sensor", "what to do"). */
#define SIGHT_TROUBLES(X)                                                                          \
    X(LIES, "lies on its side", "stand it up")                                                     \
    X(FELL, "lies on its side, the game says it stands", "stand it up, or send raise for it")      \
    X(ROSE, "stands, the game says it lies flat", "lay it down, or send topple for it")            \
    X(BLOCKED, "is broken", "take away what is in it")                                             \
    X(ROPE_OUT, "is pulled out", "wind it in")                                                     \
    X(UNWELL, "is", "do not rely on it, look yourself") /* the health follows */

#define SIGHT_ENUM_CHECK(name, ...) SIGHT_##name,
#define SIGHT_ENUM_TROUBLE(name, ...) TROUBLE_##name,
enum sight_check_kind { SIGHT_NONE, SIGHT_CHECKS(SIGHT_ENUM_CHECK) SIGHT_CHECK_COUNT };
enum trouble { TROUBLE_NONE, SIGHT_TROUBLES(SIGHT_ENUM_TROUBLE) TROUBLE_COUNT };

enum { PROBLEMS_MAX = SENSOR_COUNT, PROBLEM_TEXT_SIZE = 128 };

/* One sensor; what the sensor topics say, and what has settled. */
struct sensor_state {
    uint64_t at_us; /* of the last edge, 0 if none was heard */
    uint32_t edges;
    uint32_t rate;     /* edges within a second, until the last one */
    uint32_t pulse_us; /* how long it was active the last time, 0 if that is not over */
    uint8_t level;
    uint8_t health;  /* enum health; HEALTH_NONE: never heard of */
    uint8_t settled; /* 1: a piece lies, a beam is blocked */
    uint8_t spare;
};

/* Zeroed: nothing has been heard, everything stands, the beams are clear and the rope is in. */
struct sight {
    struct sensor_state sensors[SENSOR_COUNT];
    bool looked;                 /* all sensors have told how they found the table */
    uint8_t missed[PIECE_COUNT]; /* falls that people told and its switch did not */
    int32_t rope_milli;          /* since the last zero */
    int32_t rope_in_milli;       /* the least reading since then: so far it was wound in */
    int32_t rope_counts;
    uint32_t rope_invalid;
};

/* told: the pieces of which a person spoke last, as in struct game; 0 without one. */
void sight_fact(struct sight *sight, const struct fact *fact, uint32_t told);
void sight_zero_rope(struct sight *sight);

/*
 * The game has accepted this. What a person says of a piece counts until its sensor sees something
 * new, or the word is taken back.
 */
void sight_input(struct sight *sight, const struct input *input, const struct game *before,
                 const struct game *after);

/* Whether the sensor is healthy, or not heard of yet. */
bool sight_believes(const struct sight *sight, unsigned sensor);
bool sight_believes_rope(const struct sight *sight);

/*
 * Whether the fact is for the game, and no mere reading. What a sensor says that is not well is
 * not, and neither is what it finds at the start of a piece of which a person spoke last.
 */
bool sight_lets_pass(const struct sight *sight, const struct fact *fact, uint32_t told);

/* The pieces that lie as far as healthy sensors see; a set: 1 << enum piece. */
uint32_t sight_lying(const struct sight *sight);

/*
 * Whether the switch of a piece must be silent: several falls in a row were told by people and by
 * no edge of it, while others of its kind spoke.
 */
bool sight_misses(const struct sight *sight, enum piece piece);

struct problem {
    uint16_t sensor; /* enum sensor */
    uint8_t trouble; /* enum trouble */
    uint8_t piece;   /* enum piece, PIECE_NONE if it concerns none */
    uint8_t health;  /* enum health, of TROUBLE_UNWELL */
    uint8_t blocks;  /* it keeps a game from starting in which the piece takes part */
};

/* All problems, in the order of the sensors. Without padding: compared with memcmp. */
struct sight_check {
    uint16_t kind; /* enum sight_check_kind */
    uint16_t ready;
    uint16_t count;
    struct problem problems[PROBLEMS_MAX];
};

/* ready: whether a game that is set up like this may start. Problems of all pieces are listed. */
void sight_check_start(const struct sight *sight, const struct setup *setup,
                       struct sight_check *check);

/* ready: whether the table is as the game says. */
void sight_check_game(const struct sight *sight, const struct game *game,
                      struct sight_check *check);

/* Whether the problem keeps a game that is set up like this from starting. */
bool problem_keeps_from(const struct problem *problem, const struct setup *setup);

const char *sight_check_name(enum sight_check_kind kind);

/* "blue-2 lies on its side: stand it up." sensor is the name of problem->sensor. */
void problem_say(const struct problem *problem, const char *sensor, char *text, size_t size);

/* Why a game that is set up like this cannot start, as one sentence of at most SENTENCE_SIZE. */
void sight_say_refusal(const struct sight_check *check, const struct setup *setup, char *text,
                       size_t size);

#endif
