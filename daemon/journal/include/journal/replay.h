/*
 * The past, computed again from the journal: events with the numbers, times and evidence they had
 * the first time.
 */
#ifndef DAEMON_RECALL_H
#define DAEMON_RECALL_H

#include "journal/journal.h"
#include "rules/play.h"

struct recall;

/* One event of the past. */
struct recalled {
    const char *game_id;
    const struct game *game; /* after the step that the event belongs to */
    const struct event *event;
    const struct record *record;
};

/* One accepted input of the past. */
struct recalled_step {
    const char *game_id;
    const struct record *record;
    const struct game *game; /* after it */
    const struct outcome *outcome;
};

/* Not 0 stops. */
typedef int recall_fn(void *context, const struct recalled *recalled);
typedef int recall_step_fn(void *context, const struct recalled_step *step);

/* Memory for one recall at a time; without a journal, of files only. 0 or -ENOMEM. */
int recall_open(struct recall **recall, struct journal *journal);
void recall_close(struct recall *recall);

/* Visits the events of the open game from this seq on. 0, -errno, or what visit returned. */
int recall_game(struct recall *recall, uint32_t first_seq, recall_fn *visit, void *context);

/* Visits the events of a finished game. Returns as recall_game does. */
int recall_finished(struct recall *recall, const struct journal_game *game, recall_fn *visit,
                    void *context);

/* Visits the accepted inputs of a finished game, or of the open one if it is NULL. */
int recall_steps(struct recall *recall, const struct journal_game *finished, recall_step_fn *visit,
                 void *context);

/* Visits the events of the game in a file, as journal_read_file does its records. */
int recall_file(struct recall *recall, const char *path, recall_fn *visit, void *context,
                struct journal_report *report);

#endif
