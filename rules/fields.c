/* One table of fields, read and written by type. */
#include "rules/fields.h"

#include "rules_internal.h"

#include <stddef.h>
#include <string.h>

enum type {
    TYPE_PIECE,
    TYPE_HARBOUR,
    TYPE_FACE,
    TYPE_HOW,
    TYPE_PHASE,
    TYPE_HEALTH,
    TYPE_NUMBER,
    TYPE_MILLI,
    TYPE_PIECES,
    TYPE_PLAYERS,
    TYPE_RANKING,
    TYPE_SENSOR,
};

#define FIELD_ROW(name, key, type, member)                                                         \
    [FIELD_##name] = {(key), TYPE_##type, offsetof(struct event, member)},

static const struct {
    const char *key;
    enum type type;
    size_t offset; /* in struct event */
} fields[FIELD_COUNT] = {RULES_FIELDS(FIELD_ROW)};

const char *field_key(enum field field)
{
    return fields[field].key;
}

/* An event has all the members of an input, so it serves as the common form of both. */

static struct event as_event(const struct input *input)
{
    struct event event = {
        .piece = input->piece,
        .other = input->other,
        .harbour = input->harbour,
        .value = input->value,
        .knots_milli = input->knots_milli,
        .pieces = input->pieces,
        .speed_mmps = input->speed_mmps,
        .health = input->health,
    };

    memcpy(event.sensor, input->sensor, sizeof event.sensor);
    return event;
}

static void take_from_event(struct input *input, const struct event *event)
{
    input->piece = event->piece;
    input->other = event->other;
    input->harbour = event->harbour;
    input->value = event->value;
    input->knots_milli = event->knots_milli;
    input->pieces = event->pieces;
    input->speed_mmps = event->speed_mmps;
    input->health = event->health;
    memcpy(input->sensor, event->sensor, sizeof input->sensor);
}

/*
 * Reading fields
 */

static struct value named(uint32_t number, const char *name)
{
    return number ? (struct value){.kind = VALUE_NAME, .name = name} : (struct value){0};
}

struct value event_value(const struct event *event, enum field field)
{
    const char *member = (const char *)event + fields[field].offset;
    uint32_t number;

    memcpy(&number, member, sizeof number); /* sensor and ranking are longer, and not read here */
    switch (fields[field].type) {
    case TYPE_PIECE:
        return named(number, rules_piece_name((enum piece)number));
    case TYPE_HARBOUR:
        return named(number, rules_harbour_name((enum harbour)number));
    case TYPE_FACE:
        return named(number, rules_face_name((enum face)number));
    case TYPE_HOW:
        return named(number, rules_how_name((enum how)number));
    case TYPE_PHASE:
        return named(number, rules_phase_name((enum phase)number));
    case TYPE_HEALTH:
        return named(number, rules_health_name((enum health)number));
    case TYPE_NUMBER:
        return (struct value){.kind = VALUE_NUMBER, .number = (int32_t)number};
    case TYPE_MILLI:
        return (struct value){.kind = number ? VALUE_MILLI : VALUE_NONE, .number = (int32_t)number};
    case TYPE_PIECES:
        return (struct value){.kind = VALUE_PIECES, .set = number};
    case TYPE_PLAYERS:
        return (struct value){.kind = VALUE_PLAYERS, .set = number};
    case TYPE_RANKING:
        return (struct value){.kind = VALUE_RANKING, .ranking = event->ranking};
    case TYPE_SENSOR:
        return named(event->sensor[0] != '\0', event->sensor);
    }
    return (struct value){0};
}

struct value input_value(const struct input *input, enum field field)
{
    struct event event = as_event(input);
    struct value value = event_value(&event, field);

    if (fields[field].type == TYPE_SENSOR) {
        value.name = input->sensor;
    }
    /* In an input, 0 means that the field was not given. */
    if ((value.kind == VALUE_NUMBER && value.number == 0) ||
        (value.kind == VALUE_PIECES && value.set == 0)) {
        value.kind = VALUE_NONE;
    }
    return value;
}

/*
 * Setting fields
 */

enum { DIGITS_MAX = 9, NUMBER_MAX = 999999999, MILLI_DECIMALS = 3, NAME_TEXT_SIZE = 32 };

/* A positive fixed-point number with that many decimals; further decimals are cut off. */
static int read_number(const char *text, unsigned decimals, uint32_t *number)
{
    uint64_t value = 0;
    unsigned digits = 0;
    unsigned decimals_read = 0;
    bool point = false;

    for (; *text; text++) {
        if (*text == '.' && !point && decimals > 0) {
            point = true;
        } else if (*text < '0' || *text > '9' || ++digits > DIGITS_MAX) {
            return REFUSED_BAD_VALUE;
        } else if (!point || decimals_read < decimals) {
            value = value * 10 + (uint64_t)(*text - '0');
            decimals_read += point;
        }
    }
    for (; decimals_read < decimals; decimals_read++) {
        value *= 10;
    }
    if (value == 0 || value > INT32_MAX) {
        return REFUSED_BAD_VALUE;
    }
    *number = (uint32_t)value;
    return 0;
}

static int found(uint32_t value, enum refusal otherwise, uint32_t *number)
{
    *number = value;
    return value ? 0 : (int)otherwise;
}

/* Names with a + between them. */
static int read_pieces(const char *text, uint32_t *set)
{
    *set = 0;
    while (*text) {
        char name[NAME_TEXT_SIZE];
        size_t length = strcspn(text, "+");
        if (length >= sizeof name) {
            return REFUSED_UNKNOWN_PIECE;
        }
        memcpy(name, text, length);
        name[length] = '\0';
        enum piece piece = rules_piece_named(name);
        if (!piece) {
            return REFUSED_UNKNOWN_PIECE;
        }
        *set |= bit(piece);
        text += length + (text[length] == '+');
    }
    return 0;
}

static int read_value(enum type type, const char *text, uint32_t *number)
{
    switch (type) {
    case TYPE_PIECE:
        return found(rules_piece_named(text), REFUSED_UNKNOWN_PIECE, number);
    case TYPE_HARBOUR:
        return found(rules_harbour_named(text), REFUSED_BAD_VALUE, number);
    case TYPE_FACE:
        return found(rules_face_named(text), REFUSED_BAD_VALUE, number);
    case TYPE_HEALTH:
        return found(rules_health_named(text), REFUSED_BAD_VALUE, number);
    case TYPE_NUMBER:
        return read_number(text, 0, number);
    case TYPE_MILLI:
        return read_number(text, MILLI_DECIMALS, number);
    case TYPE_PIECES:
        return read_pieces(text, number);
    default:
        return REFUSED_BAD_VALUE; /* fields of events alone */
    }
}

static int set_sensor(struct input *input, const char *name)
{
    size_t length = strlen(name);

    if (length >= SENSOR_SIZE) {
        return REFUSED_BAD_VALUE;
    }
    memcpy(input->sensor, name, length + 1);
    return 0;
}

int input_set_field(struct input *input, enum field field, const char *value)
{
    struct event event = as_event(input);
    uint32_t number;

    if (fields[field].type == TYPE_SENSOR) {
        return set_sensor(input, value);
    }
    int refusal = read_value(fields[field].type, value, &number);
    if (!refusal) {
        memcpy((char *)&event + fields[field].offset, &number, sizeof number);
        take_from_event(input, &event);
    }
    return refusal;
}

int input_check_complete(const struct input *input)
{
    uint32_t needs = rules_input_needs(input->kind);

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if ((needs & bit(field)) && input_value(input, (enum field)field).kind == VALUE_NONE) {
            return REFUSED_MISSING_FIELD;
        }
    }
    return 0;
}

/* What can be one word of a line. */
static bool is_word(const char *name, size_t size)
{
    size_t length = 0;

    while (length < size && (unsigned char)name[length] > ' ' && name[length] != 0x7f) {
        length++;
    }
    return length > 0 && length < size && !name[length];
}

static bool can_be_written(const struct value *value, enum field field)
{
    switch (value->kind) {
    case VALUE_NONE:
        return true;
    case VALUE_NAME:
        return fields[field].type == TYPE_SENSOR ? is_word(value->name, SENSOR_SIZE)
                                                 : strcmp(value->name, "?") != 0;
    case VALUE_NUMBER:
    case VALUE_MILLI:
        return value->number > 0 && value->number <= NUMBER_MAX;
    case VALUE_PIECES:
        return !(value->set & ~(bit(PIECE_COUNT) - 2));
    default:
        return false; /* fields of events alone */
    }
}

bool input_can_be_written(const struct input *input)
{
    uint32_t known = rules_input_fields(input->kind);

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (known & bit(field)) {
            struct value value = input_value(input, (enum field)field);
            if (!can_be_written(&value, (enum field)field)) {
                return false;
            }
        }
    }
    return input_check_complete(input) == 0;
}
