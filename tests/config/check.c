/* Checks across several keys, values that depend on them, and what a change means. */
#include "loaded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SET(harbour) (1U << HARBOUR_##harbour)

/*
 * Players
 */

TEST(G1_every_section_is_a_player)
{
    const struct seat *seats = load("[player.1]\nname = Anna\n[player.2]\n")->setup.seats;

    assert_string_equal(seats[1].name, "Anna");
    assert_string_equal(seats[2].name, "Player 2");
    assert_int_equal(seats[1].harbours, SET(RED) | SET(BLUE));
    assert_int_equal(seats[2].harbours, SET(GREEN) | SET(YELLOW));
    assert_string_equal(seats[3].name, "");
    assert_int_equal(seats[3].harbours, 0);
}

TEST(G1_wrong_players_and_harbours_are_reported)
{
    assert_problems("[player.1]\n", "t:1: [player.1]: expected 2 to 4 players (G1)\n");
    assert_problems("[player.1]\n[player.2]\nharbours = red\n[player.3]\n", "");
    assert_problems("[player.1]\n[player.4]\n",
                    "t:2: [player.4]: there is no [player.2]; expected players without a gap\n"
                    "t:2: [player.4]: there is no [player.3]; expected players without a gap\n");
    assert_problems("[player.1]\n[player.2]\nharbours = blue\n",
                    "t:3: [player.2] harbours: expected two harbours for each of 2 players (G1)\n");
    assert_problems("[player.1]\nharbours = red, blue\n[player.2]\n[player.3]\n",
                    "t:2: [player.1] harbours: expected one harbour for each of 3 players (G1)\n");
    assert_problems("[player.1]\n[player.3]\nharbours = blue\n[player.2]\nharbours = blue\n",
                    "t:3: [player.3] harbours: another player has this harbour; expected each "
                    "harbour once (G1)\n");
}

TEST(a_misspelled_harbour_is_one_problem)
{
    assert_problems("[player.1]\nharbours = blue\n[player.2]\nharbours = gren\n[player.3]\n",
                    "t:4: [player.2] harbours = gren: expected one or two of red, blue, green and "
                    "yellow; did you mean green?\n");
}

TEST(T1_a_team_is_kept_without_team_play_and_completed_with_it)
{
#define PLAYERS "[player.1]\n[player.2]\nteam = 1\n[player.3]\n[player.4]\n"
    const struct seat *seats = load(PLAYERS)->setup.seats;

    assert_int_equal(seats[1].team, 0);
    assert_int_equal(seats[2].team, 1);
    seats = load("[game]\nteams = yes\n" PLAYERS)->setup.seats;
    assert_int_equal(seats[1].team, 2);
    assert_int_equal(seats[4].team, 1);
#undef PLAYERS
}

TEST(every_broken_rule_is_reported)
{
    assert_problems("[game]\nteams = yes\nfirst = 4\n"
                    "[player.1]\nharbours = red\n[player.2]\nharbours = red\n[player.3]\n",
                    "t:7: [player.2] harbours: another player has this harbour; expected each "
                    "harbour once (G1)\n"
                    "t:3: [game] first = 4: expected draw or a player from 1 to 3 (G2)\n"
                    "t:2: [game] teams = yes: expected 4 players, found 3 (T1)\n");
    assert_problems("[game]\nteams = yes\n[player.1]\nteam = 1\n[player.2]\nteam = 1\n"
                    "[player.3]\nteam = 1\n[player.4]\n",
                    "t:2: [game] teams = yes: expected two players with team = 1 and two with "
                    "team = 2 (T1)\n");
    assert_problems("[house]\nbarrels = red:blue,blue:red\n",
                    "t:2: [house] barrels: expected a pair for every harbour in play, each to "
                    "another harbour in play (ME1)\n");
}

TEST(ME1_barrels_of_three_players_are_accepted)
{
    const struct config *config = load("[house]\nbarrels = red:blue, blue:green, green:red\n"
                                       "[player.1]\n[player.2]\n[player.3]\n");

    assert_int_equal(config->setup.barrels[HARBOUR_BLUE], HARBOUR_GREEN);
}

TEST(M1_a_die_has_as_many_faces_as_are_written)
{
    const struct house *house =
        &load("[house]\nmove_die = 1,2,9\ncombat_die = flag\n")->setup.house;

    assert_int_equal(house->move_faces, 3);
    assert_int_equal(house->move_die[2], 9);
    assert_int_equal(house->combat_faces, 1);
    assert_int_equal(house->combat_die[0], FACE_FLAG);
}

TEST(the_topic_of_the_logbook_is_refused)
{
    assert_problems("[table]\nname = logbook\n",
                    "t:2: [table] name = logbook: the topic is reserved for shipahoy-logbook; "
                    "expected another name\n");
    assert_problems("[table]\nname = logbooks\n", "");
}

TEST(a_list_of_brokers_is_hosts_with_or_without_ports)
{
    static const char *const good[] = {"::1", "[::1]", "10.0.0.1:1", "a,b", "a , b:65535"};
    static const char *const bad[] = {":1883", "a:", "a:0", "a:65536", "a,,b", "a, ,b", "[::1]2"};
    char text[64];

    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "[mqtt]\nhost = %s\n", good[i]);
        assert_string_equal(load(text)->mqtt.host, good[i]);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char problem[256];
        snprintf(text, sizeof text, "[mqtt]\nhost = %s\n", bad[i]);
        snprintf(problem, sizeof problem,
                 "t:2: [mqtt] host = %s: expected a host, or several separated by commas, each "
                 "optionally with its port, such as a.local, b.local:1884\n",
                 bad[i]);
        assert_problems(text, problem);
    }
}

/*
 * Sensors
 */

TEST(a_line_is_a_name_or_a_number_on_a_chip_path_or_label)
{
    const struct line_config *lines = load("[piece.red-1]\ntilt = GPIO17 pull-up active-low\n"
                                           "[piece.red-2]\ntilt = /dev/gpiochip2:5 pull-down\n"
                                           "[piece.red-3]\ntilt = INT34C5:00:6 no-bias\n"
                                           "[harbour.red]\ndock = 7\n"
                                           "[hw]\nchip = gpiochip0\n")
                                          ->hw.lines;

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

TEST(two_sensors_on_one_line_are_reported_at_the_later_one)
{
    assert_problems("[hw]\nchip = gpiochip0\n[piece.blue-2]\ntilt = 4 pull-up\n"
                    "[rope]\nbutton = /dev/gpiochip0:4\n",
                    "t:6: [rope] button: [piece.blue-2] tilt already uses this line (t:4); "
                    "expected one sensor per line\n");
}

TEST(a_number_requires_a_default_chip)
{
    assert_problems("[cannon]\nbeam = 5\n",
                    "t:2: [cannon] beam = 5: a number without a chip requires [hw] chip; "
                    "expected gpiochip0:5\n");
}

TEST(a_key_that_requires_another_is_reported)
{
    assert_problems("[mqtt]\npassword_file = /dev/null\ntls_key = /dev/null\n"
                    "[cannon]\nbeam2 = GPIO1\n[rope]\na = GPIO2\n",
                    "t:2: [mqtt] password_file: requires username\n"
                    "t:3: [mqtt] tls_key: requires tls_cert\n"
                    "t:5: [cannon] beam2: requires beam\n"
                    "t:5: [cannon] beam2: requires beam_gap_mm\n"
                    "t:7: [rope] a: requires b\n");
    assert_problems("[mqtt]\ntls_cert = /dev/null\n", "t:2: [mqtt] tls_cert: requires tls_ca\n"
                                                      "t:2: [mqtt] tls_cert: requires tls_key\n");
}

TEST(numbers_of_sensors_that_are_not_wired_are_refused)
{
#define NUMBERS "[rope]\ncounts_per_knot = 48\nreverse = yes\n[cannon]\nbeam_gap_mm = 3\n"
    assert_problems(NUMBERS, "");
    assert_problems("[hw]\nbackend = gpiod\n" NUMBERS, "t:7: [cannon] beam_gap_mm: requires beam2\n"
                                                       "t:4: [rope] counts_per_knot: requires a\n"
                                                       "t:5: [rope] reverse: requires a\n");
#undef NUMBERS
}

TEST(a_named_file_must_be_readable)
{
    assert_problems("[mqtt]\ntls_ca = /nowhere/ca.crt\n",
                    "t:2: [mqtt] tls_ca = /nowhere/ca.crt: cannot be read: No such file or "
                    "directory\n");
}

TEST(a_button_requires_a_command_and_a_line)
{
    assert_problems("[button.go]\nline = GPIO1\n", "t:1: [button.go]: requires command\n");
    assert_problems("[button.go]\ncommand = undo\n", "");
    assert_problems("[hw]\nbackend = gpiod\n[button.go]\ncommand = undo\n",
                    "t:3: [button.go]: requires line\n");
}

TEST(a_button_can_only_send_complete_commands)
{
#define EXPECTED "expected a command with its fields, such as end-phase or roll-move value=2"
    assert_problems("[button.a]\ncommand = aim\n[button.b]\ncommand = move piece=red-9\n"
                    "[button.c]\ncommand = history\n[button.d]\ncommand = window-over\n",
                    "t:2: [button.a] command = aim: " EXPECTED "; usage: aim piece=...\n"
                    "t:4: [button.b] command = move piece=red-9: " EXPECTED
                    "; usage: move [piece=...] [knots=...]\n"
                    "t:6: [button.c] command = history: " EXPECTED "\n"
                    "t:8: [button.d] command = window-over: " EXPECTED "\n");
#undef EXPECTED
}

TEST(there_are_at_most_16_buttons)
{
    char text[2048] = "";

    for (unsigned i = 0; i <= BUTTONS_MAX; i++) {
        char section[64];
        snprintf(section, sizeof section, "[button.b%u]\ncommand = undo\n", i);
        strcat(text, section);
    }
    assert_problems(text, "t:33: [button.b16]: unknown section; expected at most 16 buttons\n");
}

/*
 * Changes
 */

TEST(a_change_is_reported_and_taken_over_unless_it_requires_a_restart)
{
    struct config config = *load("[mqtt]\ncommands = yes\n[button.a]\ncommand = undo\n"
                                 "[button.b]\ncommand = undo\n");
    unsigned effects;

    const struct config next =
        *load("[mqtt]\ncommands = no\n[button.a]\ncommand = end-phase\nline = GPIO1\n"
              "[button.c]\ncommand = fire\n"
              "[game]\nrules = advanced\n[player.1]\nname = Anna\n[player.2]\n[player.3]\n"
              "[house]\nmove_die = 1,2,3\n[timing]\nstuck_s = 20\n[table]\nname = den\n");
    assert_string_equal(update(&config, &next, &effects), "[table] name: restart\n"
                                                          "[mqtt] commands: live\n"
                                                          "[game] rules: next game\n"
                                                          "[player.1] name: next game\n"
                                                          "[player.4] name: next game\n"
                                                          "[player.4] harbours: next game\n"
                                                          "[house] move_die: next game\n"
                                                          "[timing] stuck_s: live\n"
                                                          "[button.a] line: restart\n"
                                                          "[button.c] line: restart\n"
                                                          "[button.a] command: live\n"
                                                          "[button.c] command: live\n");
    assert_int_equal(effects, CONFIG_LIVE | CONFIG_NEXT_GAME | CONFIG_RESTART);

    assert_string_equal(config.table, "table");
    assert_false(config.mqtt.commands);
    assert_int_equal(config.timing.stuck_s, 20);
    assert_memory_equal(&config.setup, &next.setup, sizeof config.setup);
    assert_false(config.hw.lines[SENSOR_BUTTON].fitted);
    assert_string_equal(config.hw.buttons[0].command, "end-phase");
    assert_string_equal(config.hw.buttons[1].name, "b");
    assert_string_equal(config.hw.buttons[1].command, "undo");
}

TEST(a_button_that_is_added_or_removed_requires_a_restart)
{
    static const char expected[] = "[button.a] line: restart\n[button.a] command: live\n";
    struct config with = *load("[button.a]\ncommand = undo\n");
    struct config without = *load("");
    unsigned effects;

    assert_string_equal(update(&without, &with, &effects), expected);
    assert_int_equal(without.hw.button_count, 0);
    assert_string_equal(update(&with, &without, &effects), expected);
    assert_int_equal(with.hw.button_count, 1);
}

/*
 * The socket of the simulation
 */

TEST(the_socket_is_in_the_runtime_directory_unless_configured)
{
    struct config config;
    char path[64];

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
