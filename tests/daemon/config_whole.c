/* What follows from a configuration, what does not fit together, and what a change means. */
#include "config/config.h"

#include "heard.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define SET(harbour) (1U << HARBOUR_##harbour)

/*
 * Players
 */

static void G1_as_many_play_as_have_a_section(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[player.1]\nname = Anna\n[player.2]\n");
    assert_int_equal(heard.config.setup.players, 2);
    assert_string_equal(heard.config.setup.seats[1].name, "Anna");
    assert_string_equal(heard.config.setup.seats[2].name, "Player 2");
    assert_int_equal(heard.config.setup.seats[1].harbours, SET(RED) | SET(BLUE));
    assert_int_equal(heard.config.setup.seats[2].harbours, SET(GREEN) | SET(YELLOW));
    assert_string_equal(heard.config.setup.seats[3].name, "");
    assert_int_equal(heard.config.setup.seats[3].harbours, 0);
}

static void G1_who_asks_for_no_harbour_gets_a_free_one(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[player.1]\n[player.2]\nharbours = red\n[player.3]\n");
    assert_string_equal(heard.problems, "");
    assert_int_equal(heard.config.setup.seats[1].harbours, SET(BLUE));
    assert_int_equal(heard.config.setup.seats[2].harbours, SET(RED));
    assert_int_equal(heard.config.setup.seats[3].harbours, SET(GREEN));
}

static void G1_players_and_harbours_must_fit(void **state)
{
    (void)state;
    assert_problems("[player.1]\n", "t:1: [player.1]: expected 2 to 4 players (G1)\n");
    assert_problems("[player.1]\n[player.4]\n",
                    "t:2: [player.4]: there is no [player.2]; expected players without a gap\n"
                    "t:2: [player.4]: there is no [player.3]; expected players without a gap\n");
    assert_problems("[player.1]\n[player.2]\nharbours = blue\n",
                    "t:3: [player.2] harbours: expected two harbours for each of 2 players (G1)\n");
    assert_problems("[player.1]\nharbours = red, blue\n[player.2]\n[player.3]\n",
                    "t:2: [player.1] harbours: expected one harbour for each of 3 players (G1)\n");
    assert_problems("[player.1]\n[player.3]\nharbours = blue\n[player.2]\nharbours = blue\n",
                    "t:3: [player.3] harbours: another player has this harbour; expected each once "
                    "(G1)\n");
}

static void a_harbour_that_is_misspelled_is_one_problem(void **state)
{
    (void)state;
    assert_problems("[player.1]\nharbours = blue\n[player.2]\nharbours = gren\n[player.3]\n",
                    "t:4: [player.2] harbours = gren: expected one or two of red, blue, green and "
                    "yellow; did you mean green?\n");
}

static void T1_opposite_players_are_a_team_unless_told_otherwise(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[game]\nteams = yes\n");
    assert_int_equal(heard.config.setup.seats[1].team, 1);
    assert_int_equal(heard.config.setup.seats[2].team, 2);
    assert_int_equal(heard.config.setup.seats[3].team, 1);
    assert_int_equal(heard.config.setup.seats[4].team, 2);

    hear(&heard, "[game]\nteams = yes\n[player.1]\n[player.2]\nteam = 1\n[player.3]\n[player.4]\n");
    assert_string_equal(heard.problems, "");
    assert_int_equal(heard.config.setup.seats[1].team, 2);
    assert_int_equal(heard.config.setup.seats[4].team, 1);
}

static void T1_without_team_play_a_choice_of_teams_is_kept_for_later(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[player.1]\nteam = 2\n[player.2]\n");
    assert_string_equal(heard.problems, "");
    assert_int_equal(heard.config.setup.seats[1].team, 2);
    assert_false(heard.config.setup.teams);
}

static void the_topic_of_the_logbook_is_no_table(void **state)
{
    (void)state;
    assert_problems("[table]\nname = logbook\n",
                    "t:2: [table] name = logbook: this topic belongs to shipahoy-logbook; expected "
                    "another name\n");
    assert_problems("[table]\nname = logbooks\n", "");
}

static void T1_teams_must_be_two_of_two(void **state)
{
    (void)state;
    assert_problems("[game]\nteams = yes\n[player.1]\n[player.2]\n[player.3]\n",
                    "t:2: [game] teams = yes: expected 4 players, here are 3 (T1)\n");
    assert_problems("[game]\nteams = yes\n[player.1]\nteam = 1\n[player.2]\nteam = 1\n"
                    "[player.3]\nteam = 1\n[player.4]\n",
                    "t:2: [game] teams = yes: expected two players with team = 1 and two with "
                    "team = 2 (T1)\n");
}

static void every_rule_that_is_broken_is_told_at_once(void **state)
{
    (void)state;
    assert_problems("[game]\nteams = yes\nfirst = 4\n"
                    "[player.1]\nharbours = red\n[player.2]\nharbours = red\n[player.3]\n",
                    "t:7: [player.2] harbours: another player has this harbour; expected each once "
                    "(G1)\n"
                    "t:3: [game] first = 4: expected draw or a player from 1 to 3 (G2)\n"
                    "t:2: [game] teams = yes: expected 4 players, here are 3 (T1)\n");
}

static void ME1_barrels_must_suit_the_harbours_in_play(void **state)
{
    struct heard heard;

    (void)state;
    assert_problems("[house]\nbarrels = red:blue,blue:red\n",
                    "t:2: [house] barrels: expected a pair for every harbour in play, to another "
                    "one in play (ME1)\n");
    hear(&heard, "[house]\nbarrels = red:blue, blue:green, green:red\n"
                 "[player.1]\n[player.2]\n[player.3]\n");
    assert_string_equal(heard.problems, "");
    assert_int_equal(heard.config.setup.barrels[HARBOUR_BLUE], HARBOUR_GREEN);
}

static void M1_a_die_has_as_many_faces_as_are_written(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[house]\nmove_die = 1,2,9\ncombat_die = flag\n");
    assert_int_equal(heard.config.setup.house.move_faces, 3);
    assert_int_equal(heard.config.setup.house.move_die[2], 9);
    assert_int_equal(heard.config.setup.house.combat_faces, 1);
    assert_int_equal(heard.config.setup.house.combat_die[0], FACE_FLAG);
}

/*
 * Sensors
 */

static void a_line_is_found_by_name_chip_path_or_label(void **state)
{
    struct heard heard;

    (void)state;
    hear(&heard, "[piece.red-1]\ntilt = GPIO17 pull-up active-low\n"
                 "[piece.red-2]\ntilt = /dev/gpiochip2:5 pull-down\n"
                 "[piece.red-3]\ntilt = INT34C5:00:6 no-bias\n"
                 "[harbour.red]\ndock = 7\n"
                 "[hw]\nchip = gpiochip0\n");
    assert_string_equal(heard.problems, "");
    const struct line_config *lines = heard.config.hw.lines;
    assert_string_equal(lines[SENSOR_TILT + PIECE_RED_1].name, "GPIO17");
    assert_string_equal(lines[SENSOR_TILT + PIECE_RED_1].chip, "");
    assert_true(lines[SENSOR_TILT + PIECE_RED_1].active_low);
    assert_int_equal(lines[SENSOR_TILT + PIECE_RED_1].bias, BIAS_PULL_UP);
    assert_string_equal(lines[SENSOR_TILT + PIECE_RED_2].chip, "/dev/gpiochip2");
    assert_int_equal(lines[SENSOR_TILT + PIECE_RED_2].offset, 5);
    assert_int_equal(lines[SENSOR_TILT + PIECE_RED_2].bias, BIAS_PULL_DOWN);
    assert_string_equal(lines[SENSOR_TILT + PIECE_RED_3].chip, "INT34C5:00");
    assert_int_equal(lines[SENSOR_TILT + PIECE_RED_3].bias, BIAS_NONE);
    assert_int_equal(lines[SENSOR_DOCK + HARBOUR_RED].offset, 7);
    assert_true(lines[SENSOR_DOCK + HARBOUR_RED].fitted);
}

static void two_sensors_on_one_line_are_told_at_the_later_one(void **state)
{
    (void)state;
    assert_problems("[piece.blue-2]\ntilt = gpiochip0:4 pull-up\n[rope]\nbutton = gpiochip0:4\n",
                    "t:4: [rope] button: [piece.blue-2] tilt is on this line already (t:2); "
                    "expected one sensor a line\n");
    assert_problems("[hw]\nchip = gpiochip0\n[piece.blue-2]\ntilt = 4\n"
                    "[rope]\nbutton = /dev/gpiochip0:4\n",
                    "t:6: [rope] button: [piece.blue-2] tilt is on this line already (t:4); "
                    "expected one sensor a line\n");
}

static void a_bare_number_needs_a_default_chip(void **state)
{
    (void)state;
    assert_problems(
        "[cannon]\nbeam = 5\n",
        "t:2: [cannon] beam = 5: a number alone needs [hw] chip; expected gpiochip0:5\n");
}

static void keys_that_need_another_say_which(void **state)
{
    (void)state;
    assert_problems("[mqtt]\npassword_file = /dev/null\ntls_key = /dev/null\n"
                    "[cannon]\nbeam2 = GPIO1\n[rope]\na = GPIO2\n",
                    "t:2: [mqtt] password_file: needs username, which is missing\n"
                    "t:3: [mqtt] tls_key: needs tls_cert, which is missing\n"
                    "t:5: [cannon] beam2: needs beam, which is missing\n"
                    "t:5: [cannon] beam2: needs beam_gap_mm, which is missing\n"
                    "t:7: [rope] a: needs b, which is missing\n");
    assert_problems("[mqtt]\ntls_cert = /dev/null\n",
                    "t:2: [mqtt] tls_cert: needs tls_ca, which is missing\n"
                    "t:2: [mqtt] tls_cert: needs tls_key, which is missing\n");
}

static void a_rope_that_is_not_wired_has_no_numbers(void **state)
{
    (void)state;
    assert_problems("[rope]\ncounts_per_knot = 48\nreverse = yes\n[cannon]\nbeam_gap_mm = 3\n", "");
    assert_problems("[hw]\nbackend = gpiod\n"
                    "[rope]\ncounts_per_knot = 48\nreverse = yes\n[cannon]\nbeam_gap_mm = 3\n",
                    "t:7: [cannon] beam_gap_mm: needs beam2, which is missing\n"
                    "t:4: [rope] counts_per_knot: needs a, which is missing\n"
                    "t:5: [rope] reverse: needs a, which is missing\n");
}

static void a_file_that_cannot_be_read_is_told(void **state)
{
    (void)state;
    assert_problems("[mqtt]\ntls_ca = /nowhere/ca.crt\n",
                    "t:2: [mqtt] tls_ca = /nowhere/ca.crt: cannot be read: No such file or "
                    "directory\n");
}

static void a_button_needs_a_command_and_a_line(void **state)
{
    (void)state;
    assert_problems("[button.go]\nline = GPIO1\n", "t:1: [button.go]: needs a command\n");
    assert_problems("[button.go]\ncommand = undo\n", "");
    assert_problems("[hw]\nbackend = gpiod\n[button.go]\ncommand = undo\n",
                    "t:3: [button.go]: needs a line\n");
}

static void a_button_can_only_do_what_a_person_may_say(void **state)
{
    (void)state;
#define FITS "expected a command with its fields, such as end-phase or roll-move value=2"
    assert_problems("[button.a]\ncommand = aim\n[button.b]\ncommand = move piece=red-9\n"
                    "[button.c]\ncommand = history\n[button.d]\ncommand = window-over\n",
                    "t:2: [button.a] command = aim: " FITS "; it is written aim piece=...\n"
                    "t:4: [button.b] command = move piece=red-9: " FITS
                    "; it is written move [piece=...] [knots=...]\n"
                    "t:6: [button.c] command = history: " FITS "\n"
                    "t:8: [button.d] command = window-over: " FITS "\n");
#undef FITS
}

static void there_are_sixteen_buttons_at_most(void **state)
{
    char text[2048] = "";

    (void)state;
    for (unsigned i = 0; i <= BUTTONS_MAX; i++) {
        char section[64];
        snprintf(section, sizeof section, "[button.b%u]\ncommand = undo\n", i);
        strcat(text, section);
    }
    assert_problems(text, "t:33: [button.b16]: unknown section; there are as many buttons as can "
                          "be\n");
}

/*
 * Changes
 */

static void a_change_is_told_with_the_time_it_takes_effect(void **state)
{
    struct heard old;
    struct heard new;
    unsigned effects;
    char changes[HEARD_SIZE];

    (void)state;
    hear(&old, "[mqtt]\ncommands = yes\n[button.a]\ncommand = undo\n");
    hear(&new, "[mqtt]\ncommands = no\n[button.a]\ncommand = end-phase\n"
               "[game]\nrules = advanced\n[player.1]\nname = Anna\n[player.2]\n[player.3]\n"
               "[timing]\nshot_window_ms = 2000\n[table]\nname = den\n");
    assert_string_equal(changes_between(&old.config, &new.config, &effects, changes),
                        "[table] name: restart\n"
                        "[mqtt] commands: live\n"
                        "[game] rules: next game\n"
                        "[player.1] name: next game\n"
                        "[player.4] name: next game\n"
                        "[player.4] harbours: next game\n"
                        "[timing] shot_window_ms: next game\n"
                        "[button.a] command: live\n");
    assert_int_equal(effects, CONFIG_LIVE | CONFIG_NEXT_GAME | CONFIG_RESTART);
}

static void a_button_that_comes_or_goes_needs_a_restart(void **state)
{
    struct heard with;
    struct heard without;
    unsigned effects;
    char changes[HEARD_SIZE];

    (void)state;
    hear(&with, "[button.a]\ncommand = undo\n");
    hear(&without, "");
    assert_string_equal(changes_between(&without.config, &with.config, &effects, changes),
                        "[button.a] line: restart\n[button.a] command: live\n");
    assert_string_equal(changes_between(&with.config, &without.config, &effects, changes),
                        "[button.a] line: restart\n[button.a] command: live\n");
}

static void the_same_configuration_has_no_changes(void **state)
{
    static const char text[] = "[player.1]\nname = A\n[player.2]\n[cannon]\nbeam = GPIO1\n";
    struct heard one;
    struct heard other;
    unsigned effects;
    char changes[HEARD_SIZE];

    (void)state;
    hear(&one, text);
    hear(&other, text);
    assert_string_equal(changes_between(&one.config, &other.config, &effects, changes), "");
    assert_int_equal(effects, CONFIG_SAME);
}

/*
 * The socket of the simulation
 */

static void the_socket_is_in_the_runtime_directory_unless_configured(void **state)
{
    struct config config;
    char path[64];

    (void)state;
    config_defaults(&config);
    unsetenv("RUNTIME_DIRECTORY");
    assert_int_equal(config_socket(&config, path, sizeof path), 0);
    assert_string_equal(path, "/run/shipahoy/sim.sock");
    setenv("RUNTIME_DIRECTORY", "/run/one:/run/two", 1);
    assert_int_equal(config_socket(&config, path, sizeof path), 0);
    assert_string_equal(path, "/run/one/sim.sock");
    memcpy(config.hw.socket, "/tmp/x", sizeof "/tmp/x");
    assert_int_equal(config_socket(&config, path, sizeof path), 0);
    assert_string_equal(path, "/tmp/x");
    assert_int_equal(config_socket(&config, path, 6), -ENAMETOOLONG);
    unsetenv("RUNTIME_DIRECTORY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(G1_as_many_play_as_have_a_section),
        cmocka_unit_test(G1_who_asks_for_no_harbour_gets_a_free_one),
        cmocka_unit_test(G1_players_and_harbours_must_fit),
        cmocka_unit_test(a_harbour_that_is_misspelled_is_one_problem),
        cmocka_unit_test(T1_opposite_players_are_a_team_unless_told_otherwise),
        cmocka_unit_test(T1_without_team_play_a_choice_of_teams_is_kept_for_later),
        cmocka_unit_test(the_topic_of_the_logbook_is_no_table),
        cmocka_unit_test(T1_teams_must_be_two_of_two),
        cmocka_unit_test(every_rule_that_is_broken_is_told_at_once),
        cmocka_unit_test(ME1_barrels_must_suit_the_harbours_in_play),
        cmocka_unit_test(M1_a_die_has_as_many_faces_as_are_written),
        cmocka_unit_test(a_line_is_found_by_name_chip_path_or_label),
        cmocka_unit_test(two_sensors_on_one_line_are_told_at_the_later_one),
        cmocka_unit_test(a_bare_number_needs_a_default_chip),
        cmocka_unit_test(keys_that_need_another_say_which),
        cmocka_unit_test(a_rope_that_is_not_wired_has_no_numbers),
        cmocka_unit_test(a_file_that_cannot_be_read_is_told),
        cmocka_unit_test(a_button_needs_a_command_and_a_line),
        cmocka_unit_test(a_button_can_only_do_what_a_person_may_say),
        cmocka_unit_test(there_are_sixteen_buttons_at_most),
        cmocka_unit_test(a_change_is_told_with_the_time_it_takes_effect),
        cmocka_unit_test(a_button_that_comes_or_goes_needs_a_restart),
        cmocka_unit_test(the_same_configuration_has_no_changes),
        cmocka_unit_test(the_socket_is_in_the_runtime_directory_unless_configured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
