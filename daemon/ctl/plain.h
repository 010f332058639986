/*
 * Text from outside, made safe for a terminal: what could move the cursor, change colours or
 * reverse the direction of the text is shown as a question mark. Needs a UTF-8 LC_CTYPE
 * (plain_use_utf8).
 */
#ifndef CTL_PLAIN_H
#define CTL_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GLYPH_SIZE = 8 }; /* bytes of UTF-8 with the end */

/* One character as it is shown. */
struct glyph {
    char bytes[GLYPH_SIZE];
    unsigned columns; /* 1 or 2 */
};

/* Sets LC_CTYPE for this module; true when the user's terminal shows UTF-8. */
bool plain_use_utf8(void);

/* Takes the next character to be shown off the text; false at the end of the text. */
bool plain_next(const char **text, struct glyph *glyph);

/* Prints the text, safe, without a line end. */
void plain_print(FILE *file, const char *text);

#endif
