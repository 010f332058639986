/* Words and lines: what is written can be read again, and every word has one spelling. */
#include "tests/support/table.h"

#include "rules/line.h"

#include <string.h>

static void an_input_that_is_written_reads_as_the_same_input(void **state)
{
    static const char *const lines[] = {
        "new-game",
        "aim piece=red-1",
        "fire",
        "topple piece=yellow-tower",
        "roll-move value=3",
        "roll-move",
        "move piece=red-1 knots=2.05",
        "move knots=0.5",
        "engage attacker=red-1 target=blue-tower",
        "roll-combat attacker=red-1 target=blue-1 value=swords",
        "load-barrel piece=red-1 harbour=green",
        "history from=12",
        "ball-left speed_mps=4.125",
        "knocked pieces=red-1+blue-2+pirate",
        "rope-over knots=3.201",
        "sensor-fault sensor=blue-1.tilt health=silent",
        "sensor-ok sensor=rope.a",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct input input;
        char text[LINE_SIZE];
        assert_int_equal(line_read_input(lines[i], &input), 0);
        assert_int_equal(line_write_input(&input, text, sizeof text), strlen(lines[i]));
        assert_string_equal(text, lines[i]);
    }
}

static void values_without_keys_go_to_the_fields_in_order(void **state)
{
    struct input short_form;
    struct input long_form;

    (void)state;
    assert_int_equal(line_read_input("roll-combat\tred-1  blue-1 flag ", &short_form), 0);
    assert_int_equal(
        line_read_input("roll-combat value=flag target=blue-1 attacker=red-1", &long_form), 0);
    assert_memory_equal(&short_form, &long_form, sizeof short_form);
}

static void a_value_with_a_key_uses_up_its_place(void **state)
{
    struct input mixed;
    struct input long_form;

    (void)state;
    assert_int_equal(line_read_input("move piece=red-1 2", &mixed), 0);
    assert_int_equal(line_read_input("move piece=red-1 knots=2", &long_form), 0);
    assert_memory_equal(&mixed, &long_form, sizeof mixed);
    assert_int_equal(line_read_input("move knots=2 red-1", &mixed), 0);
    assert_memory_equal(&mixed, &long_form, sizeof mixed);
}

static void a_field_that_is_given_twice_is_refused(void **state)
{
    static const char *const lines[] = {
        "aim piece=red-1 red-2",
        "aim red-1 piece=red-2",
        "aim piece=red-1 piece=red-1",
        "aim red-1 red-2",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct input input;
        assert_int_equal(line_read_input(lines[i], &input), REFUSED_BAD_VALUE);
    }
}

static void more_than_three_decimals_are_cut_off(void **state)
{
    struct input input;

    (void)state;
    assert_int_equal(line_read_input("move red-1 1.2009", &input), 0);
    assert_int_equal(input.knots_milli, 1200);
}

static void a_line_that_does_not_fit_is_cut_and_its_length_told(void **state)
{
    struct input input;
    char text[8];

    (void)state;
    assert_int_equal(line_read_input("topple red-1", &input), 0);
    assert_int_equal(line_write_input(&input, text, sizeof text), strlen("topple piece=red-1"));
    assert_string_equal(text, "topple ");
    assert_int_equal(line_write_input(&input, text, 0), strlen("topple piece=red-1"));
}

/* Every name of a list leads back to its value. */
#define ASSERT_SPELLED(word, type, count)                                                          \
    for (unsigned value = 1; value < (count); value++) {                                           \
        const char *name = rules_##word##_name((type)value);                                       \
        assert_string_not_equal(name, "?");                                                        \
        assert_int_equal(rules_##word##_named(name), value);                                       \
    }                                                                                              \
    assert_int_equal(rules_##word##_named("no-such-word"), 0);                                     \
    assert_string_equal(rules_##word##_name((type)(count)), "?");                                  \
    assert_string_equal(rules_##word##_name((type)UINT32_MAX), "?")

static void every_word_has_one_spelling(void **state)
{
    (void)state;
    ASSERT_SPELLED(harbour, enum harbour, HARBOUR_COUNT);
    ASSERT_SPELLED(piece, enum piece, PIECE_COUNT);
    ASSERT_SPELLED(variant, enum variant, VARIANT_COUNT);
    ASSERT_SPELLED(scenario, enum scenario_id, SCENARIO_COUNT);
    ASSERT_SPELLED(face, enum face, FACE_COUNT);
    ASSERT_SPELLED(health, enum health, HEALTH_COUNT);
    ASSERT_SPELLED(dice, enum dice, DICE_COUNT);
    ASSERT_SPELLED(input, enum input_kind, INPUT_COUNT);
    ASSERT_SPELLED(event, enum event_kind, EVENT_COUNT);
    ASSERT_SPELLED(rule, enum rule, RULE_COUNT);
}

static void what_is_no_word_has_no_fields(void **state)
{
    (void)state;
    assert_int_equal(rules_input_needs(INPUT_COUNT), 0);
    assert_int_equal(rules_input_fields(INPUT_COUNT), 0);
    assert_int_equal(rules_event_fields(EVENT_COUNT), 0);
    assert_int_equal(rules_input_source(INPUT_COUNT), SOURCE_NONE);
}

static void every_refusal_has_a_sentence(void **state)
{
    (void)state;
    for (unsigned refusal = 1; refusal < REFUSAL_COUNT; refusal++) {
        assert_true(strlen(rules_refusal_sentence((enum refusal)refusal)) > 1);
    }
}

static void the_longest_numbers_and_names_that_fit_are_read(void **state)
{
    struct input input;

    (void)state;
    assert_int_equal(line_read_input("history 999999999", &input), 0);
    assert_int_equal(input.from, 999999999);
    assert_int_equal(line_read_input("history 1000000000", &input), REFUSED_BAD_VALUE);
    assert_int_equal(line_read_input("sensor-ok harbour.of.the.red.fleet.dock.a", &input), 0);
    assert_int_equal(strlen(input.sensor), SENSOR_SIZE - 1);
    assert_int_equal(line_read_input("sensor-ok harbour.of.the.red.fleet.dock.ab", &input),
                     REFUSED_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_that_is_written_reads_as_the_same_input),
        cmocka_unit_test(values_without_keys_go_to_the_fields_in_order),
        cmocka_unit_test(a_value_with_a_key_uses_up_its_place),
        cmocka_unit_test(a_field_that_is_given_twice_is_refused),
        cmocka_unit_test(more_than_three_decimals_are_cut_off),
        cmocka_unit_test(a_line_that_does_not_fit_is_cut_and_its_length_told),
        cmocka_unit_test(every_word_has_one_spelling),
        cmocka_unit_test(what_is_no_word_has_no_fields),
        cmocka_unit_test(every_refusal_has_a_sentence),
        cmocka_unit_test(the_longest_numbers_and_names_that_fit_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
