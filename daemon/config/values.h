/* The values of the configuration: how each type is read and described. */
#ifndef DAEMON_CONFIG_VALUES_H
#define DAEMON_CONFIG_VALUES_H

#include "keys.h"

/*
 * Reads a value into the member of a key. True, or false with the member untouched and perhaps a
 * hint: half a sentence on what is wrong with this value.
 */
bool config_read_value(const struct config_key *key, const char *value, void *member,
                       struct text *hint);

/* What would fit, as it goes on after `expected`: `a number from 1 to 9`. */
void config_describe_value(const struct config_key *key, struct text *text);

/* The parts of a list: copies the next one, cut off at size, and moves on; rest is "" at the end.
 */
void config_next_item(const char **rest, char *item, size_t size);

/* Whole numbers in units of the last of so many decimals; false if it is no such number. */
bool config_read_decimal(const char *value, unsigned decimals, uint32_t *number);

/* Adds `did you mean X?` if something was near. */
void config_add_guess(struct text *hint, const char *best);

/* What a type is made of. */
typedef bool config_read_fn(const struct config_key *key, const char *value, void *member,
                            struct text *hint);
typedef void config_describe_fn(const struct config_key *key, struct text *text);

/* Those of config_text.c, config_setup.c and config_lines.c. */
config_read_fn config_read_text, config_read_segment, config_read_prefix, config_read_harbours,
    config_read_move_die, config_read_combat_die, config_read_barrels, config_read_command,
    config_read_line;
config_describe_fn config_describe_text, config_describe_file, config_describe_segment,
    config_describe_prefix, config_describe_harbours, config_describe_move_die,
    config_describe_combat_die, config_describe_barrels, config_describe_command,
    config_describe_line;

/* Puts a number into a member of 1, 2 or 4 bytes. */
void config_store_number(const struct config_key *key, uint32_t number, void *member);

#endif
