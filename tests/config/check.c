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
