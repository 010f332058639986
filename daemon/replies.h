/* Answers given to commands that had an id, so that the same id is answered alike each time. */
#ifndef DAEMON_REPLIES_H
#define DAEMON_REPLIES_H

#include "daemon/journal.h"

enum { REPLIES_MAX = 256 };

struct reply {
    char id[COMMAND_ID_SIZE];
    char *json;
};

/* The latest REPLIES_MAX; a zeroed one is empty. */
struct replies {
    struct reply latest[REPLIES_MAX];
    unsigned next;
};

/* The answer, or NULL when this id has not been seen (lately). */
const char *replies_find(const struct replies *replies, const char *id);

/* Keeps a copy; an empty id is not remembered. */
void replies_remember(struct replies *replies, const char *id, const char *json);
void replies_close(struct replies *replies);

#endif
