/* Answers given to commands that had an id, so that the same id is answered alike each time. */
#ifndef DAEMON_REPLIES_H
#define DAEMON_REPLIES_H

#include "journal/journal.h"

#include <stdbool.h>

enum { REPLIES_MAX = 256 };

struct reply {
    char id[COMMAND_ID_SIZE];
    char *json;
};

/* A zeroed one is empty. */
struct replies {
    struct reply latest[REPLIES_MAX];
    unsigned next;

    /* Hashes of all ids that were accepted in the open game. */
    uint32_t *accepted;
    size_t accepted_count;
    size_t accepted_capacity;
};

/* The answer, or NULL when it is not among the latest REPLIES_MAX. */
const char *replies_find(const struct replies *replies, const char *id);

/* Keeps a copy; an empty id is not remembered. */
void replies_remember(struct replies *replies, const char *id, const char *json);

/*
 * The open game has a record with this id; and whether it may have one, which the journal knows for
 * sure. A new game begins with none.
 */
void replies_accept(struct replies *replies, const char *id);
bool replies_may_have_accepted(const struct replies *replies, const char *id);
void replies_begin_game(struct replies *replies);

void replies_close(struct replies *replies);

#endif
