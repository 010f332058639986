/* The words of `send` as the JSON of a command. Pure. */
#ifndef CTL_COMMAND_JSON_H
#define CTL_COMMAND_JSON_H

#include <stddef.h>

/*
 * The payload of the verb with its words: `key=value`, or a value alone for the next field that the
 * verb has (as in rules/line.h). Numbers, true, false, and what begins with [ or { go as JSON,
 * the rest as text; id is always text, default_id if none is given. A string of its own, to be
 * freed with free(), or NULL with a sentence in problem.
 */
char *command_json(const char *verb, char *const *words, int count, const char *default_id,
                   char *problem, size_t size);

#endif
