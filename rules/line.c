/* The grammar of line.h: a verb, then its fields. */
#include "rules/line.h"

#include "rules/fields.h"
#include "rules/text.h"
#include "rules_internal.h"

#include <string.h>

/* The first of these fields with that key (NULL: the first of all), or FIELD_COUNT. */
static unsigned find_field(uint32_t fields, const char *key)
{
    unsigned field = 0;

    while (field < FIELD_COUNT &&
           (!(fields & bit(field)) || (key && strcmp(field_key((enum field)field), key) != 0))) {
        field++;
    }
    return field;
}

/* Sets the field that a word of the line stands for: key=value, or the next of the free fields. */
static int read_word(struct input *input, char *word, uint32_t *free_fields)
{
    char *equals = strchr(word, '=');

    if (equals) {
        *equals = '\0';
    }
    unsigned field = find_field(*free_fields, equals ? word : NULL);
    if (field == FIELD_COUNT) {
        return REFUSED_BAD_VALUE;
    }
    *free_fields &= ~bit(field);
    return input_set_field(input, (enum field)field, equals ? equals + 1 : word);
}

int line_read_input(const char *text, struct input *input)
{
    static const char blanks[] = " \t";
    char copy[LINE_SIZE];
    char *rest;
    struct input read = {0};

    if (strlen(text) >= sizeof copy) {
        return REFUSED_TOO_LARGE;
    }
    memcpy(copy, text, strlen(text) + 1);
    const char *verb = strtok_r(copy, blanks, &rest);
    read.kind = verb ? rules_input_named(verb) : INPUT_NONE;
    if (!read.kind) {
        return REFUSED_UNKNOWN_COMMAND;
    }
    uint32_t free_fields = rules_input_fields(read.kind);
    int refusal = 0;
    for (char *word = strtok_r(NULL, blanks, &rest); word && !refusal;
         word = strtok_r(NULL, blanks, &rest)) {
        refusal = read_word(&read, word, &free_fields);
    }
    if (!refusal) {
        refusal = input_check_complete(&read);
    }
    if (!refusal) {
        *input = read;
    }
    return refusal;
}

/* Members of a set print with a + between them. */
static void add_pieces(struct text *text, uint32_t pieces)
{
    const char *between = "";

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & bit(piece)) {
            text_add(text, between);
            text_add(text, rules_piece_name((enum piece)piece));
            between = "+";
        }
    }
}

static void add_players(struct text *text, uint32_t players)
{
    const char *between = "";

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (players & bit(player)) {
            text_add(text, between);
            text_add_number(text, player);
            between = "+";
        }
    }
}

/* `player:points` with a comma between places and an equals sign between players who are tied. */
static void add_ranking(struct text *text, const struct rank *ranking)
{
    for (unsigned i = 0; i < PLAYERS_MAX && ranking[i].player; i++) {
        if (i > 0) {
            text_add(text, ranking[i].place == ranking[i - 1].place ? "=" : ",");
        }
        text_add_number(text, ranking[i].player);
        text_add(text, ":");
        text_add_number(text, ranking[i].points);
    }
}

static void add_field(struct text *text, enum field field, const struct value *value)
{
    if (value->kind == VALUE_NONE || (value->kind == VALUE_PIECES && !value->set)) {
        return;
    }
    text_add(text, " ");
    text_add(text, field_key(field));
    text_add(text, "=");
    switch (value->kind) {
    case VALUE_NAME:
        text_add(text, value->name);
        break;
    case VALUE_NUMBER:
        text_add_number(text, value->number);
        break;
    case VALUE_MILLI:
        text_add_milli(text, value->number);
        break;
    case VALUE_PIECES:
        add_pieces(text, value->set);
        break;
    case VALUE_PLAYERS:
        add_players(text, value->set);
        break;
    case VALUE_RANKING:
        add_ranking(text, value->ranking);
        break;
    case VALUE_NONE:
        break;
    }
}

size_t line_write_input(const struct input *input, char *buffer, size_t size)
{
    struct text text = text_begin(buffer, size);
    uint32_t known = rules_input_fields(input->kind);

    text_add(&text, rules_input_name(input->kind));
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (known & bit(field)) {
            struct value value = input_value(input, (enum field)field);
            add_field(&text, (enum field)field, &value);
        }
    }
    return text.length;
}

size_t line_write_event(const struct event *event, char *buffer, size_t size)
{
    struct text text = text_begin(buffer, size);
    uint32_t known = rules_event_fields(event->kind);

    text_add(&text, rules_event_name(event->kind));
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (known & bit(field)) {
            struct value value = event_value(event, (enum field)field);
            add_field(&text, (enum field)field, &value);
        }
    }
    if (event->rule) {
        text_add(&text, " ");
        text_add(&text, rules_rule_name(event->rule));
    }
    return text.length;
}
