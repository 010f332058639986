/* Files as a whole: their grammar, one laid over the other, and what does not fit together. */
#include "config/config.h"

#include "heard.h"

#include "rules/rules.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

enum { PATH_SIZE = 64, LONG_SIZE = 70000 };

/* A file of a test, which removes it again. */
static void write_file(char path[PATH_SIZE], const char *text)
{
    memcpy(path, "/tmp/shipahoy-config-XXXXXX", sizeof "/tmp/shipahoy-config-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

/*
 * Grammar
 */

static void an_empty_file_gives_the_rulebook_with_four_players(void **state)
{
    struct heard heard;
    struct setup rulebook;

    (void)state;
    hear(&heard, "");
    assert_int_equal(heard.result, 0);
    rules_default_setup(&rulebook, 4);
    rulebook.first = 0;
    assert_memory_equal(&heard.config.setup, &rulebook, sizeof rulebook);
    assert_string_equal(heard.config.table, "table");
    assert_string_equal(heard.config.mqtt.host, "localhost");
    assert_int_equal(heard.config.mqtt.port, 1883);
    assert_true(heard.config.mqtt.commands);
    assert_int_equal(heard.config.hw.backend, BACKEND_SIM);
    assert_int_equal(heard.config.hw.beam_gap_um, 20000);
    assert_int_equal(heard.config.journal.keep_games, 50);
    assert_int_equal(heard.config.journal.keep_kib, 4096);
}

static void comments_blanks_line_ends_and_a_byte_order_mark_are_fine(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "\xEF\xBB\xBF[table] ; first\r\n"
                 "  name=den # the den\r\n"
                 "\t; nothing = here\r\n"
                 "# nor here\r\n"
                 "[mqtt]#\n"
                 "host: broker#1 ;x\n"
                 "port  =  8883");
    assert_string_equal(heard.problems, "");
    assert_string_equal(heard.config.table, "den");
    assert_string_equal(heard.config.mqtt.host, "broker#1");
    assert_int_equal(heard.config.mqtt.port, 8883);
}

static void an_indented_line_does_not_continue_the_one_before(void **state)
{
    (void)state;
    assert_problems("[game]\nrules = basic\n  advanced\n",
                    "t:3: expected [section], key = value or a comment\n");
}

static void lines_that_are_nothing_are_all_told(void **state)
{
    (void)state;
    assert_problems("port = 1\n"
                    "[game\n"
                    "rules = nonsense in a section that is not known\n"
                    "[game] rules = basic\n"
                    "nothing\n"
                    "rules ; = basic\n"
                    "= 3",
                    "t:1: port: a key before the first [section]\n"
                    "t:2: a section ends with ]\n"
                    "t:4: only a comment may follow a section's ]\n"
                    "t:5: expected [section], key = value or a comment\n"
                    "t:6: expected [section], key = value or a comment\n"
                    "t:7: [game] : unknown key; expected rules, scenario, teams, dice, first, "
                    "autostart\n");
}

static void a_key_that_is_set_twice_in_a_file_is_told(void **state)
{
    (void)state;
    assert_problems("[mqtt]\nport = 1\n[game]\n[mqtt]\nport = 2\n",
                    "t:5: [mqtt] port: is set in line 2 already\n");
}

static void a_line_is_read_whole_or_not_at_all(void **state)
{
    char text[1024];
    struct heard heard;

    (void)state;
    snprintf(text, sizeof text, "[mqtt]\nhost = %0*d\n", CONFIG_FILE_LINE_MAX - 7, 0);
    hear(&heard, text);
    assert_string_equal(heard.problems, "");
    assert_int_equal(strlen(heard.config.mqtt.host), CONFIG_FILE_LINE_MAX - 7);

    snprintf(text, sizeof text, "[mqtt]\nhost = %0*d\nport = 0\n", CONFIG_FILE_LINE_MAX - 6, 0);
    assert_problems(text, "t:2: a line of 199 bytes: expected at most 198\n"
                          "t:3: [mqtt] port = 0: expected a number from 1 to 65535\n");

    snprintf(text, sizeof text, "; %0500d\n[mqtt]\n", 0);
    assert_problems(text, "");
}

static void a_long_section_is_not_taken_for_its_beginning(void **state)
{
    (void)state;
    assert_problems(
        "[button.abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789]\n",
        "t:1: [button.abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopq...]: unknown section; "
        "a "
        "name has 1 to 24 letters, digits, - or _\n");
}

static void a_nul_byte_is_told(void **state)
{
    static const char text[] = "[mqtt]\nhost = a\0b\nport = 0\n";
    struct heard heard;

    (void)state;
    hear_bytes(&heard, text, sizeof text - 1);
    assert_string_equal(heard.problems,
                        "t:2: a NUL byte: this is not a text file\n"
                        "t:3: [mqtt] port = 0: expected a number from 1 to 65535\n");
}

static void a_text_is_utf_8_and_nothing_else(void **state)
{
    static const char *const good[] = {"\u00e9", "\u20ac", "\ud7ff", "\U00010000", "\U0010ffff"};
    static const char *const bad[] = {"\xc0\xaf",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xe2\x82",
                                      "\x80",
                                      "\x7f",
                                      "\xc2\x85",
                                      "\xc2\x9f"};
    char text[128];
    struct heard heard;

    (void)state;
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(text, sizeof text, "[player.1]\nname = %s\n[player.2]\n", good[i]);
        hear(&heard, text);
        assert_string_equal(heard.problems, "");
        assert_string_equal(heard.config.setup.seats[1].name, good[i]);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "[player.1]\nname = %s\n[player.2]\n", bad[i]);
        hear(&heard, text);
        assert_int_equal(heard.result, 1);
    }
}

static void what_cannot_be_printed_is_shown_as_question_marks(void **state)
{
    (void)state;
    assert_problems("[game]\nrules = a\x1b[31m\xff\n",
                    "t:2: [game] rules = a?[31m?: expected basic or advanced\n");
}

static void a_long_value_is_shown_in_part_and_never_half_a_letter(void **state)
{
    (void)state;
    assert_problems(
        "[game]\nrules = 5678901234567890123456789012345678901234567890123456789ööööö\n",
        "t:2: [game] rules = "
        "5678901234567890123456789012345678901234567890123456789öö...: expected basic or "
        "advanced\n");
}

/*
 * Names
 */

static void unknown_names_come_with_the_nearest(void **state)
{
    (void)state;
    assert_problems("[gmae]\n[game.1]\n[player]\n[plyer.2]\n[piece.blu-1]\n[harbour.rde]\n"
                    "[mqtt]\nprot = 1\n",
                    "t:1: [gmae]: unknown section; did you mean [game]?\n"
                    "t:2: [game.1]: unknown section; did you mean [game]?\n"
                    "t:3: [player]: unknown section; did you mean [player.1]?\n"
                    "t:4: [plyer.2]: unknown section; did you mean [player.2]?\n"
                    "t:5: [piece.blu-1]: unknown section; did you mean [piece.blue-1]?\n"
                    "t:6: [harbour.rde]: unknown section; did you mean [harbour.red]?\n"
                    "t:8: [mqtt] prot: unknown key; did you mean port?\n");
}

static void names_that_are_near_nothing_come_with_all_there_are(void **state)
{
    (void)state;
    assert_problems("[weather]\n[harbour.purple]\n[journal]\nsize = 3\n",
                    "t:1: [weather]: unknown section; expected [table], [mqtt], [game], "
                    "[player.1], [house], [timing], [hw], [cannon], [rope], [piece.red-1], "
                    "[harbour.red], [button.done] or [journal]\n"
                    "t:2: [harbour.purple]: unknown section; expected [harbour.red], "
                    "[harbour.blue], [harbour.green] or [harbour.yellow]\n"
                    "t:4: [journal] size: unknown key; expected keep_games, keep_kib\n");
}

static void tiles_that_cannot_topple_have_no_sensors(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[piece.kraken]\n[piece.wind]\n");
    assert_int_equal(heard.result, 2);
}

/*
 * Files
 */

static void a_later_file_is_laid_over_an_earlier_one(void **state)
{
    char base[PATH_SIZE];
    char over[PATH_SIZE];
    struct heard heard;

    (void)state;
    write_file(base, "[game]\nrules = advanced\nscenario = kraken\n[cannon]\nbeam = GPIO4\n"
                     "[button.a]\ncommand = undo\n[mqtt]\nusername = anna\n");
    write_file(over, "[game]\nscenario = merchant\n[cannon]\nbeam =\n[button.a]\nline = GPIO4\n"
                     "[mqtt]\nusername =\n");
    const char *files[] = {base, over};
    hear_files(&heard, files, 2);
    assert_string_equal(heard.problems, "");
    assert_int_equal(heard.config.setup.variant, VARIANT_ADVANCED);
    assert_int_equal(heard.config.setup.scenario, SCENARIO_MERCHANT);
    assert_false(heard.config.hw.lines[SENSOR_CANNON_BEAM].fitted);
    assert_int_equal(heard.config.hw.button_count, 1);
    assert_string_equal(heard.config.hw.buttons[0].name, "a");
    assert_string_equal(heard.config.hw.buttons[0].command, "undo");
    assert_string_equal(heard.config.hw.lines[SENSOR_BUTTON].name, "GPIO4");
    assert_string_equal(heard.config.mqtt.username, "");
    unlink(base);
    unlink(over);
}

static void the_problems_of_all_files_are_told_at_once(void **state)
{
    char one[PATH_SIZE];
    char two[PATH_SIZE];
    char expected[1024];
    struct heard heard;

    (void)state;
    write_file(one, "[game]\nfirst = 3\n[cannon]\nbeam = GPIO4\n");
    write_file(two, "[game]\nrule = basic\n[player.1]\n[player.2]\n[rope]\nbutton = GPIO4\n");
    const char *files[] = {one, "/nowhere/at/all.ini", "/tmp", two};
    hear_files(&heard, files, 4);
    snprintf(expected, sizeof expected,
             "/nowhere/at/all.ini: cannot be read: No such file or directory\n"
             "/tmp: cannot be read: Is a directory\n"
             "%s:2: [game] rule: unknown key; did you mean rules?\n"
             "%s:2: [game] first = 3: expected draw or a player from 1 to 2 (G2)\n"
             "%s:6: [rope] button: [cannon] beam is on this line already (%s:4); expected one "
             "sensor a line\n",
             two, one, two, one);
    assert_string_equal(heard.problems, expected);
    unlink(one);
    unlink(two);
}

static void a_file_that_is_too_large_is_told(void **state)
{
    char path[PATH_SIZE];
    char expected[PATH_SIZE * 2];
    char *text = malloc(LONG_SIZE);
    struct heard heard;

    (void)state;
    assert_non_null(text);
    memset(text, '\n', LONG_SIZE - 1);
    text[LONG_SIZE - 1] = '\0';
    write_file(path, text);
    free(text);
    const char *files[] = {path};
    hear_files(&heard, files, 1);
    snprintf(expected, sizeof expected, "%s: is larger than 65536 bytes\n", path);
    assert_string_equal(heard.problems, expected);
    unlink(path);
}

static void the_files_of_this_project_have_no_problems(void **state)
{
    static const char *const overlays[] = {"none",        "treasure-island", "pirate-ship",
                                           "sea-monster", "heavy-wind",      "merchant",
                                           "kraken"};

    (void)state;
    for (unsigned i = 0; i < sizeof overlays / sizeof overlays[0]; i++) {
        char overlay[512];
        struct heard heard;
        struct config defaults;
        const char *files[] = {CONFIG_FOLDER "/shipahoy.ini", overlay};

        snprintf(overlay, sizeof overlay, CONFIG_FOLDER "/scenarios/%s.ini", overlays[i]);
        hear_files(&heard, files, 2);
        assert_string_equal(heard.problems, "");
        config_defaults(&defaults);
        defaults.setup.scenario = (uint8_t)rules_scenario_named(overlays[i]);
        assert_memory_equal(&heard.config, &defaults, sizeof defaults);
    }
    assert_int_equal(sizeof overlays / sizeof overlays[0], SCENARIO_COUNT - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_file_gives_the_rulebook_with_four_players),
        cmocka_unit_test(comments_blanks_line_ends_and_a_byte_order_mark_are_fine),
        cmocka_unit_test(an_indented_line_does_not_continue_the_one_before),
        cmocka_unit_test(lines_that_are_nothing_are_all_told),
        cmocka_unit_test(a_key_that_is_set_twice_in_a_file_is_told),
        cmocka_unit_test(a_line_is_read_whole_or_not_at_all),
        cmocka_unit_test(a_long_section_is_not_taken_for_its_beginning),
        cmocka_unit_test(a_nul_byte_is_told),
        cmocka_unit_test(a_text_is_utf_8_and_nothing_else),
        cmocka_unit_test(what_cannot_be_printed_is_shown_as_question_marks),
        cmocka_unit_test(a_long_value_is_shown_in_part_and_never_half_a_letter),
        cmocka_unit_test(unknown_names_come_with_the_nearest),
        cmocka_unit_test(names_that_are_near_nothing_come_with_all_there_are),
        cmocka_unit_test(tiles_that_cannot_topple_have_no_sensors),
        cmocka_unit_test(a_later_file_is_laid_over_an_earlier_one),
        cmocka_unit_test(the_problems_of_all_files_are_told_at_once),
        cmocka_unit_test(a_file_that_is_too_large_is_told),
        cmocka_unit_test(the_files_of_this_project_have_no_problems),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
