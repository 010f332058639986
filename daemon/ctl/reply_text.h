/* A reply of the table as text. Pure. */
#ifndef CTL_REPLY_TEXT_H
#define CTL_REPLY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What the reply says, safe for a terminal, with a line end after each sentence. A string of its
 * own, to be freed with free(), or NULL when this is not a reply. accepted is whether the command
 * was.
 */
char *reply_text(const void *payload, size_t size, bool *accepted);

/* Whether this is the reply to that command: their ids are the same. */
bool reply_answers(const void *payload, size_t size, const char *command);

#endif
