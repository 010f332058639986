/* What the disk takes, what it does not, and what follows from that. */
#include "common/log.h"
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A disk that is nearly full may change its mind with every command. */
static struct log_limit changes;

void table_storage_failed(struct table *table, int error)
{
    if (strcmp(table->storage_problem, strerror(-error)) != 0) {
        log_limited(&changes, LOG_LEVEL_ERROR,
                    "journal: %s; nothing can be recorded, so nothing is accepted until it can",
                    strerror(-error));
        snprintf(table->storage_problem, sizeof table->storage_problem, "%s", strerror(-error));
        publish_info(table);
    }
    table->storage_retry_us = table_now_us(table) + STORAGE_RETRY_US;
}

/* What was read at the start is on the disk now, so that it can be told. */
static void tell_what_is_safe(struct table *table)
{
    table->end_is_unsafe = false;
    if (table->connected) {
        publish_changes(table);
        publish_rope(table);
        outbox_connected(&table->outbox);
    }
}

void table_storage_works(struct table *table)
{
    table->storage_retry_us = table->held.count ? table_now_us(table) : 0;
    if (table->end_is_unsafe) {
        tell_what_is_safe(table);
    }
    if (table->storage_problem[0]) {
        log_limited(&changes, LOG_LEVEL_NOTICE, "journal: the disk works again, the game goes on");
        table->storage_problem[0] = '\0';
        publish_info(table);
    }
}

void table_probe_storage(struct table *table)
{
    int error = journal_probe(table->journal);

    if (error) {
        table_storage_failed(table, error);
    } else {
        table_storage_works(table);
        table_look(table); /* a game that is to start by itself may have waited for the disk */
    }
}

/* "20261116-204501-3f9a": when it began, and something that no other table has. */
static void name_game(struct table *table, int64_t wall_ms, char game[GAME_ID_SIZE])
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm utc;

    gmtime_r(&seconds, &utc);
    size_t length = strftime(game, GAME_ID_SIZE, "%Y%m%d-%H%M%S-", &utc);
    snprintf(game + length, GAME_ID_SIZE - length, "%04x",
             table->ports.lots.draw(table->ports.lots.self, 0x10000));
}

/* Two games may get one name if they begin in the same second: then another lot is drawn. */
int table_append(struct table *table, struct record *record)
{
    enum { NAMES_MAX = 8 };
    bool begins = record->input.kind == INPUT_NEW_GAME;
    int error = -EEXIST;

    for (unsigned i = 0; error == -EEXIST && i < NAMES_MAX; i++) {
        if (begins) {
            name_game(table, record->wall_ms, record->game);
        }
        error = journal_append(table->journal, record);
    }
    return error;
}
