#include "journal/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct recall {
    struct journal *journal;
    struct play play;
    struct past past[JOURNAL_RECORDS_MAX];
    struct outcome outcome;

    /* Of the visit that is under way. */
    char game_id[GAME_ID_SIZE];
    uint32_t first_seq;
    recall_fn *visit;
    recall_step_fn *visit_step;
    void *context;
};

int recall_open(struct recall **recall, struct journal *journal)
{
    *recall = calloc(1, sizeof **recall);
    if (!*recall) {
        return -ENOMEM;
    }
    (*recall)->journal = journal;
    return 0;
}

void recall_close(struct recall *recall)
{
    free(recall);
}

/* A game begins: on a table of its own, whatever became of the game before. */
static void begin_game(struct recall *recall, const struct record *record)
{
    play_begin(&recall->play, recall->past, JOURNAL_RECORDS_MAX);
    snprintf(recall->game_id, sizeof recall->game_id, "%s", record->game);
}

static int step(struct recall *recall, const struct record *record)
{
    struct input input = record->input;

    if (input.kind == INPUT_NEW_GAME) {
        begin_game(recall, record);
    }
    input.setup = &record->setup;
    /* It was accepted once: damaged, or recorded by other rules. */
    return play_step(&recall->play, &input, &recall->outcome) ? -EBADMSG : 0;
}

static int visit_events(void *self, const struct record *record)
{
    struct recall *recall = self;
    int result = step(recall, record);

    for (unsigned i = 0; !result && i < recall->outcome.count; i++) {
        struct recalled recalled = {
            .game_id = recall->game_id,
            .game = &recall->play.game,
            .event = &recall->outcome.events[i],
            .record = record,
        };
        if (recalled.event->seq >= recall->first_seq) {
            result = recall->visit(recall->context, &recalled);
        }
    }
    return result;
}

static int visit_step(void *self, const struct record *record)
{
    struct recall *recall = self;
    int error = step(recall, record);

    return error ? error
                 : recall->visit_step(recall->context, &(struct recalled_step){
                                                           .game_id = recall->game_id,
                                                           .record = record,
                                                           .game = &recall->play.game,
                                                           .outcome = &recall->outcome,
                                                       });
}

int recall_game(struct recall *recall, uint32_t first_seq, recall_fn *visit, void *context)
{
    recall->first_seq = first_seq;
    recall->visit = visit;
    recall->context = context;
    return journal_visit(recall->journal, visit_events, recall);
}

int recall_finished(struct recall *recall, const struct journal_game *game, recall_fn *visit,
                    void *context)
{
    recall->first_seq = 0;
    recall->visit = visit;
    recall->context = context;
    return journal_visit_game(game, visit_events, recall);
}

int recall_steps(struct recall *recall, const struct journal_game *finished, recall_step_fn *visit,
                 void *context)
{
    recall->visit_step = visit;
    recall->context = context;
    return finished ? journal_visit_game(finished, visit_step, recall)
                    : journal_visit(recall->journal, visit_step, recall);
}

int recall_file(struct recall *recall, const char *path, recall_fn *visit, void *context,
                struct journal_report *report)
{
    recall->first_seq = 0;
    recall->visit = visit;
    recall->context = context;
    return journal_read_file(path, visit_events, recall, report);
}
