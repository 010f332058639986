/*
 * The payloads of all topics, in JSON. docs/mqtt.md describes them, docs/schemas/ defines them.
 *
 * A function that writes a payload returns a string that the caller frees, or NULL if memory ran
 * out. The string is compact, has its keys in a fixed order and does not depend on the locale.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "common/ids.h"
#include "hw/fact.h"
#include "hw/settings.h"
#include "rules/choices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMMAND_SIZE_MAX = 4096 };

struct wire_names {
    const char *table;
    const char *game; /* "" in the lobby */
};

struct wire_info {
    const char *version;
    const char *backend;
    const char *rules; /* name of the configured variant */
    unsigned sensors;
    int64_t since_ms;
    const char *storage;       /* what is wrong with the disk, or "" */
    unsigned lost_games;       /* finished games of which the broker will not get all events */
    const char *const *faults; /* names of faulty sensors */
    unsigned fault_count;
    const struct setup *defaults; /* the setup of start-game; first is 0 if it is drawn */
};

char *wire_info(const struct wire_info *info);

/* A zeroed game is the lobby: no players, no pieces, null for what is not chosen yet. */
char *wire_state(const struct game *game, const struct wire_names *names);
char *wire_score(const struct game *game, const struct wire_names *names);

/* choices are those of the game. */
char *wire_choices(const struct game *game, const struct choices *choices,
                   const struct wire_names *names);

/*
 * game is the game after the event. evidence is NULL if no sensor caused it; sensor is the name of
 * evidence->sensor.
 */
char *wire_event(const struct game *game, const struct event *event, const struct wire_names *names,
                 int64_t wall_ms, const struct evidence *evidence, const char *sensor);

struct wire_rope {
    int32_t knots_milli;
    enum piece piece;
    unsigned left;
    bool over;
    int32_t counts;         /* of the encoder since its zero */
    uint32_t invalid;       /* impossible transitions since the start */
    uint32_t presses;       /* of its button since the start */
    int32_t pressed_counts; /* counts when the last of them began */
};
char *wire_rope(const struct wire_rope *rope);

struct wire_sensor {
    unsigned level;
    enum health health;
    uint32_t edges;
    uint32_t rate;      /* edges within the second before the last one */
    uint32_t width_us;  /* of the last complete pulse, or 0 */
    int64_t wall_ms;    /* of the last edge, or 0 */
    const char *source; /* `gpio`, `mqtt`, `node`, `sim`, or `none` */
    const char *line;   /* as in a configuration file, without flags; "" if none is used */
    const struct radio_link *link; /* NULL unless it reports over MQTT; then the rest is used */
    int64_t heard_wall_ms;         /* of its last reading, 0 if there was none since the start */
};
char *wire_sensor(const struct wire_sensor *sensor);

enum { WIRE_SENSOR_SIZE = 32 }; /* of a sensor name, with NUL */

/*
 * In the topics `sensor/` and `sim/`, slashes replace the dots of a sensor name, because some
 * brokers do not accept dots in topics: `red-1.tilt` is `red-1/tilt`. False if the text is too
 * long, or if the path contains a dot.
 */
bool wire_sensor_path(const char *name, char path[WIRE_SENSOR_SIZE]);
bool wire_sensor_name(const char *path, char name[WIRE_SENSOR_SIZE]);

struct wire_problem {
    const char *sensor;
    enum piece piece;
    const char *message;
    bool blocks;
};

struct wire_ready {
    const char *check;
    bool ready;
    bool autostart; /* a game starts automatically when the table is ready */
    const struct wire_problem *problems;
    unsigned problem_count;
};
char *wire_ready(const struct wire_ready *ready);

/* Below the base: each event at most once, for automations. */
#define WIRE_ONCE_TOPIC "homeassistant"

/* Home Assistant's device discovery. base is the topic of the table with a trailing slash; id is
 * unique to the table. */
struct wire_homeassistant {
    const char *id;
    const char *table;
    const char *base;
    const char *version;
    const char *page_url;
    const struct setup *setup; /* whose players have scores; NULL: no game */
};
char *wire_homeassistant(const struct wire_homeassistant *table);

/* Replies; id may be "" (null in the reply). A reply to an accepted command lists the events as
 * sentences. */
char *wire_reply_ok(const char *id, const struct game *game, const struct outcome *outcome);
char *wire_reply_refused(const char *id, enum refusal refusal, enum rule rule, const char *message);

/*
 * Replies to queries. The parts of their lists are strings of the functions below; more: there are
 * later events, or older games. seq is the last event of the game.
 */
struct wire_list {
    const char *const *parts;
    size_t count;
};

/* states may be NULL: they were not asked for. */
char *wire_reply_history(const char *id, uint32_t seq, bool more, const struct wire_list *events,
                         const struct wire_list *states);
char *wire_reply_games(const char *id, bool more, const struct wire_list *games);
char *wire_reply_look_back(const char *id, uint32_t seq, const char *state);

/*
 * An entry of the states of a game: what has changed since the state before it, or the whole state
 * if before is NULL. Both are strings of wire_state.
 */
char *wire_state_entry(uint32_t seq, const char *before, const char *state);

/* An entry of the list of games. */
struct wire_past_game {
    const char *id;
    const struct game *game; /* after its last event */
    int64_t began_ms;
    int64_t ended_ms; /* 0: it is the open game */
    bool is_damaged;  /* after that event */
};
char *wire_game_entry(const struct wire_past_game *past);

struct command {
    char id[COMMAND_ID_SIZE]; /* "" if it has none */
    struct input input;       /* the caller fills in at_us and setup */
    struct setup setup;       /* new-game: the defaults, overridden by the command */
    bool first_is_drawn;      /* new-game: first is 0, the caller draws the player (G2) */
    bool barrels_are_drawn;   /* new-game: barrels are 0, the caller draws them (ME1) */
    bool anyway;              /* new-game: start even if the table is not ready */
    enum refusal refusal;     /* REFUSED_NOT if the command is valid */
    char message[256];        /* of the refusal: names the field and what it accepts */
};

/*
 * new-game without the field `abandon`. The access list of a broker sees topics only; with a verb
 * of its own, it can allow a client to start a game but not to abandon a running one.
 */
#define WIRE_START_GAME "start-game"

/* Queries: verbs that are answered from the journal and change nothing. */
#define WIRE_QUERIES(X)                                                                            \
    X(HISTORY, "history")                                                                          \
    X(GAMES, "games")                                                                              \
    X(LOOK_BACK, "look-back")

#define WIRE_ENUM_QUERY(name, verb) QUERY_##name,
enum query_kind { QUERY_NONE, WIRE_QUERIES(WIRE_ENUM_QUERY) QUERY_COUNT };

enum { WIRE_GAMES_MAX = 50, WIRE_GAMES_DEFAULT = 20 }; /* in a list */

struct wire_query {
    enum query_kind kind;
    char game[GAME_ID_SIZE];   /* history, look-back; "": the open one */
    uint32_t from;             /* history: the first event */
    bool states;               /* history: with the states */
    uint32_t seq;              /* look-back */
    char before[GAME_ID_SIZE]; /* games: older than this one; "": all */
    uint32_t limit;            /* games */
};

enum query_kind wire_query_named(const char *verb); /* QUERY_NONE if it is no query */
const char *wire_query_name(enum query_kind kind);

/* The keys of the fields of a query, in order: NULL after the last one. */
const char *wire_query_field(enum query_kind kind, unsigned index, bool *is_needed);

/* Reads one as wire_read_command does. Only id, refusal and message of the command are used. */
void wire_read_query(enum query_kind kind, const void *payload, size_t size,
                     struct command *command, struct wire_query *query);

/* Verbs that are not commands of the game; both have the field `sensor`, a name. */
#define WIRE_PAIR "pair"
#define WIRE_UNPAIR "unpair"

/*
 * Reads one of them as wire_read_command does; sensor is "" if it is not given. Only id, refusal
 * and message of the command are used.
 */
void wire_read_pair(const void *payload, size_t size, struct command *command,
                    char sensor[WIRE_SENSOR_SIZE]);

/* The progress of pairing. */
struct wire_candidate {
    const char *name;
    const char *source; /* as in a configuration file */
};

struct wire_pairing {
    const char *sensor;
    const char *step;
    const char *reason; /* why it failed, else NULL */
    const struct wire_candidate *candidates;
    unsigned candidate_count;
    unsigned listening;             /* to so many sensors */
    const char *const *unsupported; /* names of devices */
    unsigned unsupported_count;
    const char *message;
};
char *wire_pairing(const struct wire_pairing *pairing);

/* The configuration that new-game overrides. */
struct wire_defaults {
    const struct setup *setup;
    bool first_is_drawn;
    bool barrels_are_drawn;
};

/*
 * Reads a command. payload may contain any bytes, without a NUL at the end; an empty payload is {}.
 * The command is always written, and its id even if the rest is refused, so that a reply is
 * possible. Whether the rules accept the command or the setup is not checked here.
 */
void wire_read_command(const char *verb, const void *payload, size_t size,
                       const struct wire_defaults *defaults, struct command *command);

#endif
