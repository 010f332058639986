#include "command_json.h"

#include "rules/fields.h"
#include "wire/wire.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { KEY_SIZE = 64 };

static json_t *json_of(const char *key, const char *value)
{
    json_error_t unused;
    json_t *json = strcmp(key, "id") == 0 ? NULL : json_loads(value, JSON_DECODE_ANY, &unused);

    if (json_is_number(json) || json_is_boolean(json) || json_is_object(json) ||
        json_is_array(json)) {
        return json;
    }
    json_decref(json);
    return value[0] == '[' || value[0] == '{' ? NULL : json_string(value);
}

/* The fields of a verb that no word has named yet. */
struct fields {
    enum input_kind command;
    enum query_kind query;
    uint32_t left; /* bits: the fields of the rules, or the places of those of a query */
};

static struct fields fields_of(const char *verb)
{
    struct fields fields = {.command = rules_input_named(verb), .query = wire_query_named(verb)};

    fields.left = fields.query ? UINT32_MAX : rules_input_fields(fields.command);
    return fields;
}

static const char *key_at(const struct fields *fields, unsigned field)
{
    bool unused;

    if (fields->query) {
        return wire_query_field(fields->query, field, &unused);
    }
    return field < FIELD_COUNT ? field_key((enum field)field) : NULL;
}

/* The first of these fields with that key, or without a key the first of all; NULL if none. Takes
 * it out of the fields. */
static const char *take_field(struct fields *fields, const char *wanted)
{
    const char *key;

    for (unsigned field = 0; (key = key_at(fields, field)) != NULL; field++) {
        if ((fields->left & bit(field)) && (!wanted || strcmp(key, wanted) == 0)) {
            fields->left &= ~bit(field);
            return key;
        }
    }
    return NULL;
}

/* Splits the word into key and value; false when it belongs to no field. */
static bool read_word(const char *word, struct fields *fields, char key[KEY_SIZE],
                      const char **value)
{
    const char *equals = strchr(word, '=');

    if (equals && equals > word && equals - word < KEY_SIZE) {
        snprintf(key, KEY_SIZE, "%.*s", (int)(equals - word), word);
        take_field(fields, key);
        *value = equals + 1;
        return true;
    }
    const char *name = equals ? NULL : take_field(fields, NULL);
    snprintf(key, KEY_SIZE, "%s", name ? name : "");
    *value = word;
    return name != NULL;
}

static bool put_word(json_t *command, const char *word, struct fields *fields, char *problem,
                     size_t size)
{
    char key[KEY_SIZE];
    const char *value;

    if (!read_word(word, fields, key, &value)) {
        snprintf(problem, size, "%s: which field is it? Use KEY=VALUE", word);
        return false;
    }
    if (json_object_set_new(command, key, json_of(key, value))) {
        snprintf(problem, size, "%s: neither JSON nor UTF-8 text", word);
        return false;
    }
    return true;
}

char *command_json(const char *verb, char *const *words, int count, const char *default_id,
                   char *problem, size_t size)
{
    json_t *command = json_pack("{s:s}", "id", default_id);
    struct fields fields = fields_of(verb);
    char *text = NULL;
    bool good = command != NULL;

    snprintf(problem, size, "out of memory");
    for (int i = 0; i < count && good; i++) {
        good = put_word(command, words[i], &fields, problem, size);
    }
    if (good) {
        text = json_dumps(command, JSON_COMPACT);
    }
    json_decref(command);
    return text;
}
