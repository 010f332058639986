/*
 * A tournament as one pure step: who plays whom in each round, the results, and the standings. No
 * clock, no memory, no I/O; lots are drawn by the caller. Undo is a replay of all changes but the
 * last. docs/tournaments.md describes the rules.
 */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H

#include "rules/game.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TOURNAMENT_ENTRANTS_MAX = 64,
    TOURNAMENT_MEMBERS_MAX = 2,
    TOURNAMENT_GROUP_MAX = 4,
    TOURNAMENT_PAIRINGS_MAX = 512,
    TOURNAMENT_ROUNDS_MAX = 64,
    TOURNAMENT_TABLES_MAX = 32,
    TOURNAMENT_GAME_SIZE = 32,
    TOURNAMENT_SCORE_MAX = 100000,
    TOURNAMENT_LINE_SIZE = 256,
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
    char members[TOURNAMENT_MEMBERS_MAX][NAME_SIZE];
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
    char tables[TOURNAMENT_TABLES_MAX][NAME_SIZE];
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

/*
 * Who plays whom in a round: all entrants of its pairings, one pairing behind the other. Whoever is
 * the last of a pairing has a bit in ends.
 */
struct tournament_seats {
    unsigned count; /* 0: not paired yet */
    uint8_t entrants[TOURNAMENT_ENTRANTS_MAX];
    uint64_t ends;
};

struct tournament_change {
    enum tournament_verb verb;
    unsigned pairing; /* index */
    unsigned entrant; /* index */
    int table;
    int64_t after; /* of a round: games up to this number do not count for it */
    struct tournament_seats seats;
    struct tournament_result result;
};

/* Why a tournament or a change is refused: by this part, or by the logbook. */
#define TOURNAMENT_REFUSALS(X)                                                                     \
    X(NONE, "", "") /* it is accepted */                                                           \
    X(PLAYER_COUNT, "player-count", "A tournament is for 2 to 64 players or teams.")               \
    X(GROUP_SIZE, "group-size", "There are 2 to 4 players at a table.")                            \
    X(PAIRS_ONLY, "pairs-only", "Teams and a knockout are played by two at a table.")              \
    X(ROUNDS_FIXED, "rounds-fixed", "Only a Swiss system has a chosen number of rounds.")          \
    X(TOO_MANY_ROUNDS, "too-many-rounds", "There are fewer rounds than players or teams.")         \
    X(ROUND_ROBIN_FULL, "round-robin-full", "A round robin is for up to 32 players or teams.")     \
    X(LOTS, "lots", "Everybody needs a lot of their own.")                                         \
    X(NO_PAIRING, "no-pairing", "There is no such pairing.")                                       \
    X(NO_TABLE, "no-table", "The tournament has no such table.")                                   \
    X(NO_PLAYER, "no-player", "There is no such player or team.")                                  \
    X(BYE, "bye", "A bye has no result.")                                                          \
    X(PLACES, "places", "Expected a place for each player, such as 1, 2, 2 or 1, 1, 3.")           \
    X(SCORE_RANGE, "score-range", "A score is between -100000 and 100000.")                        \
    X(WINNER_PLAYS, "winner-plays",                                                                \
      "The winner plays in the next round already: undo that round first.")                        \
    X(RESULTS_MISSING, "results-missing", "Each pairing of this round needs a result first.")      \
    X(WINNERS_MISSING, "winners-missing", "Each pairing needs a single winner first.")             \
    X(ALL_PLAYED, "all-played", "All rounds have been played.")                                    \
    X(NO_ROOM, "no-room",                                                                          \
      "There is no room for another round: a tournament has up to 64 rounds and 512 pairings.")    \
    X(WITHDRAWN, "withdrawn", "They have withdrawn already.")                                      \
    X(TOO_FEW_LEFT, "too-few-left", "A tournament needs two players or teams.")                    \
    X(BAD_SYSTEM, "bad-value", "system: expected round-robin, swiss or elimination.")              \
    X(BAD_GROUP, "bad-value", "group: expected a number from 2 to 4.")                             \
    X(BAD_ROUNDS, "bad-value", "rounds: expected a number from 1 to 64.")                          \
    X(BAD_TABLES, "bad-value", "tables: expected a list of up to 32 names of 1 to 160 bytes.")     \
    X(TOURNAMENT_NAME, "tournament-name", "name: expected 1 to 40 characters.")                    \
    X(PLAYER_NAMES, "player-names",                                                                \
      "players: expected names of 1 to 40 characters, or teams of two of them, but not both.")     \
    X(NAMES_REPEAT, "names-repeat", "players: each player needs a name of their own.")             \
    X(TOURNAMENTS_FULL, "tournaments-full", "16 tournaments are shown: close one of them first.")  \
    X(CHANGES_FULL, "too-long", "This tournament has 4096 changes: a referee can close it.")       \
    X(NOTHING_TO_UNDO, "nothing-to-undo", "There is nothing to undo.")                             \
    X(NOT_FOUND, "not-found", "There is no such tournament, or it is closed.")

#define TOURNAMENT_ENUM_REFUSAL(name, word, sentence) TOURNAMENT_REFUSED_##name,
enum tournament_refusal { TOURNAMENT_REFUSALS(TOURNAMENT_ENUM_REFUSAL) TOURNAMENT_REFUSAL_COUNT };

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
const char *tournament_refusal_name(enum tournament_refusal refusal);
const char *tournament_refusal_sentence(enum tournament_refusal refusal);

/* TOURNAMENT_REFUSED_NONE, which is 0: it is accepted. */
enum tournament_refusal tournament_begin(const struct tournament_settings *settings,
                                         struct tournament *tournament);

/*
 * As tournament_begin; after a refusal the tournament is as it was. A round without seats is
 * paired; one with seats has these pairings, whatever the pairing code would do today.
 */
enum tournament_refusal tournament_step(struct tournament *tournament,
                                        const struct tournament_change *change);

/* Who plays whom in the current round: to be recorded with the change that began it. */
struct tournament_seats tournament_seats(const struct tournament *tournament);

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
 * A change as a line: `round after=12 pairings=1-4,3-2,5`, `withdraw 2`, `table 3 1`,
 * `result 3 places=1,2 scores=7,4 game=20260503-184211-1`. Numbers are from 1. A round of an older
 * version has no pairings. Reading returns false if it is not one.
 */
void tournament_write_change(const struct tournament *tournament,
                             const struct tournament_change *change,
                             char line[TOURNAMENT_LINE_SIZE]);
bool tournament_read_change(const struct tournament *tournament, const char *line,
                            struct tournament_change *change);

#endif
