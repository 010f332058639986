/*
 * Tournaments. As for score sheets, every change is stored before it is shown, the state is what
 * the stored changes make of the settings, and a command with an id that was carried out before is
 * answered as it was then. The results of tables are changes, too; they are found in the stored
 * games, so that none is missed while the logbook is away.
 */
#ifndef LOGBOOK_TOURNAMENTS_H
#define LOGBOOK_TOURNAMENTS_H

#include "book.h"
#include "tournament_json.h"

enum {
    TOURNAMENTS_MAX = 16, /* whose state is published */
    TOURNAMENTS_CHANGES_MAX = 4096,
};

struct tournaments;

struct tournaments_ports {
    void *self;
    struct book *book;
    /* Publishes a state; NULL: there is none any more. */
    void (*show)(void *self, const char *id, const char *state);
};

struct tournaments_reply {
    enum tournament_refusal refusal;
    char tournament[STAMP_ID_SIZE];
    uint32_t seq;
};

/* Loads the tournaments that are shown. 0, or an error of book.h. */
int tournaments_open(struct tournaments **opened, const struct tournaments_ports *ports);
void tournaments_close(struct tournaments *tournaments); /* accepts NULL */

/* Each returns 0 with a reply, or an error of book.h; then nothing is shown. id may be NULL. */
int tournaments_begin(struct tournaments *tournaments, const char *id, const char *name,
                      const json_t *fields, struct tournaments_reply *reply);
int tournaments_round(struct tournaments *tournaments, const char *id, const char *tournament,
                      struct tournaments_reply *reply);
int tournaments_undo(struct tournaments *tournaments, const char *id, const char *tournament,
                     struct tournaments_reply *reply);
int tournaments_end(struct tournaments *tournaments, const char *id, const char *tournament,
                    struct tournaments_reply *reply);
int tournaments_change(struct tournaments *tournaments, const char *id, const char *tournament,
                       const struct tournament_change *change, struct tournaments_reply *reply);

/* A tournament that is shown, or NULL. */
const struct kept_tournament *tournaments_find(const struct tournaments *tournaments,
                                               const char *tournament);

/* Takes the results of finished games, and shows what is being played. 0, or an error of book.h. */
int tournaments_take_results(struct tournaments *tournaments);

/* After a connect: shows all, and clears those that were closed. 0, or an error of book.h. */
int tournaments_show(struct tournaments *tournaments);

#endif
