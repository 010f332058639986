/* Commands in: what is understood, what is refused and how, and that nothing else happens. */
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
    /* Its own memory to the byte, so that the sanitizer sees every step too far. */
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

static void assert_read(const char *verb, const char *payload, const char *line)
{
    struct command command = read_text(verb, payload);
    char text[LINE_SIZE];

    assert_string_equal(command.message, "");
    assert_int_equal(command.refusal, REFUSED_NOT);
    line_write_input(&command.input, text, sizeof text);
    assert_string_equal(text, line);
}

static void assert_refused(const char *verb, const char *payload, const char *code,
                           const char *message)
{
    struct command command = read_text(verb, payload);

    assert_string_equal(rules_refusal_name(command.refusal), code);
    assert_string_equal(command.message, message);
}

/*
 * Fields
 */

static void every_command_and_question_is_read(void **state)
{
    (void)state;
    assert_read("aim", "{\"piece\":\"red-1\"}", "aim piece=red-1");
    assert_read("fire", "{}", "fire");
    assert_read("topple", "{\"piece\":\"blue-tower\"}", "topple piece=blue-tower");
    assert_read("raise", "{\"piece\":\"monster\"}", "raise piece=monster");
    assert_read("roll-move", "{\"value\":2}", "roll-move value=2");
    assert_read("roll-move", "{}", "roll-move");
    assert_read("select", "{\"piece\":\"kraken\"}", "select piece=kraken");
    assert_read("move", "{\"piece\":\"red-1\",\"knots\":1.62}", "move piece=red-1 knots=1.62");
    assert_read("move", "{}", "move");
    assert_read("engage", "{\"attacker\":\"red-1\",\"target\":\"blue-1\"}",
                "engage attacker=red-1 target=blue-1");
    assert_read("roll-combat", "{\"target\":\"blue-1\",\"value\":\"flag\",\"attacker\":\"red-1\"}",
                "roll-combat attacker=red-1 target=blue-1 value=flag");
    assert_read("end-phase", "{}", "end-phase");
    assert_read("take-chest", "{\"piece\":\"red-1\"}", "take-chest piece=red-1");
    assert_read("load-barrel", "{\"piece\":\"red-1\",\"harbour\":\"blue\"}",
                "load-barrel piece=red-1 harbour=blue");
    assert_read("deliver-barrel", "{\"piece\":\"red-1\",\"harbour\":\"blue\"}",
                "deliver-barrel piece=red-1 harbour=blue");
    assert_read("catch-wind", "{\"piece\":\"red-1\"}", "catch-wind piece=red-1");
    assert_read("move-wind", "{}", "move-wind");
    assert_read("entangle", "{\"piece\":\"red-1\"}", "entangle piece=red-1");
    assert_read("undo", "{}", "undo");
    assert_read("history", "{\"from\":41}", "history from=41");
    assert_read("history", "{}", "history");
    assert_read("new-game", "{}", "new-game");
}

static void an_empty_payload_is_an_empty_object(void **state)
{
    (void)state;
    assert_read("end-phase", "", "end-phase");
    assert_refused("aim", "", "missing-field",
                   "aim needs \"piece\": the name of a piece, like \"red-1\".");
}

static void numbers_may_be_written_as_numbers_or_strings(void **state)
{
    (void)state;
    assert_read("move", "{\"knots\":2}", "move knots=2");
    assert_read("move", "{\"knots\":2.0}", "move knots=2");
    assert_read("move", "{\"knots\":\"2.5\"}", "move knots=2.5");
    assert_read("move", "{\"knots\":16e-1}", "move knots=1.6");
    assert_read("move", "{\"knots\":0.001}", "move knots=0.001");
    assert_read("move", "{\"knots\":2.9999999999}", "move knots=3");
    assert_read("roll-move", "{\"value\":\"3\"}", "roll-move value=3");
    assert_read("roll-move", "{\"value\":3.0}", "roll-move value=3");
    assert_read("history", "{\"from\":123456789}", "history from=123456789");
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

static void a_value_that_does_not_fit_is_named_with_what_would(void **state)
{
    (void)state;
    static const char *const bad_dice[] = {
        "-1",      "0",      "1.5",    "1e9",   "99999999999999999999",
        "true",    "null",   "[]",     "{}",    "\"\"",
        "\"two\"", "\"-2\"", "\" 2\"", "1e308",
    };
    static const char *const bad_knots[] = {
        "-1", "0", "1e-9", "1e9", "\"1,5\"", "\"\"", "null", "[1]", "\"nan\"", "\"0x2\"",
    };
    char payload[64];

    for (size_t i = 0; i < sizeof bad_dice / sizeof bad_dice[0]; i++) {
        snprintf(payload, sizeof payload, "{\"value\":%s}", bad_dice[i]);
        assert_refused("roll-move", payload, "bad-value",
                       "\"value\" does not fit: it must be a whole number of the die, from 1.");
    }
    for (size_t i = 0; i < sizeof bad_knots / sizeof bad_knots[0]; i++) {
        snprintf(payload, sizeof payload, "{\"knots\":%s}", bad_knots[i]);
        assert_refused("move", payload, "bad-value",
                       "\"knots\" does not fit: it must be a number of knots above 0, like 1.62.");
    }
    assert_refused("roll-combat",
                   "{\"attacker\":\"red-1\",\"target\":\"blue-1\",\"value\":\"sword\"}",
                   "bad-value",
                   "\"value\" does not fit: it must be one of \"flag\" \"swords\"; did you mean "
                   "\"swords\"?");
    assert_refused("load-barrel", "{\"piece\":\"red-1\",\"harbour\":\"pink\"}", "bad-value",
                   "\"harbour\" does not fit: it must be one of \"red\" \"blue\" \"green\" "
                   "\"yellow\".");
    assert_refused("history", "{\"from\":-1}", "bad-value",
                   "\"from\" does not fit: it must be the seq of an event, from 1.");
    assert_refused("aim", "{\"piece\":7}", "bad-value",
                   "\"piece\" does not fit: it must be the name of a piece, like \"red-1\".");
    assert_refused("aim", "{\"piece\":null}", "bad-value",
                   "\"piece\" does not fit: it must be the name of a piece, like \"red-1\".");
}

static void an_unknown_piece_is_refused_with_the_nearest(void **state)
{
    (void)state;
    assert_refused("aim", "{\"piece\":\"red1\"}", "unknown-piece",
                   "There is no piece \"red1\" here; did you mean \"red-1\"?");
    assert_refused("aim", "{\"piece\":\"submarine\"}", "unknown-piece",
                   "There is no piece \"submarine\" here.");
    assert_refused("aim", "{\"piece\":\"\"}", "unknown-piece", "There is no piece \"\" here.");
}

static void an_unknown_field_is_refused_with_the_nearest(void **state)
{
    (void)state;
    assert_refused("aim", "{\"peice\":\"red-1\"}", "bad-value",
                   "There is no field \"peice\" here; did you mean \"piece\"?");
    assert_refused("undo", "{\"piece\":\"red-1\"}", "bad-value",
                   "There is no field \"piece\" here.");
    assert_refused("new-game", "{\"scenaro\":\"kraken\"}", "bad-value",
                   "There is no field \"scenaro\" here; did you mean \"scenario\"?");
}

static void a_missing_field_is_named(void **state)
{
    (void)state;
    assert_refused("engage", "{\"attacker\":\"red-1\"}", "missing-field",
                   "engage needs \"target\": the name of a piece, like \"red-1\".");
    assert_refused("load-barrel", "{\"piece\":\"red-1\"}", "missing-field",
                   "load-barrel needs \"harbour\": one of \"red\" \"blue\" \"green\" \"yellow\".");
}

static void an_unknown_command_is_refused_with_the_nearest(void **state)
{
    (void)state;
    assert_refused("endphase", "{}", "unknown-command",
                   "There is no command \"endphase\" here; did you mean \"end-phase\"?");
    assert_refused("", "{}", "unknown-command", "There is no command \"\" here.");
    assert_refused("dance/with\x01me", "{}", "unknown-command",
                   "There is no command \"dance/with?me\" here.");
}

static void what_sensors_say_is_no_command(void **state)
{
    (void)state;
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        enum source source = rules_input_source(kind);
        if (source == SOURCE_COMMAND || source == SOURCE_QUESTION) {
            continue;
        }
        assert_int_equal(read_text(rules_input_name(kind), "{}").refusal, REFUSED_UNKNOWN_COMMAND);
    }
}

/*
 * The id
 */

static void an_id_is_kept_also_when_the_rest_is_refused(void **state)
{
    (void)state;
    assert_string_equal(read_text("undo", "{\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("undo", "{}").id, "");
    assert_string_equal(read_text("dance", "{\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("aim", "{\"piece\":7,\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("aim", "{\"id\":\"a-1\"}").id, "a-1");
    assert_string_equal(read_text("new-game", "{\"dice\":7,\"id\":\"a-1\"}").id, "a-1");
}

static void an_id_is_a_printable_string_of_up_to_64_bytes(void **state)
{
    (void)state;
    static const char *const bad_ids[] = {
        "7",           "null",
        "\"\"",        "\"a\\n\"",
        "\"\\u007f\"", "\"\\u0085\"",
        "[\"a\"]",     "\"12345678901234567890123456789012345678901234567890123456789012345\"",
    };
    char payload[128];

    for (size_t i = 0; i < sizeof bad_ids / sizeof bad_ids[0]; i++) {
        snprintf(payload, sizeof payload, "{\"id\":%s}", bad_ids[i]);
        assert_refused("undo", payload, "bad-value",
                       "\"id\" does not fit: it must be a string of 1 to 64 bytes without control "
                       "characters.");
        assert_string_equal(read_text("undo", payload).id, "");
    }
    assert_read("undo",
                "{\"id\":\"1234567890123456789012345678901234567890123456789012345678901234\"}",
                "undo");
    assert_read("undo", "{\"id\":\"\\u2693 \\u00fc\"}", "undo");
}

/*
 * Hostile payloads
 */

static void what_is_not_a_json_object_is_bad_json(void **state)
{
    (void)state;
    static const struct {
        const char *payload;
        size_t size;
    } bad[] = {
#define BYTES(text) {(text), sizeof(text) - 1}
        BYTES(" "),
        BYTES("null"),
        BYTES("true"),
        BYTES("1"),
        BYTES("\"undo\""),
        BYTES("[]"),
        BYTES("[{}]"),
        BYTES("{"),
        BYTES("{}}"),
        BYTES("{}{}"),
        BYTES("{} x"),
        BYTES("{}\0"),
        BYTES("\0"),
        BYTES("{\"id\":\"a\0b\"}"),
        BYTES("{\"id\":\"a\\u0000b\"}"),
        BYTES("{\"id\":\"\xff\"}"),
        BYTES("{\"id\":\"\xc0\xaf\"}"),
        BYTES("{\"id\":\"\xed\xa0\x80\"}"),
        BYTES("{\"id\":\"\\ud800\"}"),
        BYTES("{\"id\":\"a\",\"id\":\"b\"}"),
        BYTES("{'id':'a'}"),
        BYTES("{\"id\":\"a\",}"),
        BYTES("{\"value\":NaN}"),
        BYTES("{\"value\":01}"),
        BYTES("{\"value\":+1}"),
        BYTES("\xef\xbb\xbf{}"),
        BYTES("{}//"),
#undef BYTES
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct command command = read_bytes("undo", bad[i].payload, bad[i].size);
        assert_int_equal(command.refusal, REFUSED_BAD_JSON);
        assert_string_not_equal(command.message, "");
        assert_string_equal(command.id, "");
    }
}

static void a_number_beyond_all_bounds_is_a_bad_value(void **state)
{
    (void)state;
    assert_refused("roll-move", "{\"value\":1e999}", "bad-value",
                   "A number in the command is too large.");
}

static void nesting_to_the_limit_of_the_size_is_bad_json(void **state)
{
    (void)state;
    char payload[COMMAND_SIZE_MAX];

    memset(payload, '[', sizeof payload);
    assert_int_equal(read_bytes("undo", payload, sizeof payload).refusal, REFUSED_BAD_JSON);
    for (size_t i = 0; i + 4 < sizeof payload; i += 5) {
        memcpy(payload + i, "{\"a\":", 5);
    }
    assert_int_equal(read_bytes("undo", payload, sizeof payload).refusal, REFUSED_BAD_JSON);
}

static void deep_values_of_a_known_field_are_bad_values(void **state)
{
    (void)state;
    char payload[2 * 1000 + 64];
    size_t length = (size_t)snprintf(payload, sizeof payload, "{\"piece\":");

    memset(payload + length, '[', 1000);
    memset(payload + length + 1000, ']', 1000);
    payload[length + 2000] = '}';
    struct command command = read_bytes("aim", payload, length + 2001);
    assert_int_equal(command.refusal, REFUSED_BAD_VALUE);
}

static void a_payload_of_4_KiB_is_read_and_one_byte_more_is_too_large(void **state)
{
    (void)state;
    static char payload[COMMAND_SIZE_MAX + 1];

    memset(payload, ' ', sizeof payload);
    memcpy(payload, "{}", 2);
    assert_int_equal(read_bytes("undo", payload, COMMAND_SIZE_MAX).refusal, REFUSED_NOT);
    struct command command = read_bytes("undo", payload, COMMAND_SIZE_MAX + 1);
    assert_int_equal(command.refusal, REFUSED_TOO_LARGE);
    assert_string_equal(command.message, "A command has at most 4096 bytes; this has more.");
}

static void long_words_are_cut_between_characters_in_the_message(void **state)
{
    (void)state;
    /* 19 times two bytes is what fits; a cut after 39 bytes would split a character. */
    assert_refused("undo",
                   "{\"\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
                   "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
                   "\xc3\xbc\xc3\xbc\xc3\xbc\":1}",
                   "bad-value",
                   "There is no field \"\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
                   "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
                   "\xc3\xbc\xc3\xbc\xc3\xbc\" here.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_and_question_is_read),
        cmocka_unit_test(an_empty_payload_is_an_empty_object),
        cmocka_unit_test(numbers_may_be_written_as_numbers_or_strings),
        cmocka_unit_test(a_locale_with_decimal_commas_changes_nothing),
        cmocka_unit_test(a_value_that_does_not_fit_is_named_with_what_would),
        cmocka_unit_test(an_unknown_piece_is_refused_with_the_nearest),
        cmocka_unit_test(an_unknown_field_is_refused_with_the_nearest),
        cmocka_unit_test(a_missing_field_is_named),
        cmocka_unit_test(an_unknown_command_is_refused_with_the_nearest),
        cmocka_unit_test(what_sensors_say_is_no_command),
        cmocka_unit_test(an_id_is_kept_also_when_the_rest_is_refused),
        cmocka_unit_test(an_id_is_a_printable_string_of_up_to_64_bytes),
        cmocka_unit_test(what_is_not_a_json_object_is_bad_json),
        cmocka_unit_test(a_number_beyond_all_bounds_is_a_bad_value),
        cmocka_unit_test(nesting_to_the_limit_of_the_size_is_bad_json),
        cmocka_unit_test(deep_values_of_a_known_field_are_bad_values),
        cmocka_unit_test(a_payload_of_4_KiB_is_read_and_one_byte_more_is_too_large),
        cmocka_unit_test(long_words_are_cut_between_characters_in_the_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
