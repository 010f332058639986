/* Payloads that no text file can have, and what holds for all commands. */
#include "tests/support/test.h"

#include "wire/wire.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

TEST(a_locale_with_decimal_commas_changes_nothing)
{
    setlocale(LC_ALL, "de_DE.UTF-8");
    struct command command = read_text("move", "{\"knots\":1.62}");
    setlocale(LC_ALL, "C");
    assert_int_equal(command.refusal, REFUSED_NOT);
    assert_int_equal(command.input.knots_milli, 1620);
}

TEST(inputs_of_sensors_are_not_commands)
{
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        if (rules_input_source(kind) != SOURCE_COMMAND) {
            assert_int_equal(read_text(rules_input_name(kind), "{}").refusal,
                             REFUSED_UNKNOWN_COMMAND);
        }
    }
}

TEST(a_payload_that_is_not_a_json_object_is_bad_json)
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

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct command command = read_bytes("undo", bad[i].payload, bad[i].size);
        assert_int_equal(command.refusal, REFUSED_BAD_JSON);
        assert_string_not_equal(command.message, "");
        assert_string_equal(command.id, "");
    }
}

TEST(deep_nesting_is_refused)
{
    char payload[COMMAND_SIZE_MAX];
    size_t length = (size_t)snprintf(payload, sizeof payload, "{\"piece\":");

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

TEST(a_payload_of_4_KiB_is_read_and_one_byte_more_is_too_large)
{
    static char payload[COMMAND_SIZE_MAX + 1];

    memset(payload, ' ', sizeof payload);
    memcpy(payload, "{}", 2);
    assert_int_equal(read_bytes("undo", payload, COMMAND_SIZE_MAX).refusal, REFUSED_NOT);
    struct command command = read_bytes("undo", payload, COMMAND_SIZE_MAX + 1);
    assert_int_equal(command.refusal, REFUSED_TOO_LARGE);
    assert_string_equal(command.message, "The command is larger than 4096 bytes.");
}

TEST(a_list_that_is_too_long_is_refused)
{
    char payload[400] = "{\"barrels\":\"";
    size_t length = strlen(payload);

    memset(payload + length, ',', 300);
    memcpy(payload + length + 300, "\"}", sizeof "\"}");
    assert_int_equal(read_text("new-game", payload).refusal, REFUSED_BAD_VALUE);
}

TEST(a_verb_is_repeated_without_control_characters)
{
    assert_string_equal(read_text("dance/with\x01me", "{}").message,
                        "Unknown command \"dance/with?me\".");
    assert_string_equal(read_text("", "{}").message, "Unknown command \"\".");
}
