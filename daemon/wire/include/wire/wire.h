/*
 * The game in JSON, as the topics carry it. Only the wire_*.c files know the JSON library.
 * docs/mqtt.md describes every payload, docs/schemas/ defines them.
 *
 * What is written is a string of its own, to be freed with free(); NULL when memory ran out. It is
 * compact, always in the same order, and the same in every locale.
 */
#ifndef DAEMON_WIRE_H
#define DAEMON_WIRE_H

#include "common/ids.h"
#include "hw/fact.h"
#include "rules/choices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMMAND_SIZE_MAX = 4096 };

/* What a game is called outside. */
struct wire_names {
    const char *table;
    const char *game; /* "" in the lobby */
};

struct wire_info {
    const char *version;
    const char *backend;
    const char *rules; /* enum variant's name, of the configuration */
    unsigned sensors;
    int64_t since_ms;
    const char *storage;       /* what is wrong with the disk, "" if nothing is */
    unsigned lost_games;       /* finished games of which the broker will not get all events */
    const char *const *faults; /* names of sensors that are not well */
    unsigned fault_count;
    const struct setup *defaults; /* what start-game starts; first is 0 if it is drawn */
};

char *wire_info(const struct wire_info *info);

/* A zeroed game is the lobby: no players, no pieces, null where something is to be agreed yet. */
char *wire_state(const struct game *game, const struct wire_names *names);
char *wire_score(const struct game *game, const struct wire_names *names);

/* choices are those of the game. */
char *wire_choices(const struct game *game, const struct choices *choices,
                   const struct wire_names *names);

/*
 * game is the game after the event. evidence may be NULL, as when no sensor was involved; sensor is
 * the name of evidence->sensor.
 */
char *wire_event(const struct game *game, const struct event *event, const struct wire_names *names,
                 int64_t wall_ms, const struct evidence *evidence, const char *sensor);

struct wire_rope {
    int32_t knots_milli;
    enum piece piece;
    unsigned left;
    bool over;
    int32_t counts;   /* of the encoder since zero, as it counts */
    uint32_t invalid; /* transitions since the start that no encoder makes */
};
char *wire_rope(const struct wire_rope *rope);

struct wire_sensor {
    unsigned level;
    enum health health;
    uint32_t edges;
    uint32_t rate;     /* edges within a second, until the last one */
    uint32_t width_us; /* of the last pulse, 0 if none is over */
    int64_t wall_ms;   /* of the last edge, 0 if none was heard */
};
char *wire_sensor(const struct wire_sensor *sensor);

enum { WIRE_SENSOR_SIZE = 32 }; /* a sensor's name with its end */

/*
 * Below `sensor/` and `sim/` a sensor has slashes where its name has dots, because some brokers
 * accept no dots in topics: `red-1.tilt` is `red-1/tilt`. False when one is too long, or when the
 * path has a dot and is no path of ours.
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
    bool autostart; /* a game begins by itself as soon as it is ready */
    const struct wire_problem *problems;
    unsigned problem_count;
};
char *wire_ready(const struct wire_ready *ready);

/* Home Assistant's device discovery; base is the table's topic with a slash at its end, id what no
 * other table has. */
struct wire_homeassistant {
    const char *id;
    const char *table;
    const char *base;
    const char *version;
};
char *wire_homeassistant(const struct wire_homeassistant *table);

/* Replies; id may be "" (null in the reply). An ok tells in sentences what followed. */
char *wire_reply_ok(const char *id, const struct game *game, const struct outcome *outcome);
char *wire_reply_refused(const char *id, enum refusal refusal, enum rule rule, const char *message);

/* A reply to history: events are texts made by wire_event; more: there are later ones. */
char *wire_reply_history(const char *id, uint32_t seq, const char *const *events, size_t count,
                         bool more);

/* A command as it came in. */
struct command {
    char id[COMMAND_ID_SIZE]; /* "" if it has none */
    struct input input;       /* at_us and setup are the caller's to fill in */
    struct setup setup;       /* new-game: the defaults with the command's wishes laid over them */
    bool first_is_drawn;      /* new-game: first is 0, the caller draws the player (G2) */
    bool barrels_are_drawn;   /* new-game: barrels are 0, the caller draws them (ME1) */
    bool anyway;              /* new-game: also when the table is not ready */
    enum refusal refusal;     /* why it cannot be read, REFUSED_NOT if it can */
    char message[256];        /* then: a sentence that names the field and what would fit */
};

/*
 * A verb for new-game without its field `abandon`, and nothing else: so the access list of a
 * broker, which sees topics only, can let somebody start a game and not leave a running one.
 */
#define WIRE_START_GAME "start-game"

/* What new-game starts from: the configuration. */
struct wire_defaults {
    const struct setup *setup;
    bool first_is_drawn;
    bool barrels_are_drawn;
};

/*
 * Reads a command. payload need not end with a NUL and may hold anything; an empty one is {}. The
 * command is always written, its id also when the rest of it is refused, so that a reply can be
 * given. Whether the game allows it, and whether a setup fits the rules, is not asked here.
 */
void wire_read_command(const char *verb, const void *payload, size_t size,
                       const struct wire_defaults *defaults, struct command *command);

#endif
