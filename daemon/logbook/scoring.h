/*
 * Games with a score sheet. Every change is stored before it is shown, and the state of a game is
 * what its stored changes make of it. A game keeps the text of its sheet, so that a file that
 * changes does not change it.
 *
 * A command with an id that was carried out before is answered as it was then.
 */
#ifndef LOGBOOK_SCORING_H
#define LOGBOOK_SCORING_H

#include "book.h"
#include "sheet_files.h"
#include "standing.h"

enum {
    SCORING_GAMES_MAX = 32, /* whose state is published */
    SCORING_CHANGES_MAX = 4096,
    SCORING_SHOWN_S = 24 * 3600, /* after the end */
    SCORING_MESSAGE_SIZE = 256,
};

struct scoring;

struct scoring_ports {
    void *self;
    struct book *book;
    const struct sheet_files *files;
    /* Publishes a state; NULL: there is none any more. */
    void (*show)(void *self, const char *game, const char *state);
};

struct scoring_player {
    const char *name;
    const char *role; /* or NULL */
};

struct scoring_change {
    enum score_verb verb;
    const char *name; /* of the counter or flag */
    unsigned player;  /* or SCORE_TABLE */
    bool is_set;
    int32_t number;
};

struct scoring_reply {
    const char *refusal; /* NULL: it was carried out */
    char message[SCORING_MESSAGE_SIZE];
    char game[STANDING_GAME_SIZE];
    uint32_t seq;
};

/* Loads the games that go on. 0, or an error of book.h. */
int scoring_open(struct scoring **opened, const struct scoring_ports *ports);
void scoring_close(struct scoring *scoring); /* accepts NULL */

/* Each returns 0 with a reply, or an error of book.h; then nothing is shown. id may be NULL. */
int scoring_begin(struct scoring *scoring, const char *id, const char *sheet,
                  const struct scoring_player *players, unsigned count,
                  struct scoring_reply *reply);
int scoring_change(struct scoring *scoring, const char *id, const char *game,
                   const struct scoring_change *change, struct scoring_reply *reply);
int scoring_undo(struct scoring *scoring, const char *id, const char *game,
                 struct scoring_reply *reply);
int scoring_abandon(struct scoring *scoring, const char *id, const char *game,
                    struct scoring_reply *reply);

/* After a connect: shows all games, and clears those that have ended. 0, or an error of book.h. */
int scoring_show(struct scoring *scoring);

/* Clears games that have been over for SCORING_SHOWN_S. 0, or an error of book.h. */
int scoring_tick(struct scoring *scoring);

#endif
