/* A logbook whose games are written as scripts. The database is that of $LOGBOOK_DATABASE. */
#ifndef TESTS_LOGBOOK_TRIAL_H
#define TESTS_LOGBOOK_TRIAL_H

#include "logbook/answers.h"
#include "logbook/book.h"

#include <jansson.h>

/* Opened before each test, with an empty database. */
extern struct book book;

int trial_begin(void **state);
int trial_end(void **state);

/* What $LOGBOOK_DATABASE names; for SQLite a new file for each test. */
const char *trial_database(void);

/*
 * The events of a game, one per line: turn, player, type and fields. `1 2 shot-fired
 * speed_mps=3.25`; `ranking=2:5,1:3` is places with points, players who are tied have an = between
 * them. They are numbered from 1, one second apart from the time in the id of the game:
 * `20260501-180000-a`.
 */
json_t *trial_events(const char *game, const char *script);

/* A complete state after an event. Players: `Anna red, Ben blue/1`, with a team after the slash. */
json_t *trial_state(const char *scenario, const char *players, int seq, const char *phase);

/* Stores a whole game at the table `den`, with its first state. */
void trial_play(const char *game, const char *scenario, const char *players, const char *script);

/* What was published of sheet games or tournaments: the last state of each; null: cleared. */
extern json_t *trial_shown;
void trial_show(void *self, const char *id, const char *state);
void trial_forget_shown(void);

/*
 * The reply to a query or command, to be released; its payload may use ' for ". In trial_send, ID
 * stands for the id.
 */
json_t *trial_send(const struct answer_settings *settings, enum answer_door door, const char *verb,
                   const char *payload, const char *id);
json_t *trial_ask(const char *verb, const char *payload);
json_t *trial_command(const char *verb, const char *payload);

/*
 * Compares the value at a path (`statistics.0.won`) of a reply with JSON, ' for "; null also stands
 * for nothing. */
void expect(const json_t *reply, const char *path, const char *json);

/* The same for several values {path, json} of the reply to a query. */
struct expected {
    const char *path; /* NULL: the end */
    const char *json;
};

void trial_expect(const char *verb, const char *payload, const struct expected *values);

#define EXPECT(verb, payload, ...)                                                                 \
    trial_expect(verb, payload, (const struct expected[]){__VA_ARGS__, {0}})

#endif
