/* The ini files of score sheets: what is reported. */
#include "tests/support/test.h"

#include "sheet/sheet.h"

#include <stdio.h>
#include <string.h>

enum { ALL_SIZE = 4096 };

static void add_problem(void *context, int line, const char *message)
{
    char *all = context;

    snprintf(all + strlen(all), ALL_SIZE - strlen(all), "%d: %s\n", line, message);
}

static void assert_problems(const char *text, const char *expected)
{
    static struct sheet sheet;
    char all[ALL_SIZE] = "";
    int count = sheet_read(text, strlen(text), &sheet, add_problem, all);

    assert_string_equal(all, expected);
    assert_int_equal(count > 0, expected[0] != '\0');
}

#define SHEET "[sheet]\ntitle = T\nplayers = 2\nscore = a\n"
#define COUNTER "[counter.a]\n"
#define END "[end.e]\nwhen = a > 1\ntext = T\n"

TEST(a_small_sheet_is_accepted)
{
    assert_problems(SHEET COUNTER END, "");
}

TEST(what_is_missing_is_reported)
{
    assert_problems("", "0: [sheet]: expected the keys title, players and score\n"
                        "0: expected at least one section [end.NAME]\n");
    assert_problems(SHEET COUNTER "[end.e]\nat = round\n[hint.h]\ntext = T\n",
                    "0: [end.e]: expected the keys text and when\n"
                    "0: [hint.h]: expected the keys text and when\n");
    assert_problems(SHEET COUNTER "[end.e]\nat = call\n", "0: [end.e]: expected the keys text\n");
}

TEST(every_wrong_line_is_reported_with_what_is_accepted)
{
    assert_problems(
        "[sheet]\ntitel = T\nplayers = 3-2\nwinner = best\nscore = b\nfirst_moves = 1\n"
        "players = 2\nroles = a, a\n"
        "[counter.a]\nstart = one\nsteps = 1, 0\nvalues = one\nroles = cook\n"
        "[counter.a]\n[flag.A]\n[flag.round]\n[boat]\nlabel = lost\n[end.e]\nat = noon\n",
        "2: [sheet] titel: unknown key; did you mean title?\n"
        "3: [sheet] players = 3-2: expected a number, or two such as 2-4, up to 8\n"
        "4: [sheet] winner = best: expected most, least or ender\n"
        "6: [sheet] first_moves = 1: expected no or yes\n"
        "7: [sheet] players: is set twice\n"
        "8: [sheet] roles = a, a: expected up to 8 different names separated by commas\n"
        "10: [counter.a] start = one: expected a number from -100000 to 100000\n"
        "11: [counter.a] steps = 1, 0: expected up to 10 numbers other than 0\n"
        "12: [counter.a] values = one: expected 2 to 10 different names\n"
        "13: [counter.a] roles = cook: expected roles of [sheet]\n"
        "14: [counter.a]: the name is taken or reserved, or there are too many\n"
        "15: [flag.A]: expected [sheet] once, [counter.NAME], [flag.NAME], [end.NAME], "
        "[title.NAME] or [hint.NAME], NAME being 1 to 31 of a-z 0-9 - _ from a letter on\n"
        "16: [flag.round]: the name is taken or reserved, or there are too many\n"
        "17: [boat]: expected [sheet] once, [counter.NAME], [flag.NAME], [end.NAME], "
        "[title.NAME] or [hint.NAME], NAME being 1 to 31 of a-z 0-9 - _ from a letter on\n"
        "20: [end.e] at = noon: expected once, round or call\n"
        "5: score = b: expected a number, or the name of a counter or flag, instead of b\n");
}

TEST(numbers_that_do_not_fit_together_are_reported)
{
    assert_problems(SHEET "[counter.a]\nstart = 5\nmax = 4\n" END,
                    "0: [counter.a] start = 5: expected a number from min, 0, to max, 4\n");
    assert_problems("[sheet]\ntitle = T\nplayers = 2-3\nroles = a, b\nscore = 1\n" COUNTER END,
                    "0: [sheet] roles: expected at least 3, one for each player\n");
}

TEST(the_score_cannot_depend_on_itself_and_a_hint_on_a_secret)
{
    assert_problems("[sheet]\ntitle = T\nplayers = 2\nscore = score + 1\n" COUNTER END,
                    "4: score = score + 1: the score cannot depend on itself\n");
    assert_problems(SHEET "[counter.a]\nsecret = yes\n" END
                          "[hint.h]\nwhen = score > 3\ntext = T\n",
                    "11: when = score > 3: a hint must not give away a secret counter\n");
}

TEST(there_may_be_only_so_many_of_each)
{
    char text[4096] = SHEET COUNTER END;

    for (int i = 2; i <= SHEET_COUNTERS_MAX + 1; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "[counter.c%d]\n", i);
    }
    assert_problems(text,
                    "24: [counter.c17]: the name is taken or reserved, or there are too many\n");
}

TEST(texts_are_translated_into_the_languages_of_the_page)
{
    static struct sheet sheet;
    char all[ALL_SIZE] = "";
    const char text[] =
        "[sheet]\ntitle = T\ntitle.de = Titel\nplayers = 2\nscore = a\n"
        "roles = one, two\nroles.cs = jedna, dva\n"
        "[counter.a]\nlabel.de = A\nvalues = x, y\nvalues.de = X, Y\n" END "text.cs = Konec\n";

    assert_int_equal(sheet_read(text, strlen(text), &sheet, add_problem, all), 0);
    assert_string_equal(sheet_translate(&sheet, SHEET_DE, sheet.title), "Titel");
    assert_null(sheet_translate(&sheet, SHEET_CS, sheet.title));
    assert_string_equal(sheet_translate(&sheet, SHEET_CS, sheet.roles[1]), "dva");
    assert_string_equal(sheet_translate(&sheet, SHEET_DE, sheet.counters[0].label), "A");
    assert_string_equal(sheet_translate(&sheet, SHEET_DE, sheet.counters[0].values[1]), "Y");
    assert_string_equal(sheet_translate(&sheet, SHEET_CS, sheet.ends[0].text), "Konec");
}

TEST(a_wrong_translation_is_reported)
{
    assert_problems(SHEET
                    "title.fr = Titre\ntitle.de =\ntitle.cs = T\ntitle.cs = U\nplayers.de = 2\n"
                    "roles.de = a, b\n" COUNTER "values = x, y\nvalues.de = X\nsteps.de = 1\n"
                    "label.de.de = A\n" END,
                    "5: [sheet] title.fr: unknown language; expected en, de or cs\n"
                    "6: [sheet] title.de = : expected a text of 1 to 159 bytes\n"
                    "8: [sheet] title.cs: is set twice\n"
                    "9: [sheet] players.de: unknown key; did you mean players?\n"
                    "10: [sheet] roles.de = a, b: expected as many different names as there are, "
                    "which come first\n"
                    "13: [counter.a] values.de = X: expected as many different names as there are, "
                    "which come first\n"
                    "14: [counter.a] steps.de: unknown key; expected label, of, start, min, "
                    "max, steps, values, secret, when, roles\n"
                    "15: [counter.a] label.de.de: unknown language; expected en, de or cs\n");
}
