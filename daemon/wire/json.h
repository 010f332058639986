/*
 * JSON written member by member into one text; for the wire_*.c files alone. What is read is read
 * by jansson; what is written needs no tree, and an event is to leave at once.
 *
 * A text that could not grow (no memory) has failed as a whole, which json_end tells, so that
 * nobody has to ask on the way. Keys are our own words; a member of a list has the key NULL.
 */
#ifndef DAEMON_WIRE_JSON_H
#define DAEMON_WIRE_JSON_H

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

/* One object as a text of its own, to be freed by the caller; NULL if something in it failed. */
struct json_text json_begin(void);
char *json_end(struct json_text *json);

void open_object(struct json_text *json, const char *key);
void close_object(struct json_text *json);
void open_list(struct json_text *json, const char *key);
void close_list(struct json_text *json);

void put_null(struct json_text *json, const char *key);
void put_truth(struct json_text *json, const char *key, bool is_true);
void put_number(struct json_text *json, const char *key, int64_t number);

/* A word of our own, which needs no check; null for NULL. */
void put_word(struct json_text *json, const char *key, const char *word);

/* Text from outside; what is not UTF-8 is shown with question marks. */
void put_text(struct json_text *json, const char *key, const char *text);

/* JSON that is made already, as it is. */
void put_json(struct json_text *json, const char *key, const char *made);

/*
 * wire_values.c: what the game is told in
 */

/* Text, null for an empty one. */
void put_text_or_null(struct json_text *json, const char *key, const char *text);

/* A word of words.h, null for 0. */
void put_piece(struct json_text *json, const char *key, enum piece piece);
void put_rule(struct json_text *json, const char *key, enum rule rule);

/* A player's number, null for nobody. */
void put_player(struct json_text *json, const char *key, unsigned player);

/* The harbours of a set, 1 << harbour, as a list. */
void put_harbours(struct json_text *json, uint32_t harbours);

/* A number of thousandths as a decimal number. */
void put_milli(struct json_text *json, const char *key, int64_t milli);

/* Milliseconds since 1970 as UTC: 2024-05-31T18:03:07.042Z. */
void put_time(struct json_text *json, const char *key, int64_t wall_ms);

/* The members of a set, 1 << player or 1 << piece. */
void put_players(struct json_text *json, const char *key, uint32_t players);
void put_pieces(struct json_text *json, const char *key, uint32_t pieces);

#endif
