/* A reply of the table as text. Pure. */
#ifndef CTL_REPLY_TEXT_H
#define CTL_REPLY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { REPLY_ERROR_SIZE = 32 };

/* Whether the command was accepted, and if not the code of the error. */
struct reply_verdict {
    bool accepted;
    char error[REPLY_ERROR_SIZE];
};

/*
 * What the reply says, safe for a terminal, with a line end after each sentence. A string of its
 * own, to be freed with free(), or NULL when this is not a reply.
 */
char *reply_text(const void *payload, size_t size, struct reply_verdict *verdict);

/* Whether this is the reply to that command: their ids are the same. */
bool reply_answers(const void *payload, size_t size, const char *command);

#endif
