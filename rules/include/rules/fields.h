/*
 * Inputs and events as lists of fields, each with a key and a typed value.
 *
 * Everything that prints or reads them (lines of text, JSON, sentences) uses these functions, so a
 * new field is one line in RULES_FIELDS.
 */
#ifndef RULES_FIELDS_H
#define RULES_FIELDS_H

#include "rules/rules.h"

enum value_kind {
    VALUE_NONE,    /* the field is empty: no piece, no speed measured */
    VALUE_NAME,    /* a word in name */
    VALUE_NUMBER,  /* in number */
    VALUE_MILLI,   /* thousandths, in number */
    VALUE_PIECES,  /* 1 << enum piece, in set */
    VALUE_PLAYERS, /* 1 << player, in set */
    VALUE_RANKING, /* in ranking, up to PLAYERS_MAX, the first without a player ends it */
};

struct value {
    enum value_kind kind;
    const char *name;
    int64_t number;
    uint32_t set;
    const struct rank *ranking;
};

const char *field_key(enum field field);

/* The value of a field; name and ranking point into the event. */
struct value event_value(const struct event *event, enum field field);
struct value input_value(const struct input *input, enum field field);

/*
 * Sets one field that inputs of its kind have. 0, or a refusal: REFUSED_BAD_VALUE for a value that
 * does not fit, REFUSED_UNKNOWN_PIECE.
 */
int input_set_field(struct input *input, enum field field, const char *value);

/* 0, or REFUSED_MISSING_FIELD when the input lacks a field it needs. */
int input_check_complete(const struct input *input);

/*
 * Whether line_read_input reads what line_write_input writes: the input is complete, and has no
 * value that no line has, such as a negative number.
 */
bool input_can_be_written(const struct input *input);

#endif
