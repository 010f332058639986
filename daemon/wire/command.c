/* Commands in: they and their fields are those of words.h. */
#include "command_internal.h"
#include "rules/fields.h"

#include <string.h>

#define WORD(name, ...) FIRST_OF(__VA_ARGS__, ),
#define FIRST_OF(word, ...) word
const char *const command_harbours[] = {RULES_HARBOURS(WORD) NULL};
static const char *const faces[] = {RULES_FACES(WORD) NULL};

/* What a field accepts: one of a list of words, or a value that is described. */
static const struct {
    const char *const *words;
    const char *description;
} accepted[FIELD_COUNT] = {
    [FIELD_PIECE] = {NULL, "the name of a piece, such as \"red-1\""},
    [FIELD_ATTACKER] = {NULL, "the name of a piece, such as \"red-1\""},
    [FIELD_TARGET] = {NULL, "the name of a piece, such as \"red-1\""},
    [FIELD_HARBOUR] = {command_harbours, NULL},
    [FIELD_DIE] = {NULL, "a whole number on the die, such as 2"},
    [FIELD_FACE] = {faces, NULL},
    [FIELD_KNOTS] = {NULL, "a number of knots above 0, such as 1.62"},
};

static bool read_verb(const char *verb, struct command *command);
static bool read_fields(json_t *object, struct command *command);
static bool is_start_game(const char *verb);

void wire_read_command(const char *verb, const void *payload, size_t size,
                       const struct wire_defaults *defaults, struct command *command)
{
    memset(command, 0, sizeof *command);
    json_t *object = command_parse(payload, size, command);

    /* The id comes first, so that the reply to a refused command has it. */
    if (object && command_read_id(object, command) && read_verb(verb, command)) {
        if (is_start_game(verb) && json_object_get(object, "abandon")) {
            command_refuse(command, REFUSED_BAD_VALUE,
                           WIRE_START_GAME " cannot abandon a running game; use new-game.");
        } else if (command->input.kind == INPUT_NEW_GAME) {
            command_read_new_game(object, defaults, command);
        } else {
            read_fields(object, command);
        }
    }
    json_decref(object);
}

/* Clients cannot send inputs of sensors and timers. */
static bool is_verb(enum input_kind kind)
{
    return rules_input_source(kind) == SOURCE_COMMAND;
}

static bool is_start_game(const char *verb)
{
    return strcmp(verb, WIRE_START_GAME) == 0;
}

static bool read_verb(const char *verb, struct command *command)
{
    enum input_kind kind = is_start_game(verb) ? INPUT_NEW_GAME : rules_input_named(verb);
    struct nearest nearest = nearest_begin(verb);

    if (is_verb(kind)) {
        command->input.kind = kind;
        return true;
    }
    for (kind = 1; kind < INPUT_COUNT; kind++) {
        if (is_verb(kind)) {
            nearest_offer(&nearest, rules_input_name(kind));
        }
    }
    for (unsigned query = 1; query < QUERY_COUNT; query++) {
        nearest_offer(&nearest, wire_query_name((enum query_kind)query));
    }
    nearest_offer(&nearest, WIRE_START_GAME);
    nearest_offer(&nearest, WIRE_PAIR);
    nearest_offer(&nearest, WIRE_UNPAIR);
    return command_refuse_word(command, REFUSED_UNKNOWN_COMMAND, "command", &nearest);
}

static bool refuse_piece(struct command *command, const char *name)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        nearest_offer(&nearest, rules_piece_name((enum piece)piece));
    }
    return command_refuse_word(command, REFUSED_UNKNOWN_PIECE, "piece", &nearest);
}

static bool read_field(struct command *command, enum field field, const json_t *value)
{
    char buffer[VALUE_TEXT_SIZE];
    const char *text = value_text(value, buffer);
    int refusal = text ? input_set_field(&command->input, field, text) : REFUSED_BAD_VALUE;

    if (!refusal) {
        return true;
    }
    /* A number instead of a name is a wrong type, not an unknown piece. */
    if (refusal == REFUSED_UNKNOWN_PIECE && json_is_string(value)) {
        return refuse_piece(command, text);
    }
    if (accepted[field].words) {
        return command_refuse_name(command, field_key(field), value_word(value),
                                   accepted[field].words);
    }
    return command_refuse_value(command, field_key(field), accepted[field].description);
}

static bool read_member(struct command *command, const char *key, const json_t *value)
{
    uint32_t known = rules_input_fields(command->input.kind);
    struct nearest nearest = nearest_begin(key);

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (known & bit(field)) {
            if (strcmp(field_key((enum field)field), key) == 0) {
                return read_field(command, (enum field)field, value);
            }
            nearest_offer(&nearest, field_key((enum field)field));
        }
    }
    return command_refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

static bool refuse_incomplete(struct command *command)
{
    uint32_t needs = rules_input_needs(command->input.kind);
    char list[sizeof command->message];
    struct text text = text_begin(list, sizeof list);
    unsigned field = 0;

    while (!(needs & bit(field)) ||
           input_value(&command->input, (enum field)field).kind != VALUE_NONE) {
        field++;
    }
    if (accepted[field].words) {
        command_add_words(&text, accepted[field].words);
    } else {
        text_add(&text, accepted[field].description);
    }
    return command_refuse(command, REFUSED_MISSING_FIELD, "%s requires \"%s\": %s.",
                          rules_input_name(command->input.kind), field_key((enum field)field),
                          list);
}

static bool read_fields(json_t *object, struct command *command)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_member(command, key, value)) {
            return false;
        }
    }
    return !input_check_complete(&command->input) || refuse_incomplete(command);
}

/*
 * Pairing
 */

void wire_read_pair(const void *payload, size_t size, struct command *command,
                    char sensor[WIRE_SENSOR_SIZE])
{
    const char *key;
    json_t *value;

    memset(command, 0, sizeof *command);
    sensor[0] = '\0';
    json_t *object = command_parse(payload, size, command);
    bool is_fine = object && command_read_id(object, command);
    json_object_foreach(object, key, value)
    {
        struct nearest nearest = nearest_begin(key);
        nearest_offer(&nearest, "sensor");
        if (is_fine && strcmp(key, "sensor") == 0) {
            is_fine = command_read_text(command, "sensor", value, sensor, WIRE_SENSOR_SIZE);
        } else if (is_fine && strcmp(key, "id") != 0) {
            is_fine = command_refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
        }
    }
    json_decref(object);
}
