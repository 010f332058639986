/*
 * Commands in: whatever comes is read within bounds, and refused with a sentence if it does not
 * fit. Fields are those of words.h; new-game has its own file.
 */
#include "wire/wire.h"

#include "read.h"
#include "rules/fields.h"

#include <string.h>

/* What would fit into a field, for a person who got it wrong. */
static const char *const fits[FIELD_COUNT] = {
    [FIELD_PIECE] = "the name of a piece, like \"red-1\"",
    [FIELD_ATTACKER] = "the name of a piece, like \"red-1\"",
    [FIELD_TARGET] = "the name of a piece, like \"red-1\"",
    [FIELD_HARBOUR] = ONE_OF(RULES_HARBOURS),
    [FIELD_DIE] = "a whole number of the die, from 1",
    [FIELD_FACE] = ONE_OF(RULES_FACES),
    [FIELD_KNOTS] = "a number of knots above 0, like 1.62",
    [FIELD_FROM] = "the seq of an event, from 1",
};

static bool read_id(const json_t *object, struct command *command)
{
    const json_t *value = json_object_get(object, "id");

    return !value || read_printable(command, "id", value, command->id, sizeof command->id);
}

static bool has_field(uint32_t set, unsigned field)
{
    return set & (UINT32_C(1) << field);
}

static bool refuse_piece(struct command *command, const char *name)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        nearest_offer(&nearest, rules_piece_name((enum piece)piece));
    }
    return refuse_word(command, REFUSED_UNKNOWN_PIECE, "piece", &nearest);
}

static bool read_field(struct command *command, enum field field, const json_t *value)
{
    char buffer[NUMBER_TEXT_SIZE];
    const char *text = scalar_text(value, buffer);
    int refusal = text ? input_set_field(&command->input, field, text) : REFUSED_BAD_VALUE;

    if (!refusal) {
        return true;
    }
    /* A number where a name belongs is a wrong type, not a piece nobody knows. */
    if (refusal == REFUSED_UNKNOWN_PIECE && json_is_string(value)) {
        return refuse_piece(command, text);
    }
    if (field == FIELD_HARBOUR) {
        return REFUSE_NAME(command, field_key(field), json_word(value), RULES_HARBOURS);
    }
    if (field == FIELD_FACE) {
        return REFUSE_NAME(command, field_key(field), json_word(value), RULES_FACES);
    }
    return refuse_value(command, field_key(field), fits[field]);
}

static bool read_member(struct command *command, const char *key, const json_t *value)
{
    uint32_t known = rules_input_fields(command->input.kind);
    struct nearest nearest = nearest_begin(key);

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (has_field(known, field)) {
            if (strcmp(field_key((enum field)field), key) == 0) {
                return read_field(command, (enum field)field, value);
            }
            nearest_offer(&nearest, field_key((enum field)field));
        }
    }
    return refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

static bool refuse_incomplete(struct command *command)
{
    uint32_t needs = rules_input_needs(command->input.kind);
    unsigned field = 0;

    while (!has_field(needs, field) ||
           input_value(&command->input, (enum field)field).kind != VALUE_NONE) {
        field++;
    }
    return refuse_command(command, REFUSED_MISSING_FIELD, "%s needs \"%s\": %s.",
                          rules_input_name(command->input.kind), field_key((enum field)field),
                          fits[field]);
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

/* What sensors say is not for others to claim. */
static bool is_verb(enum input_kind kind)
{
    enum source source = rules_input_source(kind);

    return source == SOURCE_COMMAND || source == SOURCE_QUESTION;
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
    nearest_offer(&nearest, WIRE_START_GAME);
    return refuse_word(command, REFUSED_UNKNOWN_COMMAND, "command", &nearest);
}

/* The object in the payload, or NULL and the refusal. Jansson bounds the depth by itself. */
static json_t *parse(const void *payload, size_t size, struct command *command)
{
    json_error_t error;

    if (size > COMMAND_SIZE_MAX) {
        refuse_command(command, REFUSED_TOO_LARGE, "A command has at most %d bytes; this has more.",
                       COMMAND_SIZE_MAX);
        return NULL;
    }
    if (size == 0) {
        payload = "{}";
        size = strlen(payload);
    }
    /* Integers too, so that one beyond 64 bits is a bad value and not bad JSON. */
    json_t *json =
        json_loadb(payload, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (json_is_object(json)) {
        return json;
    }
    if (json) {
        refuse_command(command, REFUSED_BAD_JSON, "A command is a JSON object, like {}.");
    } else if (json_error_code(&error) == json_error_numeric_overflow) {
        refuse_command(command, REFUSED_BAD_VALUE, "A number in the command is too large.");
    } else if (json_error_code(&error) == json_error_null_character) {
        refuse_command(command, REFUSED_BAD_JSON, "A text in the command has a NUL in it.");
    } else {
        refuse_command(command, REFUSED_BAD_JSON, "This is not JSON: %s at byte %d.", error.text,
                       error.position);
    }
    json_decref(json);
    return NULL;
}

void wire_read_command(const char *verb, const void *payload, size_t size,
                       const struct wire_defaults *defaults, struct command *command)
{
    memset(command, 0, sizeof *command);
    json_t *object = parse(payload, size, command);

    /* The id comes first, so that a refusal can be answered to whoever asked. */
    if (object && read_id(object, command) && read_verb(verb, command)) {
        if (is_start_game(verb) && json_object_get(object, "abandon")) {
            refuse_command(command, REFUSED_BAD_VALUE,
                           WIRE_START_GAME " cannot leave a running game; new-game can.");
        } else if (command->input.kind == INPUT_NEW_GAME) {
            read_new_game(object, defaults, command);
        } else {
            read_fields(object, command);
        }
    }
    json_decref(object);
}
