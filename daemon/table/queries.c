#include "queries.h"

#include "rules/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sends and frees the answer, which may be NULL: then the next query need not wait for it. */
static void send_answer(struct queries *queries, const struct reply_address *address, char *json,
                        uint64_t used_us)
{
    replies_answer(queries->replies, address, json, used_us, session_now_us(queries->session));
    free(json);
}

static void refuse(struct queries *queries, const struct reply_address *address, const char *id,
                   enum refusal refusal)
{
    char message[SENTENCE_SIZE];

    say_refusal(session_game(queries->session), &(struct input){0}, refusal, RULE_NONE, message,
                sizeof message);
    send_answer(queries, address, wire_reply_refused(id, refusal, RULE_NONE, message), 0);
}

/* Why the open game cannot be asked about. */
static enum refusal check(const struct queries *queries, const struct wire_query *query)
{
    if (session_end_is_unsafe(queries->session)) {
        return REFUSED_STORAGE;
    }
    bool needs_open = query->kind != QUERY_GAMES && !query->game[0];
    return needs_open && !session_game_id(queries->session)[0] ? REFUSED_NO_GAME : REFUSED_NOT;
}

/* 0 or -errno. */
static int begin(struct queries *queries, const char *id, const struct wire_query *query)
{
    struct question *question = &queries->question;
    const struct jobs *jobs = &queries->ports->jobs;

    *question = (struct question){
        .query = *query, .disk = queries->ports->disk, .sensors = &queries->ports->sensors};
    snprintf(question->id, sizeof question->id, "%s", id);
    snprintf(question->table, sizeof question->table, "%s", queries->config->table);
    snprintf(question->open_id, sizeof question->open_id, "%s", session_game_id(queries->session));
    int error = journal_copy(session_journal(queries->session), &question->open);
    if (!error) {
        error = jobs->begin(jobs->self, &queries->job);
    }
    if (error) {
        journal_free_game(&question->open);
    }
    return error;
}

void queries_ask(struct queries *queries, enum query_kind kind, const struct bus_news *news)
{
    struct reply_address address = replies_address(queries->replies, news);
    struct command command;
    struct wire_query query;

    if (queries->is_working) {
        return;
    }
    wire_read_query(kind, news->payload, news->size, &command, &query);
    if (command.refusal) {
        send_answer(queries, &address,
                    wire_reply_refused(command.id, command.refusal, RULE_NONE, command.message), 0);
        return;
    }
    enum refusal refusal = check(queries, &query);
    if (!refusal && begin(queries, command.id, &query)) {
        refusal = REFUSED_STORAGE;
    }
    if (refusal) {
        refuse(queries, &address, command.id, refusal);
        return;
    }
    queries->is_working = true;
    queries->address = address;
}

uint64_t queries_due_us(const struct queries *queries)
{
    return queries->is_working ? 0 : replies_query_due_us(queries->replies);
}

/*
 * The job
 */

/* In its own thread. */
static void work(void *self)
{
    struct queries *queries = self;

    queries->answer = history_answer(&queries->question);
}

static void done(void *self)
{
    struct queries *queries = self;
    char *answer = queries->answer;

    queries->is_working = false;
    queries->answer = NULL;
    journal_free_game(&queries->question.open);
    send_answer(queries, &queries->address, answer, queries->job.used_us);
}

void queries_open(struct queries *queries, const struct config *config,
                  const struct table_ports *ports, struct session *session, struct replies *replies)
{
    *queries = (struct queries){
        .config = config,
        .ports = ports,
        .session = session,
        .replies = replies,
        .job = {.self = queries, .work = work, .done = done},
    };
}

void queries_close(struct queries *queries)
{
    journal_free_game(&queries->question.open);
    free(queries->answer);
}
