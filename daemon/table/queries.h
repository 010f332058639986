/*
 * Queries, one at a time: a job computes the answer, so that neither a long game nor the disk holds
 * up a command.
 */
#ifndef TABLE_QUERIES_H
#define TABLE_QUERIES_H

#include "history.h"
#include "replies.h"
#include "session.h"

struct queries {
    const struct config *config;
    const struct table_ports *ports;
    struct session *session;
    struct replies *replies;
    struct job job;

    struct reply_address address;
    bool is_working; /* what follows belongs to the job then */
    struct question question;
    char *answer;
};

/* What it is given must outlive it; queries_close is called when no job runs any more. */
void queries_open(struct queries *queries, const struct config *config,
                  const struct table_ports *ports, struct session *session,
                  struct replies *replies);
void queries_close(struct queries *queries);

/* A query that has come when queries_due_us was over. What comes too early is dropped. */
void queries_ask(struct queries *queries, enum query_kind kind, const struct bus_news *news);

/* When the next query may come: a time, or 0 until the last one is answered and acknowledged. */
uint64_t queries_due_us(const struct queries *queries);

#endif
