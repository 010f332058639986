/* The schemas in docs/ agree with the lists in rules/words.h. */
#include "rules/fields.h"
#include "wire/wire.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { PATH_SIZE = 512 };

static json_t *load(const char *file)
{
    char path[PATH_SIZE];
    json_error_t error;

    snprintf(path, sizeof path, "%s/%s", SCHEMAS_DIR, file);
    json_t *schema = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!schema) {
        fail_msg("%s:%d: %s", path, error.line, error.text);
    }
    return schema;
}

/* Follows keys from object to object. */
static json_t *at(json_t *json, const char *const *keys)
{
    for (; *keys; keys++) {
        json = json_object_get(json, *keys);
    }
    return json;
}

#define AT(json, ...) at((json), (const char *const[]){__VA_ARGS__, NULL})

static void assert_next_word(const json_t *words, size_t *index, const char *name)
{
    const char *word = json_string_value(json_array_get(words, (*index)++));

    assert_non_null(word);
    assert_string_equal(word, name);
}

#define WORD(name, ...) assert_next_word(words, &index, FIRST_OF(__VA_ARGS__, ));
#define FIRST_OF(word, ...) word
#define RULE_WORD(name) assert_next_word(words, &index, #name);

#define ASSERT_LIST(definition, LIST, WORD_OF)                                                     \
    {                                                                                              \
        json_t *words = AT(schema, "definitions", definition, "enum");                             \
        size_t index = 0;                                                                          \
        LIST(WORD_OF)                                                                              \
        assert_int_equal(json_array_size(words), index);                                           \
    }

static void every_list_of_words_is_in_the_schemas(void **state)
{
    (void)state;
    json_t *schema = load("words.json");

    ASSERT_LIST("harbour", RULES_HARBOURS, WORD)
    ASSERT_LIST("piece", RULES_PIECES, WORD)
    ASSERT_LIST("phase", RULES_PHASES, WORD)
    ASSERT_LIST("variant", RULES_VARIANTS, WORD)
    ASSERT_LIST("scenario", RULES_SCENARIOS, WORD)
    ASSERT_LIST("status", RULES_STATUSES, WORD)
    ASSERT_LIST("shot", RULES_SHOTS, WORD)
    ASSERT_LIST("face", RULES_FACES, WORD)
    ASSERT_LIST("how", RULES_HOWS, WORD)
    ASSERT_LIST("health", RULES_HEALTHS, WORD)
    ASSERT_LIST("dice", RULES_DICE, WORD)
    ASSERT_LIST("event", RULES_EVENTS, WORD)
    ASSERT_LIST("refusal", RULES_REFUSALS, WORD)
    ASSERT_LIST("rule", RULES_IDS, RULE_WORD)
    json_decref(schema);
}

static bool has_word(const json_t *words, const char *name)
{
    size_t index;
    const json_t *word;

    json_array_foreach(words, index, word)
    {
        if (strcmp(json_string_value(word), name) == 0) {
            return true;
        }
    }
    return false;
}

static size_t count_fields(uint32_t set)
{
    size_t count = 0;

    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

/* Exactly the fields of the set are properties, and exactly those of needs are required. */
static void assert_fields(const char *name, json_t *schema, uint32_t set, uint32_t needs)
{
    json_t *properties = json_object_get(schema, "properties");
    json_t *required = json_object_get(schema, "required");

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        const char *key = field_key((enum field)field);
        if ((set & bit(field)) && !json_object_get(properties, key)) {
            fail_msg("%s: %s is missing", name, key);
        }
        if ((needs & bit(field)) && !has_word(required, key)) {
            fail_msg("%s: %s is not required", name, key);
        }
    }
    assert_int_equal(json_object_size(properties), count_fields(set));
    assert_int_equal(json_array_size(required), count_fields(needs));
}

static void every_event_has_its_fields_in_the_schema(void **state)
{
    (void)state;
    json_t *schema = load("event.json");
    json_t *rows = json_object_get(schema, "allOf");
    size_t index;
    json_t *row;

    assert_int_equal(json_array_size(rows), EVENT_COUNT - 1);
    json_array_foreach(rows, index, row)
    {
        const char *name = json_string_value(AT(row, "if", "properties", "event_type", "const"));
        enum event_kind kind = rules_event_named(name);
        uint32_t fields = rules_event_fields(kind);
        assert_int_equal(kind, index + 1);
        /* The speed is there only where it was measured. */
        assert_fields(name, json_object_get(row, "then"), fields, fields & ~FIELD(SPEED));
    }
    json_decref(schema);
}

static void every_command_has_its_fields_in_the_schema(void **state)
{
    (void)state;
    json_t *schema = load("command.json");
    json_t *commands = json_object_get(schema, "definitions");
    size_t count = 0;

    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        const char *name = rules_input_name(kind);
        json_t *command = json_object_get(commands, name);
        enum source source = rules_input_source(kind);
        if (source != SOURCE_COMMAND && source != SOURCE_QUESTION) {
            assert_null(command);
            continue;
        }
        count++;
        assert_int_equal(json_object_del(AT(command, "properties"), "id"), 0);
        if (kind != INPUT_NEW_GAME) { /* whose fields are a setup's */
            assert_fields(name, command, rules_input_fields(kind), rules_input_needs(kind));
        }
    }
    assert_non_null(json_object_get(commands, WIRE_START_GAME));
    assert_int_equal(json_object_size(commands), count + 1);
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_list_of_words_is_in_the_schemas),
        cmocka_unit_test(every_event_has_its_fields_in_the_schema),
        cmocka_unit_test(every_command_has_its_fields_in_the_schema),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
