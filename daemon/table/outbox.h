/*
 * Events on their way to the broker: in order, none missing, each until it is acknowledged.
 *
 * Nothing waits here in memory. What has been sent but not acknowledged, or not been sent at all
 * because the broker was away, is computed again from the journal when its turn comes: from what it
 * has in memory for the open game, and for a finished one from its file, which a job reads.
 */
#ifndef DAEMON_OUTBOX_H
#define DAEMON_OUTBOX_H

#include "common/bus.h"
#include "journal/journal.h"
#include "journal/replay.h"
#include "session.h"

enum { OUTBOX_WINDOW = 64 }; /* events sent and not yet acknowledged, at most; bits of a mask */

/* Set up by the table; zero what comes after table. */
struct outbox {
    struct journal *journal;
    struct recall *recall;
    const struct disk *disk;
    const struct jobs *jobs;
    struct job load; /* its work calls outbox_load, and its done outbox_loaded */
    const struct bus *bus;
    const struct sensors *sensors;
    const char *topic; /* of events, before their name */
    const char *table;

    unsigned lost_games;  /* finished games of which not all events can be sent */
    uint32_t lost_number; /* the last of them */

    bool connected;
    bool behind; /* there may be events that have not been sent */
    int logged;  /* -errno: why not, as it was logged; 0 when all have been sent since */

    /* The events on their way are of one game: the next one has to wait for the last. */
    struct journal_mark acknowledged;
    uint32_t sent;    /* seq, in the same game */
    uint64_t arrived; /* bit n: seq acknowledged.seq + 1 + n is with the broker */

    uint32_t sent_number; /* of the games up to this one nothing has to be loaded any more */
    bool is_loading;      /* what follows belongs to the job then */
    uint32_t load_after;
    uint32_t load_before;
    struct journal_game loaded; /* the finished game that is being sent, if it has data */
    int load_result;            /* as that of journal_load_finished */
    unsigned unreadable;        /* how often that was -EIO, since the connection */
};

void outbox_connected(struct outbox *outbox);
void outbox_disconnected(struct outbox *outbox);

/* Sends the events of the step that the session has applied last. */
void outbox_offer_step(struct outbox *outbox, const struct session *session);

/* An event as JSON, to be freed; NULL when memory runs out. */
char *outbox_event(const struct recalled *past, const char *table, const struct sensors *sensors);

/* Whether there are events to send and nothing on its way whose arrival would bring them on. */
bool outbox_is_stuck(const struct outbox *outbox);
void outbox_try_again(struct outbox *outbox);

/* The work of the job, in its thread; and what follows from it. */
void outbox_load(struct outbox *outbox);
void outbox_loaded(struct outbox *outbox);
void outbox_close(struct outbox *outbox);

/* The broker has the event with this seq. */
void outbox_acknowledged(struct outbox *outbox, uint32_t seq);

#endif
