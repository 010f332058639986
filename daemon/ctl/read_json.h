/* Reading JSON that may hold anything: what is missing or of another kind reads as nothing. */
#ifndef CTL_READ_JSON_H
#define CTL_READ_JSON_H

#include "rules/game.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* "" when there is no such text; what does not fit in size is cut off. */
void read_text(const json_t *object, const char *key, char *text, size_t size);
const char *peek_text(const json_t *object, const char *key);

/* 0 when there is no such number, or one that is negative or beyond 32 bits. */
uint32_t read_number(const json_t *object, const char *key);
bool read_flag(const json_t *object, const char *key);
enum piece read_piece(const json_t *object, const char *key);
enum phase read_phase(const json_t *object, const char *key); /* the lobby when it is none */

/* `2024-05-31T18:03:07.042Z` in milliseconds of UTC; 0 when there is no such time. */
int64_t read_time_ms(const json_t *object, const char *key);

#endif
