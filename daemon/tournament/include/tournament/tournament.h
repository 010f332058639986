/*
 * A tournament as one pure step: who plays whom in each round, the results, and the standings. No
 * clock, no memory, no I/O; lots are drawn by the caller. Undo is a replay of all changes but the
 * last. docs/tournaments.md describes the rules.
 */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H

#include "rules/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TOURNAMENT_ENTRANTS_MAX = 64,
    TOURNAMENT_MEMBERS_MAX = 2,
    TOURNAMENT_GROUP_MAX = 4,
    TOURNAMENT_PAIRINGS_MAX = 512,
    TOURNAMENT_ROUNDS_MAX = 64,
    TOURNAMENT_TABLES_MAX = 32,
    TOURNAMENT_NAME_SIZE = 64,
    TOURNAMENT_GAME_SIZE = 32,
    TOURNAMENT_SCORE_MAX = 100000,
    TOURNAMENT_LINE_SIZE = 160,
    TOURNAMENT_NO_TABLE = -1,
};

#define TOURNAMENT_SYSTEMS(X)                                                                      \
    X(ROUND_ROBIN, "round-robin") /* everybody meets everybody */                                  \
    X(SWISS, "swiss")             /* neighbours in the standings who have not met */               \
    X(ELIMINATION, "elimination") /* who loses is out */

#define TOURNAMENT_ENUM_SYSTEM(name, word) TOURNAMENT_##name,
enum tournament_system { TOURNAMENT_SYSTEMS(TOURNAMENT_ENUM_SYSTEM) TOURNAMENT_SYSTEM_COUNT };

/* A player, or a team of two. Entrants are numbered from 1 where they are named; here from 0. */
struct tournament_entrant {
    char members[TOURNAMENT_MEMBERS_MAX][TOURNAMENT_NAME_SIZE];
    unsigned lot; /* 1 to entrant_count, each once: drawn before the first round */
    bool is_withdrawn;
};

struct tournament_settings {
    enum tournament_system system;
    unsigned group;  /* players or teams at a table: 2 to 4 */
    unsigned rounds; /* of a Swiss system; 0: as many as it takes to find one winner */
    bool has_teams;
    unsigned entrant_count;
    struct tournament_entrant entrants[TOURNAMENT_ENTRANTS_MAX];
    unsigned table_count;
    char tables[TOURNAMENT_TABLES_MAX][TOURNAMENT_NAME_SIZE];
};

/* Where a result comes from. */
#define TOURNAMENT_SOURCES(X)                                                                      \
    X(NONE, "none")   /* it is still being played */                                               \
    X(TABLE, "table") /* the game-over of a table */                                               \
    X(REFEREE, "referee")                                                                          \
    X(WALKOVER, "walkover") /* the others have withdrawn */

#define TOURNAMENT_ENUM_SOURCE(name, word) TOURNAMENT_BY_##name,
enum tournament_source { TOURNAMENT_SOURCES(TOURNAMENT_ENUM_SOURCE) TOURNAMENT_SOURCE_COUNT };

struct tournament_result {
    enum tournament_source source;
    uint8_t places[TOURNAMENT_GROUP_MAX]; /* from 1, in the order of the pairing */
    int32_t scores[TOURNAMENT_GROUP_MAX]; /* of the game */
    char game[TOURNAMENT_GAME_SIZE];      /* "": not of a table */
};

struct tournament_pairing {
    unsigned round; /* from 1 */
    unsigned count; /* 1: a bye */
    uint8_t entrants[TOURNAMENT_GROUP_MAX];
    int table; /* index of the tables, or TOURNAMENT_NO_TABLE */
    struct tournament_result result;
};

struct tournament {
    struct tournament_settings settings;
    unsigned round;  /* 0: not started */
    unsigned rounds; /* 0: not known yet */
    int64_t after;   /* of the last round: see struct tournament_change */
    unsigned pairing_count;
    struct tournament_pairing pairings[TOURNAMENT_PAIRINGS_MAX];
};

#define TOURNAMENT_VERBS(X)                                                                        \
    X(ROUND, "round")       /* pairs the next round */                                             \
    X(RESULT, "result")     /* of a pairing; replaces an earlier one */                            \
    X(TABLE, "table")       /* gives a pairing another table, or none */                           \
    X(WITHDRAW, "withdraw") /* an entrant leaves */

#define TOURNAMENT_ENUM_VERB(name, word) TOURNAMENT_##name##_VERB,
enum tournament_verb { TOURNAMENT_VERBS(TOURNAMENT_ENUM_VERB) TOURNAMENT_VERB_COUNT };

struct tournament_change {
    enum tournament_verb verb;
    unsigned pairing; /* index */
    unsigned entrant; /* index */
    int table;
    int64_t after; /* of a round: games up to this number do not count for it */
    struct tournament_result result;
};

/* What separates neighbours in the standings. */
#define TOURNAMENT_CRITERIA(X)                                                                     \
    X(SHARED, "shared") /* nothing: they share the place */                                        \
    X(POINTS, "points")                                                                            \
    X(OPPONENTS, "opponents") /* the sum of the points of all opponents */                         \
    X(DIRECT, "direct")       /* points against each other, if all of them have met */             \
    X(SCORES, "scores")       /* the sum of the scores in their games */                           \
    X(LOT, "lot")

#define TOURNAMENT_ENUM_CRITERION(name, word) TOURNAMENT_BY_##name##_CRITERION,
enum tournament_criterion {
    TOURNAMENT_CRITERIA(TOURNAMENT_ENUM_CRITERION) TOURNAMENT_CRITERION_COUNT
};

struct tournament_standing {
    unsigned entrant; /* index */
    unsigned place;   /* from 1 */
    unsigned played;  /* games with a result */
    int32_t points;
    int32_t opponents;
    int32_t direct;
    int32_t scores;
    enum tournament_criterion behind; /* what separates it from the one above */
};

const char *tournament_system_name(enum tournament_system system);
const char *tournament_source_name(enum tournament_source source);
const char *tournament_verb_name(enum tournament_verb verb);
const char *tournament_criterion_name(enum tournament_criterion criterion);

/* True; or false and a sentence. */
bool tournament_begin(const struct tournament_settings *settings, struct tournament *tournament,
                      struct text *problem);

/* True; or false and a sentence, with the tournament as it was. */
bool tournament_step(struct tournament *tournament, const struct tournament_change *change,
                     struct text *problem);

/* Whether all rounds are played and have their results. */
bool tournament_is_over(const struct tournament *tournament);

/* Whether the next round can be paired. */
bool tournament_can_pair(const struct tournament *tournament);

/* The points of a place in a pairing, for its member at this index; 0 without a result. */
int32_t tournament_points(const struct tournament *tournament,
                          const struct tournament_pairing *pairing, unsigned member);

/* All entrants, best first. */
void tournament_rank(const struct tournament *tournament,
                     struct tournament_standing standings[TOURNAMENT_ENTRANTS_MAX]);

/* The criteria behind points that this tournament uses, in their order; returns how many. */
unsigned tournament_criteria(const struct tournament *tournament,
                             enum tournament_criterion criteria[TOURNAMENT_CRITERION_COUNT]);

/*
 * A change as a line: `round after=12`, `result 3 places=1,2 scores=7,4 game=20260503-184211-1`,
 * `table 3 den`, `withdraw 2`. Numbers are from 1. Reading returns false if it is not one.
 */
void tournament_write_change(const struct tournament *tournament,
                             const struct tournament_change *change,
                             char line[TOURNAMENT_LINE_SIZE]);
bool tournament_read_change(const struct tournament *tournament, const char *line,
                            struct tournament_change *change);

#endif
