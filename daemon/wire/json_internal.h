/*
 * Writes JSON member by member into one string, without building a tree: events must leave fast.
 *
 * If memory runs out, the rest is ignored and json_end returns NULL, so callers check once. Keys
 * are words of ours, which need no escapes; a member of a list has the key NULL.
 */
#ifndef WIRE_JSON_INTERNAL_H
#define WIRE_JSON_INTERNAL_H

#include "rules/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIRE_VERSION = 1 };

struct json_text {
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
};

/* One object as a string that the caller frees; NULL if memory ran out. */
struct json_text json_begin(void);
char *json_end(struct json_text *json);

void open_object(struct json_text *json, const char *key);
void close_object(struct json_text *json);
void open_list(struct json_text *json, const char *key);
void close_list(struct json_text *json);

void put_null(struct json_text *json, const char *key);
void put_truth(struct json_text *json, const char *key, bool is_true);
void put_number(struct json_text *json, const char *key, int64_t number);

/* A word of ours, which needs no escapes; null for NULL. */
void put_word(struct json_text *json, const char *key, const char *word);

/* Text from outside; bytes that are not UTF-8 become question marks. */
void put_text(struct json_text *json, const char *key, const char *text);

/* Text, or null if it is empty. */
void put_text_or_null(struct json_text *json, const char *key, const char *text);

/* A value that is JSON already. */
void put_json(struct json_text *json, const char *key, const char *value);

/* Members that are JSON already, with their keys and the commas between them. */
void put_members(struct json_text *json, const char *members, size_t size);

/* A number of thousandths as a decimal number. */
void put_milli(struct json_text *json, const char *key, int64_t milli);

/* Milliseconds since 1970 as UTC: 2024-05-31T18:03:07.042Z. */
void put_time(struct json_text *json, const char *key, int64_t wall_ms);

/* A name of words.h, or null for 0. */
void put_piece(struct json_text *json, const char *key, enum piece piece);
void put_rule(struct json_text *json, const char *key, enum rule rule);

/* The number of a player, or null for PLAYER_NONE. */
void put_player(struct json_text *json, const char *key, unsigned player);

/* Lists of the members of a set, see bit(). */
void put_players(struct json_text *json, const char *key, uint32_t players);
void put_pieces(struct json_text *json, const char *key, uint32_t pieces);
void put_harbours(struct json_text *json, uint32_t harbours);

#endif
