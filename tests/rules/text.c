/* Text: how it is built, what is UTF-8, what may be shown, and which word was meant. */
#include "rules/text.h"

#include "rules/nearest.h"
#include "tests/support/test.h"

TEST(characters_of_all_lengths_are_utf_8)
{
    static const char *const good[] = {"",       "a",      "\u00a0", "\u07ff",     "\u0800",
                                       "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"};

    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_is_utf8(good[i]));
        assert_true(text_is_plain(good[i]));
    }
}

TEST(other_bytes_are_not_utf_8)
{
    static const char *const bad[] = {
        "\x80",     /* no character starts like this */
        "\xe2\x82", /* cut off */
        "\xe2\x82z",
        "\xc0\xaf", /* longer than necessary */
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* beyond the last character */
        "\xf5\x80\x80\x80",
        "\xff",
    };

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(text_is_utf8(bad[i]));
        assert_false(text_is_plain(bad[i]));
    }
}

TEST(control_characters_are_utf_8_but_not_plain)
{
    static const char *const controls[] = {"\x01", "a\x1f", "\x7f", "\xc2\x80", "\xc2\x9f"};

    for (unsigned i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        assert_true(text_is_utf8(controls[i]));
        assert_false(text_is_plain(controls[i]));
    }
}

TEST(characters_are_counted_not_bytes)
{
    assert_int_equal(text_count_characters(""), 0);
    assert_int_equal(text_count_characters("a\u010d\u26f5\U0001f3f4"), 4);
}

TEST(blanks_of_every_width_and_of_none_are_invisible)
{
    assert_true(text_is_invisible(""));
    assert_true(text_is_invisible(" \u00a0\u2003\u202f\u3000"));
    assert_true(text_is_invisible("\u200b\u200d\u200f\u2060\ufeff"));
    assert_true(text_is_invisible("\u00ad\u3164\u2800\ufe0f\U000e0001"));
    assert_false(text_is_invisible(" . "));
    assert_false(text_is_invisible("\u200bA"));
    assert_false(text_is_invisible("\u00a1"));
}

TEST(a_text_is_cut_off_at_the_end_of_its_memory)
{
    char memory[] = "untouched";
    struct text text = text_begin(memory, 4);

    text_add(&text, "ab");
    text_add_number(&text, -12);
    assert_memory_equal(memory, "ab-\0uched", sizeof memory);
    assert_int_equal(text.length, 5);
    text = text_begin(memory, 0);
    text_add(&text, "x");
    assert_memory_equal(memory, "ab-\0uched", sizeof memory);
}

TEST(thousandths_are_decimals)
{
    char memory[32];
    struct text text = text_begin(memory, sizeof memory);

    text_add_milli(&text, 1620);
    text_add_milli(&text, -5);
    text_add_milli(&text, -2000);
    assert_string_equal(memory, "1.62-0.005-2");
}

TEST(control_characters_are_replaced)
{
    char text[] = "a\x1f\xc2\x80\xc2\x9f\xc2\xa0\xc3\x80\x7f";

    text_replace_controls(text);
    assert_string_equal(text, "a?????\xc2\xa0\xc3\x80?");
}

TEST(a_quote_has_whole_plain_characters)
{
    static const char *const quotes[][2] = {
        {"red-one", "red-one"},
        {"red-ones", "red-..."},
        {"abc\u00e4efg", "abc..."}, /* not a half of the a with two dots */
        {"a\x1b\u00e4", "a???"},
    };
    char quote[8];

    for (unsigned i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        text_quote(quotes[i][0], quote, sizeof quote);
        assert_string_equal(quote, quotes[i][1]);
    }
}

/* The nearest of some commands, or "" if none is near enough. */
static const char *nearest_command(const char *word)
{
    static const char *const commands[] = {"aim", "raise", "roll-combat", "roll-move"};
    struct nearest nearest = nearest_begin(word);

    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        nearest_offer(&nearest, commands[i]);
    }
    return nearest.best ? nearest.best : "";
}

TEST(a_word_with_few_typing_errors_is_recognised)
{
    static const char too_long[] = "roll-move-roll-move-roll-move-roll-move-roll-move";

    assert_string_equal(nearest_command("raise"), "raise");
    assert_string_equal(nearest_command("rase"), "raise");
    assert_string_equal(nearest_command("raisee"), "raise");
    assert_string_equal(nearest_command("riase"), "raise");
    assert_string_equal(nearest_command("raize"), "raise");
    assert_string_equal(nearest_command("rol-mvoe"), "roll-move");
    assert_string_equal(nearest_command("amx"), "");
    assert_string_equal(nearest_command("roll"), "");
    assert_string_equal(nearest_command(""), "");
    assert_string_equal(nearest_command(too_long), "");
}

TEST(the_beginning_of_one_word_only_is_recognised)
{
    static const char *const pieces[] = {"red-1", "red-tower", "pirate", NULL};

    assert_string_equal(nearest_command("a"), "aim");
    assert_string_equal(nearest_command("roll-c"), "roll-combat");
    /* One typing error makes red-1 of it, but it is no more than begun. */
    assert_string_equal(nearest_word("red-t", pieces), "red-tower");
    /* Two begin with it: the one with few typing errors remains. */
    assert_string_equal(nearest_word("red-", pieces), "red-1");
    assert_null(nearest_word("re", pieces));
    assert_null(nearest_word("", pieces));
}
