/*
 * A whole table that is simulated around the daemon's own code: disk, broker, clock, chance and
 * sensors. It can be told what people and sensors say, let time pass, crash and start again.
 *
 * Whatever arrives at the broker is checked at once: an event or an accepted command whose record
 * is not safe on the disk yet fails an assertion.
 */
#ifndef TESTS_SUPPORT_FAKE_TABLE_H
#define TESTS_SUPPORT_FAKE_TABLE_H

#include "fake_bus.h"
#include "fake_disk.h"
#include "hw/sensor.h"
#include "table/table.h"
#include "tests/random/chance.h"

#define FAKE_SECOND_US UINT64_C(1000000)

enum {
    FAKE_DRAWS_MAX = 16,
    FAKE_JOBS_MAX = 8,
    FAKE_SIMULATED_SIZE = 64,
    FAKE_EDGES_MAX = 4096,
    FAKE_PAIRED_SIZE = 512,
};

/* The topic that everything below begins with. */
#define FAKE_BASE "shipahoy/den/"

struct fake_table {
    struct fake_disk *disk;
    struct disk disk_interface;
    struct fake_bus *bus;
    struct table *table; /* NULL while it is not running */
    struct config config;

    uint64_t job_used_us;            /* of each job */
    struct job *jobs[FAKE_JOBS_MAX]; /* to be worked and done when the broker is heard next */
    unsigned job_count;

    uint64_t now_us;
    int64_t wall_ms;
    struct chance chance;
    uint32_t draws[FAKE_DRAWS_MAX]; /* said before chance is asked; each modulo what it is of */
    unsigned draw_count;
    struct sensor_names names;
    int32_t rope_milli;                  /* as it was pulled last */
    unsigned rope_zeroed;                /* how often */
    unsigned suspected;                  /* the last sensor that has missed something */
    char simulated[FAKE_SIMULATED_SIZE]; /* the last edge from the bus, `cannon.beam 1` */
    char paired[FAKE_PAIRED_SIZE];       /* the last sensor and source that were to be stored */
    bool is_radio[SENSOR_COUNT];
    struct edge edges[FAKE_EDGES_MAX]; /* of sensors over MQTT, for the filters; not taken yet */
    size_t edge_count;
};

/* Everything new and nothing running; ini is laid over the defaults and [table] name = den. */
void fake_table_begin(struct fake_table *fake, const char *ini);
void fake_table_end(struct fake_table *fake);

/* Reads a configuration as fake_table_begin does. */
void fake_table_read_config(struct config *config, const char *ini);

/* Starts the daemon, not yet connected. 0 or -errno. */
int fake_table_start(struct fake_table *fake);

/* The process dies, and the machine goes on: what was written can be read, safe or not. */
void fake_table_kill(struct fake_table *fake);

/* The machine loses power: besides, what was not safe is lost, and the clock begins again. */
void fake_table_cut(struct fake_table *fake, enum fake_loss loss, uint64_t seed);

/* The daemon is stopped as it should be. */
void fake_table_stop(struct fake_table *fake);

void fake_table_connect(struct fake_table *fake);
void fake_table_disconnect(struct fake_table *fake);

/* Hands over what the broker has for the daemon, and what others have done for it. */
void fake_table_hear(struct fake_table *fake);

/* Lets time pass, doing what is due when it is. */
void fake_table_wait(struct fake_table *fake, uint64_t us);

/* A command; the reply that came to it, or NULL. It is valid until the end. */
const char *fake_table_send(struct fake_table *fake, const char *verb, const char *json);

/* A message with all that can be known of it. */
void fake_table_message(struct fake_table *fake, const struct bus_news *message);

void fake_table_fact(struct fake_table *fake, const struct fact *fact);

/*
 * A line of rules/line.h, said by whoever says such a thing: a command over the bus, with this id
 * unless it is "", or a fact by its sensor, now. Besides: `anyway` for a new game though the table
 * is not ready, `abandon` for one in any case, `blocked` and `clear` with the name of a beam,
 * `wait MS`, `rope KNOTS`, `press` and `hold` for the rope, `button N`, `dock HARBOUR`; `knocked`
 * and `window-over` wait until the table has noticed. The reply to a command, else NULL.
 */
const char *fake_table_say(struct fake_table *fake, const char *line, const char *id);

/* Whether a reply, which may be NULL, says ok. */
bool fake_reply_is_ok(const char *reply);

#endif
