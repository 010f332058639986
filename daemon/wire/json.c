#include "json_internal.h"

#include "common/utc.h"
#include "rules/game.h"
#include "rules/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY_FIRST = 1024, /* enough for an event */
    NUMBER_SIZE = 32,
    ESCAPE_SIZE = 8,
};

/*
 * Bytes
 */

static bool grow(struct json_text *json, size_t size)
{
    size_t capacity = json->capacity ? json->capacity : CAPACITY_FIRST;

    while (capacity - json->length < size) {
        capacity *= 2;
    }
    char *data = json->failed ? NULL : realloc(json->data, capacity);
    json->failed = !data;
    json->data = data ? data : json->data;
    json->capacity = data ? capacity : json->capacity;
    return !json->failed;
}

static bool make_room(struct json_text *json, size_t size)
{
    return json->capacity - json->length >= size ? !json->failed : grow(json, size);
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

/* Adds what precedes a value: a comma unless it is the first, and its key if it has one. */
static void begin_value(struct json_text *json, const char *key)
{
    size_t key_length = key ? strlen(key) : 0;
    bool is_first =
        !json->length || json->data[json->length - 1] == '{' || json->data[json->length - 1] == '[';

    if (!make_room(json, key_length + sizeof ",\"\":")) {
        return;
    }
    char *at = json->data + json->length;
    if (!is_first) {
        *at++ = ',';
    }
    if (key) {
        *at++ = '"';
        at = (char *)mempcpy(at, key, key_length);
        *at++ = '"';
        *at++ = ':';
    }
    json->length = (size_t)(at - json->data);
}

/* What needs no escapes. */
static void add_quoted(struct json_text *json, const char *text, size_t length)
{
    if (make_room(json, length + 2)) {
        char *at = json->data + json->length;
        at[0] = '"';
        memcpy(at + 1, text, length);
        at[length + 1] = '"';
        json->length += length + 2;
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
    add(json, "}", 2); /* with NUL */
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

void put_json(struct json_text *json, const char *key, const char *value)
{
    begin_value(json, key);
    add_string(json, value);
}

void put_members(struct json_text *json, const char *members, size_t size)
{
    begin_value(json, NULL);
    add(json, members, size);
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
    struct text text = text_begin(digits, sizeof digits);

    text_add_number(&text, number);
    put_json(json, key, digits);
}

void put_milli(struct json_text *json, const char *key, int64_t milli)
{
    char digits[NUMBER_SIZE];
    struct text text = text_begin(digits, sizeof digits);

    text_add_milli(&text, milli);
    put_json(json, key, digits);
}

void put_word(struct json_text *json, const char *key, const char *word)
{
    if (!word) {
        put_null(json, key);
        return;
    }
    begin_value(json, key);
    add_quoted(json, word, strlen(word));
}

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte != '"' && byte != '\\';
}

/* The number of bytes that need no change. */
static size_t plain_length(const char *text, bool is_utf8)
{
    size_t length = 0;

    while (text[length] && is_plain((unsigned char)text[length]) &&
           (is_utf8 || (unsigned char)text[length] < 0x80)) {
        length++;
    }
    return length;
}

static void add_escaped(struct json_text *json, unsigned char byte)
{
    static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* pairs of a byte and its escape */
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

static void add_text(struct json_text *json, const char *text)
{
    bool is_utf8 = text_is_utf8(text);

    add(json, "\"", 1);
    while (*text) {
        size_t plain = plain_length(text, is_utf8);
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

/* Nearly every text is ASCII without anything to escape. */
void put_text(struct json_text *json, const char *key, const char *text)
{
    size_t plain = plain_length(text, false);

    begin_value(json, key);
    if (text[plain]) {
        add_text(json, text);
    } else {
        add_quoted(json, text, plain);
    }
}

void put_text_or_null(struct json_text *json, const char *key, const char *text)
{
    if (text[0]) {
        put_text(json, key, text);
    } else {
        put_null(json, key);
    }
}

void put_piece(struct json_text *json, const char *key, enum piece piece)
{
    put_word(json, key, piece ? rules_piece_name(piece) : NULL);
}

void put_rule(struct json_text *json, const char *key, enum rule rule)
{
    put_word(json, key, rule ? rules_rule_name(rule) : NULL);
}

void put_player(struct json_text *json, const char *key, unsigned player)
{
    if (player) {
        put_number(json, key, player);
    } else {
        put_null(json, key);
    }
}

void put_time(struct json_text *json, const char *key, int64_t wall_ms)
{
    char text[UTC_SIZE];

    utc_write(wall_ms, text);
    put_word(json, key, text);
}

void put_players(struct json_text *json, const char *key, uint32_t players)
{
    open_list(json, key);
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (players & bit(player)) {
            put_number(json, NULL, player);
        }
    }
    close_list(json);
}

void put_pieces(struct json_text *json, const char *key, uint32_t pieces)
{
    open_list(json, key);
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & bit(piece)) {
            put_piece(json, NULL, (enum piece)piece);
        }
    }
    close_list(json);
}

void put_harbours(struct json_text *json, uint32_t harbours)
{
    open_list(json, "harbours");
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (harbours & bit(harbour)) {
            put_word(json, NULL, rules_harbour_name((enum harbour)harbour));
        }
    }
    close_list(json);
}
