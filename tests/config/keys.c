/* Every key: a value that it accepts, one that it refuses, its default and its example. */
#include "config/config_internal.h"

#include "loaded.h"

#include <stdlib.h>
#include <string.h>

#define LINE_FITS                                                                                  \
    "a line such as GPIO17 or gpiochip0:17, optionally followed by active-low, pull-up, "          \
    "pull-down or no-bias; or mqtt TOPIC, or node NODE SENSOR"
#define HOSTS_FIT                                                                                  \
    "a host, or several separated by commas, each optionally with its port, such as a.local, "     \
    "b.local:1884"
#define COMMAND_FITS "a command with its fields, such as end-phase or roll-move value=2"
#define FILE_FITS "the path of a readable file"
#define WITH_TLS "[mqtt]\ntls_ca = /dev/null\n"

static const struct {
    const char *section;
    const char *key;
    const char *good;
    const char *bad;
    const char *expected; /* after `expected ` */
    const char *with;     /* other keys that good requires */
} cases[] = {
    {"table", "name", "den-2_b", "den/2", "1 to 63 letters, digits, - or _", ""},
    {"mqtt", "host", "a.local, b.local:1884, ::1, [fe80::1]:1885", "a.local, b.local:0", HOSTS_FIT,
     ""},
    {"mqtt", "port", "8883", "65536", "a number from 1 to 65535", ""},
    {"mqtt", "prefix", "home/games", "home//games",
     "1 to 100 letters, digits, - or _, optionally in parts separated by /", ""},
    {"mqtt", "username", "anna", "an\x01na", "text of up to 255 bytes", ""},
    {"mqtt", "password_file", "/dev/null", "\xff", FILE_FITS, "[mqtt]\nusername = a\n"},
    {"mqtt", "tls_ca", "/dev/null", "\xff", FILE_FITS, ""},
    {"mqtt", "tls_cert", "/dev/null", "\xff", FILE_FITS, WITH_TLS "tls_key = /dev/null\n"},
    {"mqtt", "tls_key", "/dev/null", "\xff", FILE_FITS, WITH_TLS "tls_cert = /dev/null\n"},
    {"mqtt", "client_id", "den", "\xc3", "text of up to 64 bytes", ""},
    {"mqtt", "homeassistant", "yes", "1", "no or yes", ""},
    {"mqtt", "page_url", "http://pi:9001/scoreboard.html", "\xc3", "text of up to 255 bytes", ""},
    {"mqtt", "commands", "no", "Yes", "no or yes; did you mean yes?", ""},
    {"game", "rules", "advanced", "advnced", "basic or advanced; did you mean advanced?", ""},
    {"game", "scenario", "kraken", "heavy_wind",
     "none, treasure-island, pirate-ship, sea-monster, heavy-wind, merchant or kraken; did you "
     "mean heavy-wind?",
     ""},
    {"game", "teams", "yes", "maybe", "no or yes", ""},
    {"game", "dice", "daemon", "deamon", "table or daemon; did you mean daemon?", ""},
    {"game", "first", "2", "5", "draw, 1, 2, 3 or 4", ""},
    {"game", "autostart", "yes", "", "no or yes", ""},
    {"player.1", "name", "Zoë", "\u00a0", "text of 1 to 40 characters, not all invisible",
     "[player.2]\n"},
    {"player.1", "harbours", "green yellow", "green, gren",
     "one or two of red, blue, green and yellow; did you mean green?", "[player.2]\n"},
    {"player.1", "team", "2", "3", "a number from 1 to 2",
     "[game]\nteams = yes\n[player.2]\n[player.3]\nteam = 2\n[player.4]\nteam = 1\n"
     "[player.2]\nteam = 1\n"},
    {"house", "ship_points", "0", "101", "a number from 0 to 100", ""},
    {"house", "tower_points", "100", "-1", "a number from 0 to 100", ""},
    {"house", "pirate_points", "3", "1.5", "a number from 0 to 100", ""},
    {"house", "chest_points", "4", "four", "a number from 0 to 100", ""},
    {"house", "barrel_points", "5", "9999999999", "a number from 0 to 100", ""},
    {"house", "monster_lives", "9", "0", "a number from 1 to 9", ""},
    {"house", "wind_bonus", "0", "10", "a number from 0 to 9", ""},
    {"house", "kraken_knots", "2", "0x2", "a number from 0 to 9", ""},
    {"house", "move_die", "1, 2,3", "1,,2",
     "1 to 12 faces separated by commas, each a number from 1 to 9", ""},
    {"house", "combat_die", "flag,swords", "flag,sword",
     "1 to 12 faces separated by commas, each flag or swords", ""},
    {"house", "barrels", "red:blue,blue:red,green:yellow,yellow:green", "red:red",
     "pairs of colours separated by commas, each colour once on the left, such as "
     "red:blue,blue:red",
     ""},
    {"timing", "shot_window_ms", "60000", "99", "a number from 100 to 60000", ""},
    {"timing", "tilt_settle_ms", "10", "5001", "a number from 10 to 5000", ""},
    {"timing", "beam_min_us", "1", "0", "a number from 1 to 100000", ""},
    {"timing", "button_ms", "1000", "1001", "a number from 1 to 1000", ""},
    {"timing", "stuck_s", "3600", "30 s", "a number from 1 to 3600", ""},
    {"timing", "rope_tolerance", "0.25", "1", "a number from 0 to 0.999", ""},
    {"hw", "backend", "gpiod", "gpio", "gpiod or sim; did you mean gpiod?", ""},
    {"hw", "chip", "pinctrl-rp1", "", "text of 1 to 63 bytes", ""},
    {"hw", "socket", "/tmp/sim", "\x7f", "text of up to 107 bytes", ""},
    {"hw", "record", "/tmp/edges", "\xed\xa0\x80", "text of up to 255 bytes", ""},
    {"cannon", "beam", "GPIO5 active-low pull-up", "GPIO5 pullup",
     LINE_FITS "; did you mean pull-up?", ""},
    {"cannon", "beam2", "gpiochip2:5", ":5", LINE_FITS,
     "[cannon]\nbeam = GPIO6\nbeam_gap_mm = 20\n"},
    {"cannon", "beam_gap_mm", "12.5", "12.5001", "a number from 1 to 1000", ""},
    {"rope", "a", "LABEL:00:5", "chip:x", LINE_FITS, "[rope]\nb = 7\n[hw]\nchip = x\n"},
    {"rope", "b", "8", "gpiochip0:65536", LINE_FITS, "[rope]\na = 7\n[hw]\nchip = x\n"},
    {"rope", "button", "/dev/gpiochip0:3 no-bias", "GPIO1 pull-up pull-down",
     LINE_FITS "; use only one of pull-up, pull-down and no-bias", ""},
    {"rope", "counts_per_knot", "48", "0", "a number from 1 to 100000", ""},
    {"rope", "reverse", "yes", "y", "no or yes; did you mean yes?", ""},
    {"piece.red-1", "tilt", "GPIO2", "GPIO2 activelow", LINE_FITS "; did you mean active-low?", ""},
    {"piece.monster", "beam", "GPIO3 pull-down", "chip:-1", LINE_FITS, ""},
    {"harbour.yellow", "dock", "GPIO4", "chip:", LINE_FITS, ""},
    {"button.ok", "line", "GPIO9", "GPIO9 up", LINE_FITS, "[button.ok]\ncommand = undo\n"},
    {"button.ok", "command", "roll-move value=2", "end-phaze",
     COMMAND_FITS "; did you mean end-phase?", ""},
    {"radio", "late_ms", "0", "10001", "a number from 0 to 10000", ""},
    {"radio", "quiet_s", "3600", "-1", "a number from 0 to 604800", ""},
    {"journal", "keep_games", "0", "10001", "a number from 0 to 10000", ""},
    {"journal", "keep_kib", "16", "15", "a number from 16 to 1048576", ""},
    {"logbook", "database", "sqlite:/srv/games.db", "mysql://club",
     "sqlite: and a path, or postgresql://...", ""},
    {"logbook", "sheets", "/srv/sheets", "\xff", "text of up to 255 bytes", ""},
};

enum { CASE_COUNT = sizeof cases / sizeof cases[0], TEXT_SIZE = 1024 };

static bool is_case_of(unsigned index, const struct config_key *key)
{
    const char *section = config_section(key->section)->name;
    size_t length = strlen(section);

    return strcmp(cases[index].key, key->name) == 0 &&
           strncmp(cases[index].section, section, length) == 0 &&
           (cases[index].section[length] == '\0' || cases[index].section[length] == '.');
}

/* The keys of a card, which come last, are tried in card.c. */
static size_t key_count(void)
{
    size_t count = 0;

    while (count < config_key_count && config_keys[count].section < SECTION_WIFI) {
        count++;
    }
    return count;
}

TEST(every_key_has_one_case)
{
    for (size_t i = 0; i < key_count(); i++) {
        unsigned found = 0;
        for (unsigned j = 0; j < CASE_COUNT; j++) {
            found += is_case_of(j, &config_keys[i]);
        }
        if (found != 1) {
            fail_msg("%u cases for key %s", found, config_keys[i].name);
        }
    }
    assert_int_equal(CASE_COUNT, key_count());
}

TEST(a_good_value_changes_its_key)
{
    for (unsigned i = 0; i < CASE_COUNT; i++) {
        char text[TEXT_SIZE];
        char change[TEXT_SIZE];
        unsigned effects;
        struct config config;

        snprintf(text, sizeof text, "%s[%s]\n%s = %s\n", cases[i].with, cases[i].section,
                 cases[i].key, cases[i].good);
        snprintf(change, sizeof change, "[%s] %s: ", cases[i].section, cases[i].key);
        config_defaults(&config);
        const char *changes = update(&config, load(text), &effects);
        if (!strstr(changes, change)) {
            fail_msg("%s is not among the changes:\n%s", change, changes);
        }
    }
}

TEST(a_bad_value_is_refused_with_the_accepted_values)
{
    for (unsigned i = 0; i < CASE_COUNT; i++) {
        char text[TEXT_SIZE];
        char beginning[TEXT_SIZE];
        char ending[TEXT_SIZE];
        char problem[TEXT_SIZE];

        snprintf(text, sizeof text, "[%s]\n%s = %s\n", cases[i].section, cases[i].key,
                 cases[i].bad);
        snprintf(beginning, sizeof beginning, "t:2: [%s] %s = ", cases[i].section, cases[i].key);
        snprintf(ending, sizeof ending, ": expected %s", cases[i].expected);
        const char *problems = problems_in(text);
        snprintf(problem, sizeof problem, "%.*s", (int)strcspn(problems, "\n"), problems);
        assert_memory_equal(problem, beginning, strlen(beginning));
        assert_true(strlen(problem) > strlen(ending));
        assert_string_equal(problem + strlen(problem) - strlen(ending), ending);
    }
}

TEST(a_default_written_in_a_file_changes_nothing)
{
    struct config defaults;

    config_defaults(&defaults);
    for (size_t i = 0; i < key_count(); i++) {
        const struct config_key *key = &config_keys[i];
        const struct config_section *section = config_section(key->section);
        char text[TEXT_SIZE];
        unsigned effects;

        if (!section->example) {
            snprintf(text, sizeof text, "[%s]\n%s = %s\n", section->name, key->name,
                     key->default_value);
            assert_string_equal(update(&defaults, load(text), &effects), "");
            assert_int_equal(effects, CONFIG_SAME);
        }
    }
}

TEST(an_example_is_accepted)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        char hint_text[TEXT_SIZE];
        struct text hint = text_begin(hint_text, sizeof hint_text);
        struct config config;

        assert_true(!*key->default_value == (key->example != NULL));
        if (key->example) {
            assert_true(
                config_read_value(key, key->example, config_member(&config, key, 0), &hint));
        }
    }
}
