#include "json.h"

#include "rules/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY_FIRST = 1024, /* of an event; a state takes a few times as much */
    NUMBER_SIZE = 24,
    ESCAPE_SIZE = 8,
};

/*
 * Bytes
 */

static bool make_room(struct json_text *json, size_t size)
{
    size_t capacity = json->capacity ? json->capacity : CAPACITY_FIRST;

    while (capacity - json->length < size) {
        capacity *= 2;
    }
    if (capacity != json->capacity && !json->failed) {
        char *data = realloc(json->data, capacity);
        json->failed = !data;
        json->data = data ? data : json->data;
        json->capacity = data ? capacity : json->capacity;
    }
    return !json->failed;
}

static void add(struct json_text *json, const char *bytes, size_t size)
{
    if (make_room(json, size)) {
        memcpy(json->data + json->length, bytes, size);
        json->length += size;
    }
}

static void add_string(struct json_text *json, const char *string)
{
    add(json, string, strlen(string));
}

/* What comes before a value: a comma unless it is the first, and its key if it has one. */
static void begin_value(struct json_text *json, const char *key)
{
    const char *last = json->length ? json->data + json->length - 1 : "{";

    if (*last != '{' && *last != '[') {
        add(json, ",", 1);
    }
    if (key) {
        add(json, "\"", 1);
        add_string(json, key);
        add(json, "\":", 2);
    }
}

/*
 * Objects and lists
 */

struct json_text json_begin(void)
{
    struct json_text json = {0};

    add(&json, "{", 1);
    return json;
}

char *json_end(struct json_text *json)
{
    add(json, "}", 2); /* with the end of the string */
    if (json->failed) {
        free(json->data);
        return NULL;
    }
    return json->data;
}

void open_object(struct json_text *json, const char *key)
{
    begin_value(json, key);
    add(json, "{", 1);
}

void close_object(struct json_text *json)
{
    add(json, "}", 1);
}

void open_list(struct json_text *json, const char *key)
{
    begin_value(json, key);
    add(json, "[", 1);
}

void close_list(struct json_text *json)
{
    add(json, "]", 1);
}

/*
 * Values
 */

void put_json(struct json_text *json, const char *key, const char *made)
{
    begin_value(json, key);
    add_string(json, made);
}

void put_null(struct json_text *json, const char *key)
{
    put_json(json, key, "null");
}

void put_truth(struct json_text *json, const char *key, bool is_true)
{
    put_json(json, key, is_true ? "true" : "false");
}

void put_number(struct json_text *json, const char *key, int64_t number)
{
    char digits[NUMBER_SIZE];
    char *first = digits + sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0) {
        *--first = '-';
    }
    begin_value(json, key);
    add(json, first, (size_t)(digits + sizeof digits - first));
}

void put_word(struct json_text *json, const char *key, const char *word)
{
    if (!word) {
        put_null(json, key);
        return;
    }
    begin_value(json, key);
    add(json, "\"", 1);
    add_string(json, word);
    add(json, "\"", 1);
}

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte != '"' && byte != '\\';
}

/* How much can be written as it is. */
static size_t plain_length(const char *text, bool is_readable)
{
    size_t length = 0;

    while (text[length] && is_plain((unsigned char)text[length]) &&
           (is_readable || (unsigned char)text[length] < 0x80)) {
        length++;
    }
    return length;
}

static void add_escaped(struct json_text *json, unsigned char byte)
{
    static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* what it is, and its letter */
    char escape[ESCAPE_SIZE];

    for (const char *pair = shorts; *pair; pair += 2) {
        if ((unsigned char)*pair == byte) {
            add(json, (const char[]){'\\', pair[1]}, 2);
            return;
        }
    }
    snprintf(escape, sizeof escape, "\\u%04X", byte);
    add_string(json, escape);
}

void put_text(struct json_text *json, const char *key, const char *text)
{
    bool is_readable = text_is_utf8(text);

    begin_value(json, key);
    add(json, "\"", 1);
    while (*text) {
        size_t plain = plain_length(text, is_readable);
        add(json, text, plain);
        text += plain;
        if (*text && is_plain((unsigned char)*text)) {
            add(json, "?", 1);
            text++;
        } else if (*text) {
            add_escaped(json, (unsigned char)*text++);
        }
    }
    add(json, "\"", 1);
}
