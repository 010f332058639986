/* Text written piece by piece into memory of the caller, cut off at its end, never overrun. */
#ifndef RULES_TEXT_H
#define RULES_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char *start;
    size_t size;
    size_t length; /* as if there were no end */
};

struct text text_begin(char *start, size_t size);
void text_add(struct text *text, const char *string);
void text_add_some(struct text *text, const char *string, size_t length);
void text_add_number(struct text *text, int64_t number);

/* A number of thousandths as a decimal: 1620 is 1.62, 2000 is 2. */
void text_add_milli(struct text *text, int64_t milli);

#endif
