/*
 * JSON put together member by member; for the wire_*.c files alone.
 *
 * A value that could not be made (no memory) is NULL. Putting NULL somewhere makes the whole fail,
 * up to the text, so that nobody has to ask on the way.
 */
#ifndef DAEMON_WIRE_JSON_H
#define DAEMON_WIRE_JSON_H

#include "rules/words.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { WIRE_VERSION = 1 };

struct building {
    json_t *json;
    bool failed;
};

struct building begin_object(void);
struct building begin_list(void);

/* Both take the value over. */
void put(struct building *object, const char *key, json_t *value);
void append(struct building *list, json_t *value);

/* The finished object or list, NULL if something in it failed. */
json_t *finish(struct building *building);

/* The same as compact text, to be freed by the caller. */
char *finish_text(struct building *building);

/* Text from outside; what is not UTF-8 is shown with question marks. */
json_t *json_text(const char *text);

/* Text, null for an empty one. */
json_t *json_text_or_null(const char *text);

/* A word of words.h, null for 0; names are our own and need no check. */
json_t *json_piece(enum piece piece);
json_t *json_rule(enum rule rule);

/* A player's number, null for nobody. */
json_t *json_player(unsigned player);

/* A number of thousandths as a decimal number. */
json_t *json_milli(int64_t milli);

/* Milliseconds since 1970 as UTC: 2024-05-31T18:03:07.042Z. */
json_t *json_time(int64_t wall_ms);

/* The members of a set, 1 << player or 1 << piece. */
json_t *json_players(uint32_t players);
json_t *json_pieces(uint32_t pieces);

#endif
