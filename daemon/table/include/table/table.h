/*
 * The table: facts, commands and deadlines go through the rules; what was accepted goes to the
 * journal, and then to the bus. In that order, always: nothing is shown before it is safe.
 *
 * The table sees the disk, the broker, the clock and the dice only through small structs of
 * functions, so that tests run this very table on simulated ones. It has no thread and waits for
 * nothing but the journal's own sync; the worker (jobs) reads what has to be read from the disk.
 */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include "common/bus.h"
#include "config/config.h"
#include "hw/fact.h"
#include "journal/journal.h"
#include "rules/rules.h"
#include "table/ports.h"

struct table_ports {
    const struct disk *disk;
    struct jobs jobs; /* done before the table is closed, or never */
    struct bus bus;
    struct clock clock;
    struct random random;
    struct sensors sensors;
    const char *host_name; /* of this computer; NULL: unknown */
};

struct table;

/*
 * Opens the journal and goes on with the game it holds. config must outlive the table. 0, or
 * -errno when the state directory cannot be used at all.
 */
int table_open(struct table **opened, const struct config *config, const struct table_ports *ports);
void table_close(struct table *table);

/*
 * The verbs of queries: anybody who may watch may send them. They wait until the table is ready for
 * one, on clock.now_us; 0 until an acknowledgement or a connection has come.
 */
enum { TABLE_QUERY_COUNT = 3 };
extern const char *const table_queries[TABLE_QUERY_COUNT];
uint64_t table_query_due_us(const struct table *table);

void table_fact(struct table *table, const struct fact *fact);
void table_news(struct table *table, const struct bus_news *news);

/* A command of an earlier game, with the dice and draws of then. 0 or a refusal. */
int table_repeat(struct table *table, const struct input *input);

/* Does what is due now; the time when something will be, on clock.now_us, 0 if nothing will. */
void table_tick(struct table *table);
uint64_t table_deadline_us(const struct table *table);

/* The configuration has another content from now on (SIGHUP). */
void table_configured(struct table *table);

/*
 * The result of sensors.pair: 0, -ENOENT when there was nothing to remove, -EINVAL when the
 * configuration would not be valid, or another -errno.
 */
void table_paired(struct table *table, int error);

/* For tests and for the status line. */
const struct game *table_game(const struct table *table);

#endif
