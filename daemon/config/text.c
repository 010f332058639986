/* Values that are text: names, paths, parts of topics. */
#include "values.h"

#include "rules/text.h"

#include <string.h>

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
    return text_is_plain(value) && store_text(key, value, member);
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
