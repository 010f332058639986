/* What table.c, inputs.c and messages.c share: the modules of the table. */
#ifndef TABLE_INTERNAL_H
#define TABLE_INTERNAL_H

#include "knock.h"
#include "pairing.h"
#include "publisher.h"
#include "queries.h"
#include "session.h"
#include "sources.h"

enum { FACTS_HELD_MAX = 256 };

/* Facts that could not be recorded yet, oldest first. */
struct held_facts {
    struct fact facts[FACTS_HELD_MAX];
    unsigned first;
    unsigned count;
};

/* An unpair whose result is not known yet. */
struct unpairing {
    bool is_waiting;
    char id[COMMAND_ID_SIZE];
    struct reply_address address;
};

struct table {
    const struct config *config;
    struct table_ports ports;
    char base[TOPIC_SIZE]; /* of all topics: PREFIX/TABLE/ */
    char event_topic[TOPIC_SIZE];
    struct session *session;
    struct outbox outbox;
    struct publisher *publisher;
    struct sources *sources;
    struct pairing *pairing;
    struct unpairing unpairing;
    struct replies replies;
    struct queries queries;

    struct observed observed;
    struct knock knock;
    struct held_facts held;

    struct ready_check check;
    bool check_is_due;
    bool autostart_waits; /* until the table is ready and the disk works */
};

/* inputs.c: an input goes through the session and is published. Returns as session_apply does. */
int table_apply(struct table *table, const struct input *input, const struct evidence *measured,
                const char *id);

/*
 * table.c: does the ready check if something has changed since the last one, starts the game that
 * waits for it, and publishes what has changed. table_changed makes that due after a short pause.
 */
void table_refresh(struct table *table);
void table_changed(struct table *table);

/* table.c: tries whether the disk works again. */
void table_probe_storage(struct table *table);

/*
 * inputs.c: records what waits to be grouped into a knock, what could not be recorded before, or
 * both. 0, or REFUSED_STORAGE when it cannot be recorded now either.
 */
int table_flush_knock(struct table *table);
int table_retry_held(struct table *table);
int table_record_seen(struct table *table);

/*
 * inputs.c: a game has begun and does not know the pieces that lie: they are reported to it as one
 * disturbance, a moment later.
 */
void table_report_lying(struct table *table);

/* messages.c: a command from the broker, and one that was not (a push button). */
void table_command(struct table *table, const char *verb, const struct bus_news *news);
void table_press(struct table *table, const struct input *input, const struct evidence *evidence);

#endif
