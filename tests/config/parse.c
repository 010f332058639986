/* Files: their grammar, unknown names, and several files that override each other. */
#include "loaded.h"

#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 64, TEXT_SIZE = 1024, LONG_SIZE = 70000 };

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

TEST(an_empty_file_gives_the_rulebook_with_four_players)
{
    const struct config *config = load("");
    struct setup rulebook;

    rules_default_setup(&rulebook, 4);
    rulebook.first = 0;
    assert_memory_equal(&config->setup, &rulebook, sizeof rulebook);
    assert_string_equal(config->mqtt.host, "localhost");
    assert_true(config->mqtt.commands);
    assert_int_equal(config->hw.backend, BACKEND_SIM);
    assert_int_equal(config->hw.beam_gap_um, 20000);
}

TEST(comments_blanks_line_ends_and_a_byte_order_mark_are_accepted)
{
    const struct config *config = load("\xEF\xBB\xBF[table] ; first\r\n"
                                       "  name=den # the den\r\n"
                                       "\t; nothing = here\r\n"
                                       "# nor here\r\n"
                                       "[mqtt]#\n"
                                       "host: broker#1 ;x\n"
                                       "port  =  8883");

    assert_string_equal(config->table, "den");
    assert_string_equal(config->mqtt.host, "broker#1");
    assert_int_equal(config->mqtt.port, 8883);
}

TEST(a_line_is_read_whole_or_refused)
{
    enum { HOST_MAX = CONFIG_TEXT_SIZE - 1 };
    char text[2 * INI_LINE_MAX];

    /* inih cuts off lines of about 200 bytes; those around that, and the longest, are whole. */
    for (int length = 180; length <= HOST_MAX; length++) {
        snprintf(text, sizeof text, "[mqtt]\n  host =\t%0*d ; %0*d\n", length, 0, 700, 0);
        assert_int_equal(strlen(load(text)->mqtt.host), length);
        snprintf(text, sizeof text, "[mqtt]\nhost:%0*d\n", length, 0);
        assert_int_equal(strlen(load(text)->mqtt.host), length);
    }
    snprintf(text, sizeof text, "[mqtt]\nhost = a ;%0*d\n", INI_LINE_MAX - 10, 0);
    assert_string_equal(load(text)->mqtt.host, "a");
    snprintf(text, sizeof text, "[mqtt]\nhost = %0*d\nport = 0\n", INI_LINE_MAX - 6, 0);
    assert_problems(text, "t:2: line of 1025 bytes: expected at most 1024\n"
                          "t:3: [mqtt] port = 0: expected a number from 1 to 65535\n");
    snprintf(text, sizeof text, "[mqtt]\n%0300d\n", 0);
    assert_problems(text, "t:2: expected [section], key = value or a comment\n");

    snprintf(text, sizeof text, "; %01500d\n[mqtt]\n", 0);
    assert_problems(text, "");
}

TEST(a_nul_byte_is_refused)
{
    static const char text[] = "[mqtt]\nhost = a\0b\nport = 0\n";

    assert_string_equal(problems_in_bytes(text, sizeof text - 1),
                        "t:2: NUL byte: this is not a text file\n"
                        "t:3: [mqtt] port = 0: expected a number from 1 to 65535\n");
}

TEST(control_characters_and_bad_utf_8_are_printed_as_question_marks)
{
    assert_problems("[game]\nrules = a\x1b[31m\xff\n",
                    "t:2: [game] rules = a?[31m?: expected basic or advanced\n");
}

/*
 * Names
 */

/*
 * Files
 */

TEST(a_later_file_overrides_an_earlier_one)
{
    char base[PATH_SIZE];
    char over[PATH_SIZE];

    write_file(base, "[table]\nname = longer\n[game]\nrules = advanced\nscenario = "
                     "kraken\n[cannon]\nbeam = GPIO4\n"
                     "[button.a]\ncommand = undo\n[mqtt]\nusername = anna\n");
    write_file(over, "[table]\nname = den\n[game]\nscenario = merchant\n[cannon]\nbeam "
                     "=\n[button.a]\nline = GPIO4\n"
                     "[mqtt]\nusername =\n");
    const char *files[] = {base, over};
    const struct config *config = load_files(files, 2);
    assert_memory_equal(config->table, "den\0\0\0", sizeof "longer");
    assert_int_equal(config->setup.variant, VARIANT_ADVANCED);
    assert_int_equal(config->setup.scenario, SCENARIO_MERCHANT);
    assert_false(config->hw.lines[SENSOR_CANNON_BEAM].fitted);
    assert_int_equal(config->hw.button_count, 1);
    assert_string_equal(config->hw.buttons[0].command, "undo");
    assert_string_equal(config->hw.lines[SENSOR_BUTTON].name, "GPIO4");
    assert_string_equal(config->mqtt.username, "");
    unlink(base);
    unlink(over);
}

TEST(the_problems_of_all_files_are_reported)
{
    char one[PATH_SIZE];
    char two[PATH_SIZE];
    char expected[TEXT_SIZE];

    write_file(one, "[game]\nfirst = 3\n[cannon]\nbeam = GPIO4\n");
    write_file(two, "[game]\nrule = basic\n[player.1]\n[player.2]\n[rope]\nbutton = GPIO4\n");
    const char *files[] = {one, "/nowhere/at/all.ini", "/tmp", two};
    snprintf(expected, sizeof expected,
             "/nowhere/at/all.ini: cannot be read: No such file or directory\n"
             "/tmp: cannot be read: Is a directory\n"
             "%s:2: [game] rule: unknown key; did you mean rules?\n"
             "%s:2: [game] first = 3: expected draw or a player from 1 to 2 (G2)\n"
             "%s:6: [rope] button: [cannon] beam already uses this line (%s:4); expected one "
             "sensor per line\n",
             two, one, two, one);
    assert_string_equal(problems_in_files(files, 4), expected);
    unlink(one);
    unlink(two);
}

TEST(a_file_that_is_too_large_is_refused)
{
    static char text[LONG_SIZE];
    char path[PATH_SIZE];
    char expected[PATH_SIZE * 2];

    memset(text, '\n', LONG_SIZE - 1);
    write_file(path, text);
    const char *files[] = {path};
    snprintf(expected, sizeof expected, "%s: is larger than 65536 bytes\n", path);
    assert_string_equal(problems_in_files(files, 1), expected);
    unlink(path);
}

TEST(the_sample_with_each_scenario_gives_the_defaults_and_that_scenario)
{
    struct config defaults;

    config_defaults(&defaults);
    for (enum scenario_id scenario = 1; scenario < SCENARIO_COUNT; scenario++) {
        char overlay[TEXT_SIZE];
        const char *files[] = {CONFIG_FOLDER "/shipahoy.ini", overlay};

        snprintf(overlay, sizeof overlay, CONFIG_FOLDER "/scenarios/%s.ini",
                 rules_scenario_name(scenario));
        defaults.setup.scenario = (uint8_t)scenario;
        assert_memory_equal(load_files(files, 2), &defaults, sizeof defaults);
    }
}
