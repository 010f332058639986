/*
 * The game in JSON, as the topics carry it; the only file that knows the JSON library is wire.c
 * and its neighbours wire_*.c. docs/mqtt.md describes every payload.
 *
 * What is written is a string of its own, to be freed with free(); NULL when memory ran out.
 */
#ifndef DAEMON_WIRE_H
#define DAEMON_WIRE_H

#include "daemon/journal.h"
#include "hw/fact.h"
#include "rules/rules.h"

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
};

char *wire_info(const struct wire_info *info);
char *wire_state(const struct game *game, const struct wire_names *names);
char *wire_score(const struct game *game, const struct wire_names *names);

/* evidence may be NULL; sensor is the name of evidence->sensor. game is the game after the event.
 */
char *wire_event(const struct game *game, const struct event *event, const struct wire_names *names,
                 int64_t wall_ms, const struct evidence *evidence, const char *sensor);

struct wire_rope {
    int32_t knots_milli;
    enum piece piece;
    unsigned left;
    bool over;
};
char *wire_rope(const struct wire_rope *rope);
char *wire_sensor(unsigned level, enum health health, uint32_t edges);

/* Replies; id may be "" (null in the reply). */
char *wire_reply_ok(const char *id, uint32_t seq);
char *wire_reply_refused(const char *id, enum refusal refusal, enum rule rule, const char *message);

/* A reply to history: events are JSON texts made by wire_event; more: there are later ones. */
char *wire_reply_history(const char *id, uint32_t seq, const char *const *events, size_t count,
                         bool more);

/* A command as it came in. */
struct command {
    char id[COMMAND_ID_SIZE]; /* "" if it has none */
    struct input input;       /* at_us and setup are the caller's to fill in */
    struct setup setup;       /* new-game: the defaults with the command's wishes laid over them */
    bool first_is_drawn;      /* new-game: the caller draws the first player (G2) */
    bool barrels_are_drawn;   /* new-game: the caller draws the barrels (ME1) */
    enum refusal refusal;     /* why it cannot be read, REFUSED_NOT if it can */
    char message[256];        /* then: a sentence that names the field and what would fit */
};

/* What new-game starts from: the configuration. */
struct wire_defaults {
    const struct setup *setup;
    bool first_is_drawn;
    bool barrels_are_drawn;
};

/*
 * Reads a command. payload need not end with a NUL and may hold anything. The command is always
 * written, its id also when the rest of it is refused, so that a reply can be given.
 */
void wire_read_command(const char *verb, const void *payload, size_t size,
                       const struct wire_defaults *defaults, struct command *command);

#endif
