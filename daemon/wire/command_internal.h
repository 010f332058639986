/*
 * The values in a payload, which may hold anything: they are read within bounds. What returns false
 * has refused the command, with a sentence that names the field and what it accepts.
 */
#ifndef WIRE_COMMAND_INTERNAL_H
#define WIRE_COMMAND_INTERNAL_H

#include "rules/nearest.h"
#include "rules/text.h"
#include "wire/wire.h"

#include <jansson.h>

enum { VALUE_TEXT_SIZE = 32 };

/* The object in the payload, or NULL and the refusal. */
json_t *command_parse(const void *payload, size_t size, struct command *command);

/* The id, if there is one. */
bool command_read_id(const json_t *object, struct command *command);

/* Each returns false. */
bool command_refuse(struct command *command, enum refusal refusal, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool command_refuse_value(struct command *command, const char *field, const char *description);

/* The same, with the word that was probably meant if there is one (not NULL). */
bool command_refuse_near(struct command *command, const char *field, const char *description,
                         const char *near);

/* The value must be one of the words (ends with NULL); the message says which one is near. */
bool command_refuse_name(struct command *command, const char *field, const char *value,
                         const char *const *words);

/* `Unknown WHAT "WORD"; did you mean "NEAREST"?`, the question only if a word is near. */
bool command_refuse_word(struct command *command, enum refusal refusal, const char *what,
                         const struct nearest *nearest);

/* Adds `"flag" or "swords"`. */
void command_add_words(struct text *text, const char *const *words);

/* A string, or a number as text. NULL for anything else. */
const char *value_text(const json_t *value, char buffer[VALUE_TEXT_SIZE]);

/* The string, or "", which no list of words contains. */
const char *value_word(const json_t *value);

/* The names of the harbours (ends with NULL). */
extern const char *const command_harbours[];

/* true and false, or yes and no as in the configuration. */
bool command_read_truth(struct command *command, const char *field, const json_t *value, bool *is);

/*
 * A string of 1 to size - 1 bytes without control characters. The rest of the buffer is zeroed,
 * because games are compared byte by byte.
 */
bool command_read_text(struct command *command, const char *field, const json_t *value,
                       char *buffer, size_t size);

/* new_game.c: fills in the setup, what is drawn, abandon and anyway. */
bool command_read_new_game(json_t *object, const struct wire_defaults *defaults,
                           struct command *command);

#endif
