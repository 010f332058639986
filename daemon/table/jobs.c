/* What may have to wait for the disk, and is therefore done by others. */
#include "common/log.h"
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
    table_tell_losses(table);
    publish_watch(table);
}

/*
 * The acknowledged mark, and finished games that are more than are to be kept
 */

static void keep_house(void *self)
{
    struct table *table = self;
    struct housekeeping *house = &table->housekeeping;

    if (house->has_mark) {
        house->mark_error = journal_write_mark(table->ports.disk, &house->mark);
    }
    /* A table can be played at although old games cannot be removed; the next game tries again. */
    (void)journal_prune(table->ports.disk, &house->limits, house->before, house->mark.number,
                        &house->loss);
}

void table_log_loss(const struct journal_loss *loss)
{
    if (loss->games) {
        log_warning("journal: removed %u finished games that the broker lacks events of, up to %s, "
                    "because all games together are larger than [journal] keep_kib",
                    loss->games, loss->last);
    }
}

void table_tell_losses(struct table *table)
{
    if (table->outbox.lost_games != table->lost_told) {
        table->lost_told = table->outbox.lost_games;
        publish_info(table);
    }
}

static void kept_house(void *self)
{
    struct table *table = self;
    struct housekeeping *house = &table->housekeeping;

    house->is_under_way = false;
    if (house->has_mark && !house->mark_error) {
        journal_mark_written(table->journal, &house->mark);
    }
    table_log_loss(&house->loss);
    if (!journal_mark_is_written(table->journal)) {
        table_keep_house_soon(table);
    }
}

struct journal_limits table_limits(const struct table *table)
{
    return (struct journal_limits){
        .games_max = table->config->journal.keep_games,
        .bytes_max = table->config->journal.keep_kib * UINT64_C(1024),
    };
}

void table_keep_house_soon(struct table *table)
{
    struct housekeeping *house = &table->housekeeping;

    if (!house->is_under_way && !house->due_us) {
        house->due_us = table_now_us(table) + HOUSEKEEPING_US;
    }
}

void table_keep_house(struct table *table)
{
    struct housekeeping *house = &table->housekeeping;
    const struct jobs *jobs = &table->ports.jobs;

    house->due_us = 0;
    house->limits = table_limits(table);
    house->mark = *journal_acknowledged(table->journal);
    house->has_mark = !journal_mark_is_written(table->journal);
    house->before = journal_number(table->journal);
    house->loss = (struct journal_loss){0};
    house->is_under_way = jobs->begin(jobs->self, &house->job) == 0;
}

void table_open_jobs(struct table *table)
{
    table->housekeeping.job = (struct job){table, keep_house, kept_house};
    table->outbox.jobs = &table->ports.jobs;
    table->outbox.load = (struct job){table, load, loaded};
}
