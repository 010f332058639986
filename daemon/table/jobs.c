/* What may have to wait for the disk, and is therefore done by others. */
#include "internal.h"

/*
 * Finished games that the broker lacks events of
 */

static void load(void *self)
{
    outbox_load(&((struct table *)self)->outbox);
}

static void loaded(void *self)
{
    struct table *table = self;

    outbox_loaded(&table->outbox);
    publish_watch(table);
}

/*
 * Finished games that are more than are to be kept
 */

static void prune(void *self)
{
    struct table *table = self;

    /* A table can be played at although old games cannot be removed; the next game tries again. */
    (void)journal_prune(table->ports.disk, &table->pruning.limits, table->pruning.before);
}

static void pruned(void *self)
{
    ((struct table *)self)->pruning.is_under_way = false;
}

struct journal_limits table_limits(const struct table *table)
{
    return (struct journal_limits){
        .games_max = table->config->journal.keep_games,
        .bytes_max = table->config->journal.keep_kib * UINT64_C(1024),
    };
}

void table_prune(struct table *table)
{
    struct pruning *pruning = &table->pruning;
    const struct jobs *jobs = &table->ports.jobs;

    if (pruning->is_under_way) {
        return;
    }
    pruning->limits = table_limits(table);
    pruning->before = journal_number(table->journal);
    pruning->is_under_way = jobs->begin(jobs->self, &pruning->job) == 0;
}

void table_open_jobs(struct table *table)
{
    table->pruning.job = (struct job){table, prune, pruned};
    table->outbox.jobs = &table->ports.jobs;
    table->outbox.load = (struct job){table, load, loaded};
}
