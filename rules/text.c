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

void text_add_unsigned(struct text *text, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    text_add_some(text, digits + at, sizeof digits - at);
}

void text_add_number(struct text *text, int64_t number)
{
    if (number < 0) {
        text_add(text, "-");
    }
    text_add_unsigned(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
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

/* How many bytes the character at the start of the text has, 0 if it is not UTF-8. */
static size_t read_character(const unsigned char *text, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t count = text[0] < 0x80   ? 1
                   : text[0] < 0xc0 ? 0
                   : text[0] < 0xe0 ? 2
                   : text[0] < 0xf0 ? 3
                   : text[0] < 0xf8 ? 4
                                    : 0;
    uint32_t read = count < 2 ? text[0] : text[0] & (0x7fU >> count);

    for (size_t i = 1; i < count; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        read = read << 6 | (text[i] & 0x3f);
    }
    bool is_surrogate = read >= 0xd800 && read < 0xe000;
    *character = read;
    return count && read >= least[count] && read <= 0x10ffff && !is_surrogate ? count : 0;
}

static bool has_only(const char *string, bool may_be_control)
{
    const unsigned char *at = (const unsigned char *)string;

    while (*at) {
        uint32_t character = 0;
        size_t count = read_character(at, &character);
        bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
        if (count == 0 || (is_control && !may_be_control)) {
            return false;
        }
        at += count;
    }
    return true;
}

bool text_is_utf8(const char *string)
{
    return has_only(string, true);
}

bool text_is_plain(const char *string)
{
    return has_only(string, false);
}

size_t text_count_characters(const char *string)
{
    size_t count = 0;

    for (; *string; string++) {
        count += ((unsigned char)*string & 0xc0) != 0x80;
    }
    return count;
}

/* Blanks, and what Unicode displays as nothing: joiners, marks of direction, fillers, selectors. */
static bool is_invisible(uint32_t character)
{
    static const struct {
        uint32_t first;
        uint32_t last;
    } ranges[] = {
        {' ', ' '},       {0xa0, 0xa0},     {0xad, 0xad},     {0x34f, 0x34f},     {0x61c, 0x61c},
        {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x2000, 0x200f},
        {0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800}, {0x3000, 0x3000},   {0x3164, 0x3164},
        {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xe0000, 0xe0fff},
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

bool text_is_invisible(const char *string)
{
    const unsigned char *at = (const unsigned char *)string;
    uint32_t character = 0;

    for (size_t count; *at; at += count) {
        count = read_character(at, &character);
        if (count == 0 || !is_invisible(character)) {
            return false;
        }
    }
    return true;
}

void text_replace_controls(char *string)
{
    for (unsigned char *at = (unsigned char *)string; *at; at++) {
        bool is_second_set = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;
        if (*at < 0x20 || *at == 0x7f || is_second_set) {
            at[is_second_set] = '?';
            at[0] = '?';
        }
    }
}

void text_quote(const char *string, char *quote, size_t size)
{
    static const char ellipsis[] = "...";
    struct text text = text_begin(quote, size);
    size_t length = strlen(string);

    if (length >= size) {
        length = size - sizeof ellipsis;
        while (length > 0 && ((unsigned char)string[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    text_add_some(&text, string, length);
    text_add(&text, string[length] ? ellipsis : "");
    bool is_plain = text_is_plain(quote);
    for (char *at = quote; *at && !is_plain; at++) {
        if (*at < ' ' || *at > '~') {
            *at = '?';
        }
    }
}
