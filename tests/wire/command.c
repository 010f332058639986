/* Commands in: what is accepted, and what is refused with which message. */
#include "wire/wire.h"

#include "rules/line.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

static struct command read_bytes(const char *verb, const void *payload, size_t size)
{
    struct setup setup;
    const struct wire_defaults defaults = {.setup = &setup};
    struct command command;
    /* Memory of exactly that size, so that the sanitizer detects every read beyond it. */
    void *copy = malloc(size ? size : 1);

    rules_default_setup(&setup, 4);
    assert_non_null(copy);
    memcpy(copy, payload, size);
    wire_read_command(verb, copy, size, &defaults, &command);
    free(copy);
    return command;
}

static struct command read_text(const char *verb, const char *payload)
{
    return read_bytes(verb, payload, strlen(payload));
}

static void commands_and_questions_are_read(void **state)
{
    static const struct {
        const char *verb;
        const char *payload;
        const char *line; /* in the grammar of rules/line.h */
    } good[] = {
        {"aim", "{\"piece\":\"red-1\"}", "aim piece=red-1"},
        {"roll-move", "{\"value\":2}", "roll-move value=2"},
        {"roll-move", "{}", "roll-move"},
        {"move", "{\"piece\":\"red-1\",\"knots\":1.62}", "move piece=red-1 knots=1.62"},
        {"engage", "{\"attacker\":\"red-1\",\"target\":\"blue-1\"}",
         "engage attacker=red-1 target=blue-1"},
        {"roll-combat", "{\"target\":\"blue-1\",\"value\":\"flag\",\"attacker\":\"red-1\"}",
         "roll-combat attacker=red-1 target=blue-1 value=flag"},
        {"load-barrel", "{\"piece\":\"red-1\",\"harbour\":\"blue\"}",
         "load-barrel piece=red-1 harbour=blue"},
        {"history", "{\"from\":123456789}", "history from=123456789"},
        {"new-game", "{}", "new-game"},
        {"end-phase", "", "end-phase"},
        /* Numbers may be written as numbers or strings. */
        {"move", "{\"knots\":2}", "move knots=2"},
        {"move", "{\"knots\":2.0}", "move knots=2"},
        {"move", "{\"knots\":\"2.5\"}", "move knots=2.5"},
        {"move", "{\"knots\":16e-1}", "move knots=1.6"},
        {"move", "{\"knots\":0.001}", "move knots=0.001"},
        {"move", "{\"knots\":2.9999999999}", "move knots=3"},
        {"roll-move", "{\"value\":\"3\"}", "roll-move value=3"},
        {"roll-move", "{\"value\":3.0}", "roll-move value=3"},
        /* Ids have up to 64 bytes. */
        {"undo", "{\"id\":\"1234567890123456789012345678901234567890123456789012345678901234\"}",
         "undo"},
        {"undo", "{\"id\":\"\\u2693 \\u00fc\"}", "undo"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct command command = read_text(good[i].verb, good[i].payload);
        char text[LINE_SIZE];

        assert_string_equal(command.message, "");
        assert_int_equal(command.refusal, REFUSED_NOT);
        line_write_input(&command.input, text, sizeof text);
        assert_string_equal(text, good[i].line);
    }
}

static void a_locale_with_decimal_commas_changes_nothing(void **state)
{
    (void)state;
    setlocale(LC_ALL, "de_DE.UTF-8");
    struct command command = read_text("move", "{\"knots\":1.62}");
    setlocale(LC_ALL, "C");
    assert_int_equal(command.refusal, REFUSED_NOT);
    assert_int_equal(command.input.knots_milli, 1620);
}

#define U10 "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc"

static void a_refusal_names_the_field_and_what_it_accepts(void **state)
{
    static const struct {
        const char *verb;
        const char *payload;
        const char *code;
        const char *message;
    } bad[] = {
        {"roll-combat", "{\"attacker\":\"red-1\",\"target\":\"blue-1\",\"value\":\"sword\"}",
         "bad-value", "\"value\" must be \"flag\" or \"swords\"; did you mean \"swords\"?"},
        {"load-barrel", "{\"piece\":\"red-1\",\"harbour\":\"pink\"}", "bad-value",
         "\"harbour\" must be \"red\", \"blue\", \"green\" or \"yellow\"."},
        {"history", "{\"from\":-1}", "bad-value", "\"from\" must be the seq of an event, from 1."},
        {"aim", "{\"piece\":7}", "bad-value",
         "\"piece\" must be the name of a piece, such as \"red-1\"."},
        {"aim", "{\"piece\":null}", "bad-value",
         "\"piece\" must be the name of a piece, such as \"red-1\"."},
        {"roll-move", "{\"value\":1e999}", "bad-value", "A number in the command is too large."},
        {"aim", "{\"piece\":\"red1\"}", "unknown-piece",
         "Unknown piece \"red1\"; did you mean \"red-1\"?"},
        {"aim", "{\"piece\":\"submarine\"}", "unknown-piece", "Unknown piece \"submarine\"."},
        {"aim", "{\"piece\":\"\"}", "unknown-piece", "Unknown piece \"\"."},
        {"aim", "{\"peice\":\"red-1\"}", "bad-value",
         "Unknown field \"peice\"; did you mean \"piece\"?"},
        {"undo", "{\"piece\":\"red-1\"}", "bad-value", "Unknown field \"piece\"."},
        {"undo", "{\"" U10 U10 "\":1}", "bad-value",
         "Unknown field \"" U10 "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc...\"."},
        {"new-game", "{\"scenaro\":\"kraken\"}", "bad-value",
         "Unknown field \"scenaro\"; did you mean \"scenario\"?"},
        {"aim", "", "missing-field",
         "aim requires \"piece\": the name of a piece, such as \"red-1\"."},
        {"engage", "{\"attacker\":\"red-1\"}", "missing-field",
         "engage requires \"target\": the name of a piece, such as \"red-1\"."},
        {"load-barrel", "{\"piece\":\"red-1\"}", "missing-field",
         "load-barrel requires \"harbour\": \"red\", \"blue\", \"green\" or \"yellow\"."},
        {"endphase", "{}", "unknown-command",
         "Unknown command \"endphase\"; did you mean \"end-phase\"?"},
        {"", "{}", "unknown-command", "Unknown command \"\"."},
        {"dance/with\x01me", "{}", "unknown-command", "Unknown command \"dance/with?me\"."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct command command = read_text(bad[i].verb, bad[i].payload);
        assert_string_equal(command.message, bad[i].message);
        assert_string_equal(rules_refusal_name(command.refusal), bad[i].code);
    }
}

/* Each value of the field is refused with the same message. */
static void assert_bad_values(const char *verb, const char *field, const char *const *values,
                              const char *message)
{
    for (; *values; values++) {
        char payload[128];
        snprintf(payload, sizeof payload, "{\"%s\":%s}", field, *values);
        struct command command = read_text(verb, payload);
        assert_string_equal(command.message, message);
        assert_int_equal(command.refusal, REFUSED_BAD_VALUE);
        assert_string_equal(command.id, "");
    }
}

static void wrong_numbers_and_ids_are_bad_values(void **state)
{
    static const char *const dice[] = {
        "-1",    "0",       "1.5",    "1e9",    "99999999999999999999",
        "true",  "null",    "[]",     "{}",     "\"\"",
        "1e308", "\"two\"", "\"-2\"", "\" 2\"", NULL};
    static const char *const knots[] = {"-1",   "0",   "1e-9",    "1e9",     "\"1,5\"", "\"\"",
                                        "null", "[1]", "\"nan\"", "\"0x2\"", NULL};
    static const char *const ids[] = {"7",
                                      "null",
                                      "\"\"",
                                      "\"a\\n\"",
                                      "\"\\u007f\"",
                                      "\"\\u0085\"",
                                      "[\"a\"]",
                                      "\"12345678901234567890123456789012345678901234567"
                                      "890123456789012345\"",
                                      NULL};

    (void)state;
    assert_bad_values("roll-move", "value", dice,
                      "\"value\" must be a whole number on the die, such as 2.");
    assert_bad_values("move", "knots", knots,
                      "\"knots\" must be a number of knots above 0, such as 1.62.");
    assert_bad_values("undo", "id", ids,
                      "\"id\" must be a string of 1 to 64 bytes without control characters.");
}

static void inputs_of_sensors_are_not_commands(void **state)
{
    (void)state;
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        enum source source = rules_input_source(kind);
        if (source != SOURCE_COMMAND && source != SOURCE_QUESTION) {
            assert_int_equal(read_text(rules_input_name(kind), "{}").refusal,
                             REFUSED_UNKNOWN_COMMAND);
        }
    }
}

static void a_refused_command_keeps_its_id(void **state)
{
    (void)state;
    assert_string_equal(read_text("undo", "{\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("undo", "{}").id, "");
    assert_string_equal(read_text("dance", "{\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("aim", "{\"piece\":7,\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("aim", "{\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("new-game", "{\"dice\":7,\"id\":\"a-1\"}").id, "a-1");
}

/*
 * Hostile payloads
 */

static void a_payload_that_is_not_a_json_object_is_bad_json(void **state)
{
    static const struct {
        const char *payload;
        size_t size;
    } bad[] = {
#define BYTES(text) {(text), sizeof(text) - 1}
        BYTES(" "),
        BYTES("null"),
        BYTES("1"),
        BYTES("\"undo\""),
        BYTES("[{}]"),
        BYTES("{"),
        BYTES("{}{}"),
        BYTES("{}\0"),
        BYTES("\0"),
        BYTES("{\"id\":\"a\0b\"}"),
        BYTES("{\"id\":\"a\\u0000b\"}"),
        BYTES("{\"id\":\"\xff\"}"),
        BYTES("{\"id\":\"\xed\xa0\x80\"}"),
        BYTES("{\"id\":\"\\ud800\"}"),
        BYTES("{\"id\":\"a\",\"id\":\"b\"}"),
        BYTES("{\"id\":\"a\",}"),
        BYTES("{\"value\":NaN}"),
        BYTES("\xef\xbb\xbf{}"),
#undef BYTES
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct command command = read_bytes("undo", bad[i].payload, bad[i].size);
        assert_int_equal(command.refusal, REFUSED_BAD_JSON);
        assert_string_not_equal(command.message, "");
        assert_string_equal(command.id, "");
    }
}

static void deep_nesting_is_refused(void **state)
{
    char payload[COMMAND_SIZE_MAX];
    size_t length = (size_t)snprintf(payload, sizeof payload, "{\"piece\":");

    (void)state;
    memset(payload + length, '[', 1000);
    memset(payload + length + 1000, ']', 1000);
    payload[length + 2000] = '}';
    assert_int_equal(read_bytes("aim", payload, length + 2001).refusal, REFUSED_BAD_VALUE);
    memset(payload, '[', sizeof payload);
    assert_int_equal(read_bytes("undo", payload, sizeof payload).refusal, REFUSED_BAD_JSON);
    for (size_t i = 0; i + 4 < sizeof payload; i += 5) {
        memcpy(payload + i, "{\"a\":", 5);
    }
    assert_int_equal(read_bytes("undo", payload, sizeof payload).refusal, REFUSED_BAD_JSON);
}

static void a_payload_of_4_KiB_is_read_and_one_byte_more_is_too_large(void **state)
{
    static char payload[COMMAND_SIZE_MAX + 1];

    (void)state;
    memset(payload, ' ', sizeof payload);
    memcpy(payload, "{}", 2);
    assert_int_equal(read_bytes("undo", payload, COMMAND_SIZE_MAX).refusal, REFUSED_NOT);
    struct command command = read_bytes("undo", payload, COMMAND_SIZE_MAX + 1);
    assert_int_equal(command.refusal, REFUSED_TOO_LARGE);
    assert_string_equal(command.message, "The command is larger than 4096 bytes.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_and_questions_are_read),
        cmocka_unit_test(a_locale_with_decimal_commas_changes_nothing),
        cmocka_unit_test(a_refusal_names_the_field_and_what_it_accepts),
        cmocka_unit_test(wrong_numbers_and_ids_are_bad_values),
        cmocka_unit_test(inputs_of_sensors_are_not_commands),
        cmocka_unit_test(a_refused_command_keeps_its_id),
        cmocka_unit_test(a_payload_that_is_not_a_json_object_is_bad_json),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_payload_of_4_KiB_is_read_and_one_byte_more_is_too_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
