/*
 * What the readers of commands share; for the wire_*.c files alone.
 *
 * A reader returns whether the value fits. If not, the command holds the refusal and a sentence
 * that names the field and what would fit.
 */
#ifndef DAEMON_WIRE_READ_H
#define DAEMON_WIRE_READ_H

#include "rules/nearest.h"
#include "wire/wire.h"

#include <jansson.h>

enum {
    NUMBER_TEXT_SIZE = 32,
    QUOTE_SIZE = 40, /* what is repeated of a word that is not known */
};

/* The words of a list of words.h, for a sentence. */
#define ONE_OF(LIST) "one of" LIST(ONE_OF_WORD)
#define ONE_OF_WORD(name, ...) " \"" ONE_OF_FIRST(__VA_ARGS__, ) "\""
#define ONE_OF_FIRST(word, ...) word

/* Refuses with a sentence; always false. */
bool refuse_command(struct command *command, enum refusal refusal, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "FIELD does not fit: it must be FITS." */
bool refuse_value(struct command *command, const char *field, const char *fits);

/* The same for a word that must be one of a list, with the nearest of them if one is near. */
#define REFUSE_NAME(command, field, word, LIST)                                                    \
    refuse_name((command), (field), ONE_OF(LIST), (word), (const char *const[]){LIST(WORD_OF) NULL})
#define WORD_OF(name, ...) ONE_OF_FIRST(__VA_ARGS__, ),
bool refuse_name(struct command *command, const char *field, const char *fits, const char *word,
                 const char *const *words);

/* `There is no WHAT "WORD"; did you mean NEAREST?`, the question only if something is near. */
bool refuse_word(struct command *command, enum refusal refusal, const char *what,
                 const struct nearest *nearest);

/* A string, or a number written out with up to six decimals. NULL for anything else. */
const char *scalar_text(const json_t *value, char buffer[NUMBER_TEXT_SIZE]);

/* The string, or "", which no list of words has. */
const char *json_word(const json_t *value);

/* A number or digit from 1 to most (at most 9); 0 for anything else. */
uint8_t small_number(const json_t *value, unsigned most);

/* Tells each word of a list with commas or spaces between them; whether all were taken. */
typedef bool word_fn(void *context, char *word);
bool read_words(const char *list, word_fn *take, void *context);

/*
 * A string of 1 to size - 1 bytes without control characters. The rest of the buffer is zeroed:
 * games are compared byte by byte.
 */
bool read_printable(struct command *command, const char *field, const json_t *value, char *buffer,
                    size_t size);

/* The fields of new-game, laid over the defaults. */
bool read_new_game(json_t *object, const struct wire_defaults *defaults, struct command *command);

/* wire_players.c: a list like [{"name": "Anna", "harbours": ["red"], "team": 1}, ...]. */
bool read_players(struct command *command, json_t *value);

#endif
