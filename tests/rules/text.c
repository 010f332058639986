/* Text: how it is built, what is UTF-8, and what may be shown. */
#include "rules/text.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void characters_of_all_lengths_are_utf_8(void **state)
{
    static const char *const good[] = {"",       "a",      "\u00a0", "\u07ff",     "\u0800",
                                       "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"};

    (void)state;
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_is_utf8(good[i]));
        assert_true(text_is_plain(good[i]));
    }
}

static void other_bytes_are_not_utf_8(void **state)
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

    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(text_is_utf8(bad[i]));
        assert_false(text_is_plain(bad[i]));
    }
}

static void control_characters_are_utf_8_but_not_plain(void **state)
{
    static const char *const controls[] = {"\x01", "a\x1f", "\x7f", "\xc2\x80", "\xc2\x9f"};

    (void)state;
    for (unsigned i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        assert_true(text_is_utf8(controls[i]));
        assert_false(text_is_plain(controls[i]));
    }
}

static void a_text_is_cut_off_at_the_end_of_its_memory(void **state)
{
    char memory[] = "untouched";
    struct text text = text_begin(memory, 4);

    (void)state;
    text_add(&text, "ab");
    text_add_number(&text, -12);
    assert_memory_equal(memory, "ab-\0uched", sizeof memory);
    assert_int_equal(text.length, 5);
    text = text_begin(memory, 0);
    text_add(&text, "x");
    assert_memory_equal(memory, "ab-\0uched", sizeof memory);
}

static void thousandths_are_decimals(void **state)
{
    char memory[32];
    struct text text = text_begin(memory, sizeof memory);

    (void)state;
    text_add_milli(&text, 1620);
    text_add_milli(&text, -5);
    text_add_milli(&text, -2000);
    assert_string_equal(memory, "1.62-0.005-2");
}

static void control_characters_are_replaced(void **state)
{
    char text[] = "a\x1f\xc2\x80\xc2\x9f\xc2\xa0\xc3\x80\x7f";

    (void)state;
    text_replace_controls(text);
    assert_string_equal(text, "a?????\xc2\xa0\xc3\x80?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_all_lengths_are_utf_8),
        cmocka_unit_test(other_bytes_are_not_utf_8),
        cmocka_unit_test(control_characters_are_utf_8_but_not_plain),
        cmocka_unit_test(a_text_is_cut_off_at_the_end_of_its_memory),
        cmocka_unit_test(thousandths_are_decimals),
        cmocka_unit_test(control_characters_are_replaced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
