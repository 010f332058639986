/* Words and lines: what is written can be read again, and every word has one spelling. */
#include "tests/support/table.h"

#include "rules/line.h"

#include <string.h>

TEST(an_input_that_is_written_reads_as_the_same_input)
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
        "ball-left speed_mps=4.125",
        "knocked pieces=red-1+blue-2+pirate",
        "rope-over knots=3.201",
        "sensor-fault sensor=blue-1.tilt health=silent",
        "sensor-ok sensor=rope.a",
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct input input;
        char text[LINE_SIZE];
        assert_int_equal(line_read_input(lines[i], &input), 0);
        assert_int_equal(line_write_input(&input, text, sizeof text), strlen(lines[i]));
        assert_string_equal(text, lines[i]);
    }
}

TEST(values_without_keys_go_to_the_fields_in_order)
{
    struct input short_form;
    struct input long_form;

    assert_int_equal(line_read_input("roll-combat\tred-1  blue-1 flag ", &short_form), 0);
    assert_int_equal(
        line_read_input("roll-combat value=flag target=blue-1 attacker=red-1", &long_form), 0);
    assert_memory_equal(&short_form, &long_form, sizeof short_form);
}

TEST(a_value_with_a_key_uses_up_its_place)
{
    struct input mixed;
    struct input long_form;

    assert_int_equal(line_read_input("move piece=red-1 2", &mixed), 0);
    assert_int_equal(line_read_input("move piece=red-1 knots=2", &long_form), 0);
    assert_memory_equal(&mixed, &long_form, sizeof mixed);
    assert_int_equal(line_read_input("move knots=2 red-1", &mixed), 0);
    assert_memory_equal(&mixed, &long_form, sizeof mixed);
}

TEST(more_than_three_decimals_are_cut_off)
{
    struct input input;

    assert_int_equal(line_read_input("move red-1 1.2009", &input), 0);
    assert_int_equal(input.knots_milli, 1200);
}

TEST(a_line_that_does_not_fit_is_cut_and_its_length_told)
{
    struct input input;
    char text[8];

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

TEST(every_word_has_one_spelling)
{
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

TEST(the_longest_numbers_and_names_that_fit_are_read)
{
    struct input input;

    assert_int_equal(line_read_input("roll-move 999999999", &input), 0);
    assert_int_equal(input.value, 999999999);
    assert_int_equal(line_read_input("roll-move 1000000000", &input), REFUSED_BAD_VALUE);
    assert_int_equal(line_read_input("sensor-ok harbour.of.the.red.fleet.dock.a", &input), 0);
    assert_int_equal(strlen(input.sensor), SENSOR_SIZE - 1);
    assert_int_equal(line_read_input("sensor-ok harbour.of.the.red.fleet.dock.ab", &input),
                     REFUSED_BAD_VALUE);
}

static const struct {
    const char *line;
    const char *code;
} unreadable[] = {
    {"", "unknown-command"},
    {" \t ", "unknown-command"},
    {"dance", "unknown-command"},
    {"AIM red-1", "unknown-command"},
    {"aim", "missing-field"},
    {"aim red-4", "unknown-piece"},
    {"aim piece=", "unknown-piece"},
    {"aim ship=red-1", "bad-value"},
    {"aim red-1 red-2", "bad-value"}, /* a field that is given twice */
    {"aim piece=red-1 red-2", "bad-value"},
    {"aim red-1 piece=red-2", "bad-value"},
    {"aim piece=red-1 piece=red-1", "bad-value"},
    {"fire now", "bad-value"},
    {"engage red-1", "missing-field"},
    {"engage red-1 ghost", "unknown-piece"},
    {"roll-move 0", "bad-value"},
    {"roll-move -1", "bad-value"},
    {"roll-move 1.5", "bad-value"},
    {"roll-move two", "bad-value"},
    {"roll-move 1e9", "bad-value"},
    {"roll-combat red-1 blue-1 pistols", "bad-value"},
    {"move red-1 0", "bad-value"},
    {"move red-1 -1", "bad-value"},
    {"move red-1 .", "bad-value"},
    {"move red-1 1.2.3", "bad-value"},
    {"move red-1 knots=", "bad-value"},
    {"move red-1 99999999", "bad-value"},
    {"move red-1 9999999999999999999999", "bad-value"},
    {"load-barrel red-1", "missing-field"},
    {"load-barrel red-1 black", "bad-value"},
    {"knocked", "missing-field"},
    {"knocked red-1+ghost", "unknown-piece"},
    {"knocked an-unlikely-name-for-a-piece-of-this-game", "unknown-piece"},
    {"sensor-ok", "missing-field"},
    {"sensor-fault rope.a", "missing-field"},
    {"sensor-fault rope.a tired", "bad-value"},
    {"sensor-ok a-sensor-with-a-name-that-fits-nowhere", "bad-value"},
};

TEST(an_unreadable_line_is_refused_and_writes_no_input)
{
    struct input untouched;
    struct input input;

    memset(&untouched, 'x', sizeof untouched);
    memset(&input, 'x', sizeof input);
    for (size_t i = 0; i < sizeof unreadable / sizeof unreadable[0]; i++) {
        int refusal = line_read_input(unreadable[i].line, &input);
        assert_string_equal(rules_refusal_name((enum refusal)refusal), unreadable[i].code);
        assert_memory_equal(&input, &untouched, sizeof input);
    }
}

TEST(a_line_longer_than_any_input_is_too_large)
{
    char line[LINE_SIZE + 1];
    struct input input;

    memset(line, ' ', sizeof line);
    memcpy(line, "fire", strlen("fire"));
    line[LINE_SIZE] = '\0';
    assert_int_equal(line_read_input(line, &input), REFUSED_TOO_LARGE);
    line[LINE_SIZE - 1] = '\0';
    assert_int_equal(line_read_input(line, &input), 0);
}
