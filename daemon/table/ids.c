/* Commands that come again: carried out once, and answered alike each time. */
#include "internal.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

static void remember_step(struct table *table, const struct recalled_step *step)
{
    char *json = wire_reply_ok(step->record->id, step->game, step->outcome);

    if (json) {
        replies_remember(&table->replies, step->record->id, json);
    }
    free(json);
}

/*
 * The open game
 */

struct search {
    struct table *table;
    const char *id;
};

static int compare_id(void *self, const struct recalled_step *step)
{
    enum { FOUND = 1 };
    const struct search *search = self;

    if (strcmp(step->record->id, search->id) != 0) {
        return 0;
    }
    remember_step(search->table, step);
    return FOUND;
}

const char *table_known_reply(struct table *table, const char *id)
{
    struct search search = {.table = table, .id = id};
    const char *known = replies_find(&table->replies, id);

    if (known || !replies_may_have_accepted(&table->replies, id)) {
        return known;
    }
    (void)recall_steps(table->recall, NULL, compare_id, &search);
    return replies_find(&table->replies, id);
}

void table_note_id(struct table *table, const struct record *record)
{
    if (record->input.kind == INPUT_NEW_GAME) {
        replies_begin_game(&table->replies);
    }
    replies_accept(&table->replies, record->id);
}

/*
 * The game before it
 */

static int remember_id(void *self, const struct recalled_step *step)
{
    if (step->record->id[0]) {
        remember_step(self, step);
    }
    return 0;
}

void table_remember_last_game(struct table *table)
{
    uint32_t number = journal_number(table->journal);
    struct journal_game last = {0};

    if (number < 2 || journal_load_finished(table->ports.disk, number - 2, number, &last) <= 0) {
        return;
    }
    (void)recall_steps(table->recall, &last, remember_id, table);
    journal_free_game(&last);
}
