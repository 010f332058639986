#include "command_json.h"

#include "rules/fields.h"

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

/* The first of these fields with that key, or without a key the first of all; NULL if none. Takes
 * it out of the fields. */
static const char *take_field(uint32_t *fields, const char *wanted)
{
    for (enum field field = 0; field < FIELD_COUNT; field++) {
        const char *key = field_key(field);
        if ((*fields & (UINT32_C(1) << field)) && (!wanted || strcmp(key, wanted) == 0)) {
            *fields &= ~(UINT32_C(1) << field);
            return key;
        }
    }
    return NULL;
}

/* Splits the word into key and value; false when it belongs to no field. */
static bool read_word(const char *word, uint32_t *fields, char key[KEY_SIZE], const char **value)
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

static bool put_word(json_t *command, const char *word, uint32_t *fields, char *problem,
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
    uint32_t fields = rules_input_fields(rules_input_named(verb));
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
