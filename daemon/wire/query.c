/* Queries in: history, games, look-back. */
#include "command_internal.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define QUERY_VERB(name, verb) [QUERY_##name] = (verb),
static const char *const query_verbs[QUERY_COUNT] = {WIRE_QUERIES(QUERY_VERB)};

enum query_type { QUERY_NUMBER, QUERY_TRUTH, QUERY_GAME };

enum { SEQ_MAX = 999999999 };

static const struct query_field {
    const char *key;
    enum query_type type;
    uint32_t queries; /* a set: those that have it */
    uint32_t needed;  /* those that need it */
    size_t offset;    /* in struct wire_query */
    uint32_t most;    /* of a number */
    const char *description;
} query_fields[] = {
    {"from", QUERY_NUMBER, 1U << QUERY_HISTORY, 0, offsetof(struct wire_query, from), SEQ_MAX,
     "the seq of an event, from 1"},
    {"game", QUERY_GAME, 1U << QUERY_HISTORY | 1U << QUERY_LOOK_BACK, 0,
     offsetof(struct wire_query, game), 0, NULL},
    {"states", QUERY_TRUTH, 1U << QUERY_HISTORY, 0, offsetof(struct wire_query, states), 0, NULL},
    {"before", QUERY_GAME, 1U << QUERY_GAMES, 0, offsetof(struct wire_query, before), 0, NULL},
    {"limit", QUERY_NUMBER, 1U << QUERY_GAMES, 0, offsetof(struct wire_query, limit),
     WIRE_GAMES_MAX, "a whole number from 1 to 50"},
    {"seq", QUERY_NUMBER, 1U << QUERY_LOOK_BACK, 1U << QUERY_LOOK_BACK,
     offsetof(struct wire_query, seq), SEQ_MAX, "the seq of an event, from 1"},
};
enum { QUERY_FIELD_COUNT = sizeof query_fields / sizeof query_fields[0] };

static_assert(WIRE_GAMES_MAX == 50, "as the description of limit says");

const char *wire_query_name(enum query_kind kind)
{
    return query_verbs[kind];
}

enum query_kind wire_query_named(const char *verb)
{
    for (unsigned kind = 1; kind < QUERY_COUNT; kind++) {
        if (strcmp(query_verbs[kind], verb) == 0) {
            return (enum query_kind)kind;
        }
    }
    return QUERY_NONE;
}

const char *wire_query_field(enum query_kind kind, unsigned index, bool *is_needed)
{
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        if ((query_fields[i].queries & bit(kind)) && index-- == 0) {
            *is_needed = query_fields[i].needed & bit(kind);
            return query_fields[i].key;
        }
    }
    return NULL;
}

/* A whole number from 1 to most; 0 for anything else. */
static uint32_t whole_number(const json_t *value, uint32_t most)
{
    char buffer[VALUE_TEXT_SIZE];
    const char *text = value_text(value, buffer);
    uint64_t number = 0;

    for (; text && *text && number <= most; text++) {
        if (*text < '0' || *text > '9') {
            return 0;
        }
        number = number * 10 + (uint64_t)(*text - '0');
    }
    return number <= most ? (uint32_t)number : 0;
}

static bool read_query_field(struct command *command, const struct query_field *field,
                             const json_t *value, struct wire_query *query)
{
    char *member = (char *)query + field->offset;
    uint32_t number;

    switch (field->type) {
    case QUERY_TRUTH:
        return command_read_truth(command, field->key, value, (bool *)member);
    case QUERY_GAME:
        return command_read_text(command, field->key, value, member, GAME_ID_SIZE);
    case QUERY_NUMBER:
        number = whole_number(value, field->most);
        memcpy(member, &number, sizeof number);
        return number || command_refuse_value(command, field->key, field->description);
    }
    return false;
}

static bool read_query_member(struct command *command, const char *key, const json_t *value,
                              struct wire_query *query)
{
    struct nearest nearest = nearest_begin(key);

    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        const struct query_field *field = &query_fields[i];
        if (field->queries & bit(query->kind)) {
            if (strcmp(field->key, key) == 0) {
                return read_query_field(command, field, value, query);
            }
            nearest_offer(&nearest, field->key);
        }
    }
    return command_refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

static bool read_query(json_t *object, struct command *command, struct wire_query *query)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_query_member(command, key, value, query)) {
            return false;
        }
    }
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        const struct query_field *field = &query_fields[i];
        if ((field->needed & bit(query->kind)) && !json_object_get(object, field->key)) {
            return command_refuse(command, REFUSED_MISSING_FIELD, "%s requires \"%s\": %s.",
                                  query_verbs[query->kind], field->key, field->description);
        }
    }
    return true;
}

void wire_read_query(enum query_kind kind, const void *payload, size_t size,
                     struct command *command, struct wire_query *query)
{
    memset(command, 0, sizeof *command);
    *query = (struct wire_query){.kind = kind, .limit = WIRE_GAMES_DEFAULT};
    json_t *object = command_parse(payload, size, command);

    if (object && command_read_id(object, command)) {
        read_query(object, command, query);
    }
    json_decref(object);
}
