/*
 * A subcommand that follows a table: its topics are heard as long as there is a broker, and shown
 * on a terminal or line by line.
 */
#ifndef DAEMON_CTL_LIVE_H
#define DAEMON_CTL_LIVE_H

#include "client.h"
#include "ctl.h"
#include "draw.h"
#include "link.h"
#include "topics.h"

/* What a subcommand makes of it. */
struct live_parts {
    const char *const *topic_ends; /* to be heard, below the base; ends with NULL */
    void (*begin)(void *self);     /* connected anew; NULL: nothing to do */
    /* A message on one of the topics (end), or on our response topic (end is NULL). Whether there
     * is something new to show. */
    bool (*hear)(void *self, const char *end, const struct bus_news *news);
    void (*show)(void *self); /* NULL with live_run never called */
    unsigned redraw_ms;       /* on a terminal also so often; 0: only what is new */
};

struct live {
    struct config config;
    struct client *client;
    struct topics topics;
    struct screen screen;
    bool on_terminal;
    bool following;       /* in live_run: a lost broker is tried again */
    bool is_fresh;        /* something to be shown */
    unsigned unconfirmed; /* subscriptions that the broker has not confirmed yet */
    struct link link;
    const struct live_parts *parts;
    void *self;
};

/* 0, or an exit code after telling why not. To be closed in either case. */
int live_open(struct live *live, const struct call *call, const struct live_parts *parts,
              void *self);
void live_close(struct live *live);

/* Shows what is new until somebody ends it, and connects again whenever the broker was lost. */
void live_run(struct live *live, unsigned timeout_ms);

/*
 * For those who ask once. Connects, within the timeout; 0, or EXIT_UNAVAILABLE after telling why
 * not.
 */
int live_connect(struct live *live, unsigned timeout_ms);

/* The same, and hears all that is retained on the topics. */
int live_catch_up(struct live *live, unsigned timeout_ms);

/* Hears all that the broker has got for us so far. */
void live_hear_all(struct live *live);

/*
 * Whether the claim came true before the deadline and before the connection was lost. Ends early,
 * too, when other_fd (-1: none) becomes readable.
 */
typedef bool live_claim_fn(const struct live *live);
bool live_wait(struct live *live, live_claim_fn *claim, int other_fd, int64_t deadline_ms);

/* The clock of the deadlines. */
int64_t live_now_ms(void);

#endif
