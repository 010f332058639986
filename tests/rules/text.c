/* Text from outside: what is UTF-8, and what may be shown. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_all_lengths_are_utf_8),
        cmocka_unit_test(other_bytes_are_not_utf_8),
        cmocka_unit_test(control_characters_are_utf_8_but_not_plain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
