/* Values that are text: names, paths, parts of topics. */
#include "values.h"

#include <string.h>

/* How many bytes the character at this byte has in UTF-8, 0 if none begins there. */
static size_t character_length(unsigned char byte)
{
    if (byte < 0x80) {
        return byte >= 0x20 && byte != 0x7f;
    }
    return byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
}

/* Refuses what the first byte still allows: too long a form, surrogates, beyond U+10FFFF. */
static bool second_byte_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xe0:
        return second >= 0xa0;
    case 0xed:
        return second < 0xa0;
    case 0xf0:
        return second >= 0x90;
    case 0xf4:
        return second < 0x90;
    default:
        return true;
    }
}

bool config_is_text(const char *value)
{
    const unsigned char *at = (const unsigned char *)value;

    while (*at) {
        size_t length = character_length(*at);
        if (length == 0) {
            return false;
        }
        for (size_t i = 1; i < length; i++) {
            if ((at[i] & 0xc0) != 0x80 || (i == 1 && !second_byte_fits(at[0], at[1]))) {
                return false;
            }
        }
        at += length;
    }
    return true;
}

/* The rest of the member is cleared, so that equal values are equal bytes. */
static bool store_text(const struct config_key *key, const char *value, void *member)
{
    size_t length = strlen(value);

    if (length < key->min || length > key->max) {
        return false;
    }
    memset(member, 0, key->size);
    memcpy(member, value, length);
    return true;
}

bool config_read_text(const struct config_key *key, const char *value, void *member,
                      struct text *hint)
{
    (void)hint;
    return config_is_text(value) && store_text(key, value, member);
}

void config_describe_text(const struct config_key *key, struct text *text)
{
    text_add(text, key->min ? "text of 1 to " : "text of up to ");
    text_add_number(text, key->max);
    text_add(text, " bytes");
}

void config_describe_file(const struct config_key *key, struct text *text)
{
    (void)key;
    text_add(text, "the path of a file that can be read");
}

static const char segment_letters[] = "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-_";

bool config_read_segment(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    (void)hint;
    return value[strspn(value, segment_letters)] == '\0' && store_text(key, value, member);
}

void config_describe_segment(const struct config_key *key, struct text *text)
{
    text_add(text, "1 to ");
    text_add_number(text, key->max);
    text_add(text, " letters, digits, - or _");
}

bool config_read_prefix(const struct config_key *key, const char *value, void *member,
                        struct text *hint)
{
    const char *at = value;

    (void)hint;
    for (;;) {
        size_t length = strspn(at, segment_letters);
        if (length == 0) {
            return false;
        }
        at += length;
        if (*at == '\0') {
            return store_text(key, value, member);
        }
        if (*at++ != '/') {
            return false;
        }
    }
}

void config_describe_prefix(const struct config_key *key, struct text *text)
{
    config_describe_segment(key, text);
    text_add(text, ", perhaps with / between them");
}
