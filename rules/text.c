#include "rules/text.h"

#include <string.h>

struct text text_begin(char *start, size_t size)
{
    if (size > 0) {
        start[0] = '\0';
    }
    return (struct text){.start = start, .size = size};
}

void text_add_some(struct text *text, const char *string, size_t length)
{
    if (text->length + 1 < text->size) {
        size_t room = text->size - text->length - 1;
        size_t fits = length < room ? length : room;
        memcpy(text->start + text->length, string, fits);
        text->start[text->length + fits] = '\0';
    }
    text->length += length;
}

void text_add(struct text *text, const char *string)
{
    text_add_some(text, string, strlen(string));
}

void text_add_number(struct text *text, int64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0) {
        digits[--at] = '-';
    }
    text_add_some(text, digits + at, sizeof digits - at);
}

void text_add_milli(struct text *text, int64_t milli)
{
    int64_t whole = milli / 1000;
    int64_t rest = milli < 0 ? -(milli % 1000) : milli % 1000;

    if (milli < 0 && whole == 0) {
        text_add(text, "-");
    }
    text_add_number(text, whole);
    if (rest) {
        char digits[5] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                          (char)('0' + rest % 10), '\0'};
        size_t length = 4;
        while (digits[length - 1] == '0') {
            length--;
        }
        text_add_some(text, digits, length);
    }
}
