#include "history.h"

#include "journal/replay.h"
#include "outbox.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 100, BYTES_MAX = 64 << 10, MESSAGE_SIZE = 128 };

/*
 * Lists, bounded in bytes
 */

/* Parts of a reply, each to be freed. A reply has no more states or games than events. */
struct parts {
    char *parts[PARTS_MAX];
    unsigned count;
    size_t bytes;
};

static_assert((int)WIRE_GAMES_MAX <= (int)PARTS_MAX, "a list of games is one of parts");

/* Takes json, which may be NULL. */
static void add_part(struct parts *list, char *json)
{
    if (json) {
        list->parts[list->count++] = json;
        list->bytes += strlen(json);
    }
}

static struct wire_list list_of(const struct parts *list)
{
    return (struct wire_list){.parts = (const char *const *)list->parts, .count = list->count};
}

static void free_parts(struct parts *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        free(list->parts[i]);
    }
}

/*
 * Refusals
 */

static char *refuse(const struct question *question, enum refusal refusal, const char *message)
{
    return wire_reply_refused(question->id, refusal, RULE_NONE, message);
}

static char *refuse_game(const struct question *question, const char *game)
{
    char message[MESSAGE_SIZE];

    snprintf(message, sizeof message, "The table does not have the game \"%s\".", game);
    return refuse(question, REFUSED_NOTHING_THERE, message);
}

static char *refuse_storage(const struct question *question, int error)
{
    char message[MESSAGE_SIZE];

    if (error == -EBADMSG) {
        return refuse(question, REFUSED_STORAGE,
                      "The game cannot be read: its file is damaged, or of another version.");
    }
    snprintf(message, sizeof message, "The past cannot be read: %s.", strerror(-error));
    return refuse(question, REFUSED_STORAGE, message);
}

/*
 * A game
 */

static bool is_open_game(const struct question *question, const char *id)
{
    return !id[0] || (question->open.data && strcmp(id, question->open_id) == 0);
}

/*
 * Replays a game; id "" is the open one. 0, -ENOENT or another -errno. What comes before a damage
 * is visited, too; then it returns -EBADMSG.
 */
static int replay(const struct question *question, const char *id, recall_step_fn *visit,
                  void *context)
{
    bool is_open = is_open_game(question, id);
    struct journal_game game = question->open;
    struct recall *recall = NULL;
    int error = is_open ? 0 : journal_load_named(question->disk, id, &game);

    if (error) {
        return error;
    }
    error = recall_open(&recall, NULL);
    if (!error) {
        error = recall_steps(recall, &game, visit, context);
    }
    recall_close(recall);
    if (!is_open) {
        journal_free_game(&game);
    }
    return error;
}

/* NULL if the game could be read at least in part, so that an answer is possible. */
static char *refuse_replay(const struct question *question, int error, uint32_t last_seq)
{
    if (error == -ENOENT) {
        return refuse_game(question, question->query.game);
    }
    return error && !(error == -EBADMSG && last_seq) ? refuse_storage(question, error) : NULL;
}

static char *state_of(const struct question *question, const struct recalled_step *step)
{
    struct wire_names names = {.table = question->table, .game = step->game_id};

    return wire_state(step->game, &names);
}

/*
 * history
 */

struct history {
    const struct question *question;
    struct parts events;
    struct parts states;
    char *state; /* of the last entry of states */
    uint32_t last_seq;
    bool more;
};

/* Whether the event is in the reply. */
static bool add_event(struct history *history, const struct recalled_step *step,
                      const struct event *event)
{
    const struct recalled past = {
        .game_id = step->game_id, .game = step->game, .event = event, .record = step->record};

    if (event->seq < history->question->query.from || history->more) {
        return false;
    }
    if (history->events.count == PARTS_MAX ||
        history->events.bytes + history->states.bytes >= BYTES_MAX) {
        history->more = true;
        return false;
    }
    add_part(&history->events,
             outbox_event(&past, history->question->table, history->question->sensors));
    return true;
}

static void add_state(struct history *history, const struct recalled_step *step)
{
    char *state = state_of(history->question, step);

    if (state) {
        add_part(&history->states, wire_state_entry(step->game->seq, history->state, state));
        free(history->state);
        history->state = state;
    }
}

static int collect(void *self, const struct recalled_step *step)
{
    struct history *history = self;
    bool has_last = false;

    for (unsigned i = 0; i < step->outcome->count; i++) {
        has_last = add_event(history, step, &step->outcome->events[i]);
    }
    if (has_last && history->question->query.states) {
        add_state(history, step);
    }
    history->last_seq = step->game->seq;
    return 0;
}

static char *answer_history(const struct question *question)
{
    struct history history = {.question = question};
    int error = replay(question, question->query.game, collect, &history);
    char *json = refuse_replay(question, error, history.last_seq);

    if (!json) {
        struct wire_list events = list_of(&history.events);
        struct wire_list states = list_of(&history.states);
        json = wire_reply_history(question->id, history.last_seq, history.more, &events,
                                  question->query.states ? &states : NULL);
    }
    free_parts(&history.events);
    free_parts(&history.states);
    free(history.state);
    return json;
}

/*
 * look-back
 */

struct look {
    const struct question *question;
    char *state; /* NULL until the event has come */
    uint32_t last_seq;
};

static int look(void *self, const struct recalled_step *step)
{
    struct look *look = self;

    look->last_seq = step->game->seq;
    if (!look->state && step->game->seq >= look->question->query.seq) {
        look->state = state_of(look->question, step);
    }
    return 0;
}

static char *answer_look_back(const struct question *question)
{
    struct look past = {.question = question};
    int error = replay(question, question->query.game, look, &past);
    char *json = refuse_replay(question, error, past.last_seq);

    if (!json && past.last_seq < question->query.seq) {
        char message[MESSAGE_SIZE];
        snprintf(message, sizeof message, "\"seq\" must be that of an event of the game, 1 to %u.",
                 past.last_seq);
        json = refuse(question, REFUSED_BAD_VALUE, message);
    } else if (!json && past.state) {
        json = wire_reply_look_back(question->id, past.last_seq, past.state);
    }
    free(past.state);
    return json;
}

/*
 * games
 */

struct summary {
    struct game game; /* after its last event */
    int64_t began_ms;
    int64_t last_ms; /* of the last event */
    int64_t over_ms; /* of the last game-over */
};

static int summarise(void *self, const struct recalled_step *step)
{
    struct summary *summary = self;

    if (step->record->input.kind == INPUT_NEW_GAME) {
        summary->began_ms = step->record->wall_ms;
    }
    for (unsigned i = 0; i < step->outcome->count; i++) {
        summary->last_ms = step->record->wall_ms;
        if (step->outcome->events[i].kind == EVENT_GAME_OVER) {
            summary->over_ms = step->record->wall_ms;
        }
    }
    summary->game = *step->game;
    return 0;
}

/* A game of which nothing can be read is not listed. */
static void add_game(const struct question *question, const char *id, struct parts *games)
{
    struct summary summary = {0};
    int error = replay(question, id, summarise, &summary);
    int64_t ended_ms = summary.game.phase == PHASE_OVER ? summary.over_ms : summary.last_ms;

    if (summary.game.seq) {
        add_part(games, wire_game_entry(&(struct wire_past_game){
                            .id = id,
                            .game = &summary.game,
                            .began_ms = summary.began_ms,
                            .ended_ms = is_open_game(question, id) ? 0 : ended_ms,
                            .is_damaged = error == -EBADMSG,
                        }));
    }
}

static char *answer_games(const struct question *question)
{
    const struct wire_query *query = &question->query;
    struct journal_entry *entries = NULL;
    struct parts games = {0};
    size_t left;
    int error = journal_list_finished(question->disk, &entries, &left);

    if (error) {
        return refuse_storage(question, error);
    }
    while (left && entries[left - 1].number >= question->open.number) {
        left--; /* finished since the question was asked */
    }
    if (!query->before[0] && question->open.data) {
        add_game(question, question->open_id, &games);
    }
    if (!is_open_game(question, query->before)) {
        while (left && strcmp(entries[left - 1].game, query->before) != 0) {
            left--;
        }
        if (!left) {
            free(entries);
            return refuse_game(question, query->before);
        }
        left--;
    }
    while (left && games.count < query->limit && games.bytes < BYTES_MAX) {
        add_game(question, entries[--left].game, &games);
    }
    struct wire_list list = list_of(&games);
    char *json = wire_reply_games(question->id, left > 0, &list);
    free_parts(&games);
    free(entries);
    return json;
}

char *history_answer(const struct question *question)
{
    switch (question->query.kind) {
    case QUERY_HISTORY:
        return answer_history(question);
    case QUERY_GAMES:
        return answer_games(question);
    case QUERY_LOOK_BACK:
        return answer_look_back(question);
    case QUERY_NONE:
    case QUERY_COUNT:
        break;
    }
    return NULL;
}
