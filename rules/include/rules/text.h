/* A string built step by step in the caller's memory; what does not fit is cut off. */
#ifndef RULES_TEXT_H
#define RULES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *start;
    size_t size;
    size_t length; /* of the whole text, without the cut */
};

struct text text_begin(char *start, size_t size);
void text_add(struct text *text, const char *string);
void text_add_some(struct text *text, const char *string, size_t length);
void text_add_number(struct text *text, int64_t number);
void text_add_unsigned(struct text *text, uint64_t number);

/* A number of thousandths as a decimal: 1620 is 1.62, 2000 is 2. */
void text_add_milli(struct text *text, int64_t milli);

/* Whether these bytes are UTF-8. */
bool text_is_utf8(const char *string);

/* Whether these bytes are UTF-8 without control characters, U+0080 to U+009F among them. */
bool text_is_plain(const char *string);

/* How many characters (Unicode code points) this UTF-8 has. */
size_t text_count_characters(const char *string);

/* Whether this UTF-8 shows nothing: it has only blanks of any width, also of none. */
bool text_is_invisible(const char *string);

/* Replaces the bytes of control characters with question marks. */
void text_replace_controls(char *string);

/*
 * Copies the beginning of a text from outside for a message: only whole characters, with `...` if
 * it is cut off, and with ? for bytes that are not plain.
 */
void text_quote(const char *string, char *quote, size_t size);

#endif
