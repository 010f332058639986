/*
 * Inputs and events as one line of text, in the words of words.h: `move piece=red-1 knots=2`.
 *
 * Push buttons in the configuration, shipahoyctl, the journal and the tests use this grammar.
 * In a line that is read, a value without a key goes to the input's next field in the order of
 * RULES_FIELDS that has not been given yet: `move red-1 2`, `move piece=red-1 2`. A field is given
 * once.
 */
#ifndef RULES_LINE_H
#define RULES_LINE_H

#include "rules/rules.h"

#include <stddef.h>

enum { LINE_SIZE = 512 };

/*
 * Reads a whole line; at_us and setup stay 0. 0, or a refusal: REFUSED_UNKNOWN_COMMAND,
 * REFUSED_TOO_LARGE for a line of LINE_SIZE or more, REFUSED_BAD_VALUE for a field that this input
 * does not have or that is given twice, or as input_set_field and input_check_complete say
 * (fields.h). The input is written only on success.
 */
int line_read_input(const char *text, struct input *input);

/* Write text with its end; what does not fit in size is cut off. Return its length uncut. */
size_t line_write_input(const struct input *input, char *buffer, size_t size);
size_t line_write_event(const struct event *event, char *buffer, size_t size);

#endif
