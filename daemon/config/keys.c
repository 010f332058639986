/* The table of sections and keys. A new key is a new row here, and nothing else. */
#include "config_internal.h"

#include <string.h>

static const char *player_name(unsigned instance)
{
    static const char *const names[PLAYER_COUNT] = {"", "1", "2", "3", "4"};

    return names[instance];
}

static const char *piece_name(unsigned instance)
{
    return rules_piece_name((enum piece)instance);
}

static const char *harbour_name(unsigned instance)
{
    return rules_harbour_name((enum harbour)instance);
}

static const struct config_section sections[SECTION_COUNT] = {
    [SECTION_TABLE] = {.name = "table", .help = "The table."},
    [SECTION_MQTT] = {.name = "mqtt", .help = "The MQTT broker."},
    [SECTION_GAME] = {.name = "game",
                      .help = "The settings of a new game; a new-game command can override them."},
    [SECTION_PLAYER] = {.name = "player",
                        .example = "1",
                        .first = 1,
                        .last = PLAYERS_MAX,
                        .instance_name = player_name,
                        .help = "One player per section, clockwise from player 1: 2 to 4 players, "
                                "numbered without a gap. Without any section, four play."},
    [SECTION_HOUSE] = {.name = "house",
                       .help =
                           "House rules: numbers that players may want to change. The defaults are "
                           "those of the rulebook."},
    [SECTION_TIMING] = {.name = "timing", .help = "Time limits and tolerances of the sensors."},
    [SECTION_HW] = {.name = "hw", .help = "How the sensors are connected."},
    [SECTION_CANNON] = {.name = "cannon", .help = "The light beams at the muzzle of the cannon."},
    [SECTION_ROPE] = {.name = "rope", .help = "The rotary encoder that measures the rope."},
    [SECTION_PIECE] = {.name = "piece",
                       .example = "red-1",
                       .first = PIECE_RED_1,
                       .last = PIECE_MONSTER,
                       .instance_name = piece_name,
                       .help = "The sensors of a piece that can topple: `red-1` to `red-3`, "
                               "`red-tower`, the same in blue, green and yellow, `pirate` and "
                               "`monster`."},
    [SECTION_HARBOUR] = {.name = "harbour",
                         .example = "red",
                         .first = HARBOUR_RED,
                         .last = HARBOUR_YELLOW,
                         .instance_name = harbour_name,
                         .help = "The sensor of a harbour: `red`, `blue`, `green` or `yellow`."},
    [SECTION_BUTTON] = {.name = "button",
                        .example = "done",
                        .last = BUTTONS_MAX - 1,
                        .help =
                            "A push button on the table. Its name is up to 24 letters, digits, `-` "
                            "and `_`. At most 16 buttons."},
    [SECTION_RADIO] = {.name = "radio", .help = "Sensors that report over MQTT."},
    [SECTION_JOURNAL] = {.name = "journal", .help = "How many finished games the daemon keeps."},
    [SECTION_LOGBOOK] = {.name = "logbook",
                         .help =
                             "`shipahoy-logbook`, which keeps the games of all tables; the daemon "
                             "ignores it. The logbook reads `[mqtt]`, too."},
    [SECTION_WIFI] = {.name = "wifi",
                      .help = "The Wi-Fi network. Without it, plug in a network cable."},
    [SECTION_REFEREE] = {.name = "referee",
                         .help = "The first user. A referee may also undo and abandon games."},
    [SECTION_TV] = {.name = "tv", .help = "The screen at the HDMI port."},
    [SECTION_COMPUTER] = {.name = "computer", .help = "The computer itself."},
};

#define SIZE_OF(member) sizeof(((struct config *)0)->member)

/* Where a value is stored: offset, size, and distance to the next instance. */
#define ONE(member) offsetof(struct config, member), SIZE_OF(member), 0
#define EACH_OF(first, next)                                                                       \
    offsetof(struct config, first), SIZE_OF(first),                                                \
        offsetof(struct config, next) - offsetof(struct config, first)
#define EACH_SEAT(member) EACH_OF(setup.seats[0].member, setup.seats[1].member)
#define EACH_BUTTON(member) EACH_OF(hw.buttons[0].member, hw.buttons[1].member)
#define EACH_LINE(sensor) EACH_OF(hw.lines[sensor], hw.lines[(sensor) + 1])

#define LONG 0, CONFIG_TEXT_SIZE - 1
#define POINTS 0, HOUSE_POINTS_MAX
#define ANY 0, 0
#define A_LINE "GPIO17 pull-up active-low"

/* section, type, key, min, max, member, default, example, takes effect, help */
const struct config_key config_keys[] = {
    {SECTION_TABLE, TYPE_SEGMENT, "name", 1, CONFIG_LINE_SIZE - 1, ONE(table), "table", NULL,
     CONFIG_RESTART, "Name of this table; the second part of its topics. `logbook` is reserved."},

    {SECTION_MQTT, TYPE_HOSTS, "host", LONG, ONE(mqtt.host), "localhost", NULL, CONFIG_RESTART,
     "Host name or address of the broker. With several, such as `a.local, b.local:1884`, the table "
     "goes on to the next one when a connection fails, and stays there."},
    {SECTION_MQTT, TYPE_NUMBER, "port", 1, UINT16_MAX, ONE(mqtt.port), "1883", NULL, CONFIG_RESTART,
     "Port of brokers that `host` names without one; with TLS usually 8883."},
    {SECTION_MQTT, TYPE_PREFIX, "prefix", 1, CONFIG_PREFIX_SIZE - 1, ONE(mqtt.prefix), "shipahoy",
     NULL, CONFIG_RESTART, "The first part of all topics."},
    {SECTION_MQTT, TYPE_TEXT, "username", 0, CONFIG_TEXT_SIZE - 1, ONE(mqtt.username), "", "table",
     CONFIG_RESTART, "User name for the broker. Empty: no login."},
    {SECTION_MQTT, TYPE_FILE, "password_file", LONG, ONE(mqtt.password_file), "",
     "/etc/shipahoy/mqtt.password", CONFIG_RESTART,
     "File with the password in its first line. Requires username."},
    {SECTION_MQTT, TYPE_FILE, "tls_ca", LONG, ONE(mqtt.tls_ca), "",
     "/etc/ssl/certs/ca-certificates.crt", CONFIG_RESTART,
     "CA certificates to trust (PEM). Empty: no TLS."},
    {SECTION_MQTT, TYPE_FILE, "tls_cert", LONG, ONE(mqtt.tls_cert), "", "/etc/shipahoy/table.crt",
     CONFIG_RESTART, "Client certificate of this table (PEM). Requires tls_ca and tls_key."},
    {SECTION_MQTT, TYPE_FILE, "tls_key", LONG, ONE(mqtt.tls_key), "", "/etc/shipahoy/table.key",
     CONFIG_RESTART, "Private key of the client certificate (PEM)."},
    {SECTION_MQTT, TYPE_TEXT, "client_id", 0, 64, ONE(mqtt.client_id), "", "shipahoy-den",
     CONFIG_RESTART,
     "MQTT client id. Empty: a random id. A client that may log in and knows the id can disconnect "
     "the table repeatedly, so set it only if the broker requires it."},
    {SECTION_MQTT, TYPE_YES_NO, "homeassistant", ANY, ONE(mqtt.homeassistant), "no", NULL,
     CONFIG_RESTART, "Announce the table to Home Assistant (MQTT discovery)."},
    {SECTION_MQTT, TYPE_TEXT, "page_url", 0, CONFIG_TEXT_SIZE - 1, ONE(mqtt.page_url), "",
     "https://shipahoy.local/", CONFIG_RESTART,
     "Address of the page, for the link in Home Assistant. Empty: http:// and the host of the "
     "broker."},
    {SECTION_MQTT, TYPE_YES_NO, "commands", ANY, ONE(mqtt.commands), "yes", NULL, CONFIG_LIVE,
     "Accept commands over MQTT."},

    {SECTION_GAME, TYPE_VARIANT, "rules", ANY, ONE(setup.variant), "basic", NULL, CONFIG_NEXT_GAME,
     "With advanced rules, a toppled piece is damaged and can be repaired."},
    {SECTION_GAME, TYPE_SCENARIO, "scenario", ANY, ONE(setup.scenario), "none", NULL,
     CONFIG_NEXT_GAME, "The scenario."},
    {SECTION_GAME, TYPE_YES_NO, "teams", ANY, ONE(setup.teams), "no", NULL, CONFIG_NEXT_GAME,
     "Play in two teams. Requires four players."},
    {SECTION_GAME, TYPE_DICE, "dice", ANY, ONE(setup.dice), "table", NULL, CONFIG_NEXT_GAME,
     "Who rolls the dice: the players at the table, or the daemon."},
    {SECTION_GAME, TYPE_FIRST, "first", ANY, ONE(setup.first), "draw", NULL, CONFIG_NEXT_GAME,
     "The player who starts. `draw`: chosen at random."},
    {SECTION_GAME, TYPE_YES_NO, "autostart", ANY, ONE(autostart), "no", NULL, CONFIG_LIVE,
     "Start a game automatically when none is open."},

    {SECTION_PLAYER, TYPE_NAME, "name", 1, NAME_SIZE - 1, EACH_SEAT(name), "Player 1", NULL,
     CONFIG_NEXT_GAME, "Name of the player. Default: `Player` and the number."},
    {SECTION_PLAYER, TYPE_HARBOURS, "harbours", ANY, EACH_SEAT(harbours), "red", NULL,
     CONFIG_NEXT_GAME,
     "One colour, or two colours with 2 players. Default: the first free colour in the order red, "
     "blue, green, yellow."},
    {SECTION_PLAYER, TYPE_NUMBER, "team", 1, TEAMS_MAX, EACH_SEAT(team), "", "1", CONFIG_NEXT_GAME,
     "Team of the player in team play. A player without a team joins the opposite player, or the "
     "team with a free place. Without any team set, 1 and 3 play against 2 and 4."},

    {SECTION_HOUSE, TYPE_NUMBER, "ship_points", POINTS, ONE(setup.house.ship_points), "1", NULL,
     CONFIG_NEXT_GAME, "Points for a captured ship."},
    {SECTION_HOUSE, TYPE_NUMBER, "tower_points", POINTS, ONE(setup.house.tower_points), "2", NULL,
     CONFIG_NEXT_GAME, "Points for a captured tower."},
    {SECTION_HOUSE, TYPE_NUMBER, "pirate_points", POINTS, ONE(setup.house.pirate_points), "1", NULL,
     CONFIG_NEXT_GAME, "Points for the captured pirate ship."},
    {SECTION_HOUSE, TYPE_NUMBER, "chest_points", POINTS, ONE(setup.house.chest_points), "3", NULL,
     CONFIG_NEXT_GAME, "Points for holding the treasure chest at the end."},
    {SECTION_HOUSE, TYPE_NUMBER, "barrel_points", POINTS, ONE(setup.house.barrel_points), "2", NULL,
     CONFIG_NEXT_GAME, "Points for a delivered barrel."},
    {SECTION_HOUSE, TYPE_NUMBER, "monster_lives", 1, HOUSE_SMALL_MAX,
     ONE(setup.house.monster_lives), "2", NULL, CONFIG_NEXT_GAME, "Lives of the sea monster."},
    {SECTION_HOUSE, TYPE_NUMBER, "wind_bonus", 0, HOUSE_SMALL_MAX, ONE(setup.house.wind_bonus), "1",
     NULL, CONFIG_NEXT_GAME, "Extra knots for a ship in the wind."},
    {SECTION_HOUSE, TYPE_NUMBER, "kraken_knots", 0, HOUSE_SMALL_MAX, ONE(setup.house.kraken_knots),
     "3", NULL, CONFIG_NEXT_GAME, "Knots that a beaten kraken can be moved."},
    {SECTION_HOUSE, TYPE_MOVE_DIE, "move_die", 1, DIE_VALUE_MAX, ONE(setup.house.move_die),
     "1,1,2,2,3,3", NULL, CONFIG_NEXT_GAME, "Faces of the movement die."},
    {SECTION_HOUSE, TYPE_COMBAT_DIE, "combat_die", ANY, ONE(setup.house.combat_die),
     "flag,flag,flag,swords,swords,swords", NULL, CONFIG_NEXT_GAME, "Faces of the combat die."},
    {SECTION_HOUSE, TYPE_BARRELS, "barrels", ANY, ONE(setup.barrels), "",
     "red:blue,blue:green,green:yellow,yellow:red", CONFIG_NEXT_GAME,
     "Destination of the barrel of each harbour in play (scenario merchant). Empty: drawn at "
     "random."},

    {SECTION_TIMING, TYPE_NUMBER, "shot_window_ms", SHOT_WINDOW_MIN_MS, SHOT_WINDOW_MAX_MS,
     ONE(setup.shot_window_ms), "3000", NULL, CONFIG_NEXT_GAME,
     "How long after a shot a toppled piece counts as hit by it."},
    {SECTION_TIMING, TYPE_NUMBER, "tilt_settle_ms", 10, 5000, ONE(timing.tilt_settle_ms), "150",
     NULL, CONFIG_LIVE, "Debounce time of a tilt switch."},
    {SECTION_TIMING, TYPE_NUMBER, "beam_min_us", 1, 100000, ONE(timing.beam_min_us), "200", NULL,
     CONFIG_LIVE, "The shortest interruption of a light beam that counts as a ball."},
    {SECTION_TIMING, TYPE_NUMBER, "button_ms", 1, 1000, ONE(timing.button_ms), "30", NULL,
     CONFIG_LIVE, "Debounce time of a push button."},
    {SECTION_TIMING, TYPE_NUMBER, "stuck_s", 1, 3600, ONE(timing.stuck_s), "30", NULL, CONFIG_LIVE,
     "A beam or button that stays active longer is reported as stuck."},
    {SECTION_TIMING, TYPE_MILLI, "rope_tolerance", 0, KNOT - 1, ONE(setup.rope_tolerance_milli),
     "0.2", NULL, CONFIG_NEXT_GAME,
     "The rope may measure this much more than a whole number of knots without costing another "
     "knot."},

    {SECTION_HW, TYPE_BACKEND, "backend", ANY, ONE(hw.backend), "sim", NULL, CONFIG_RESTART,
     "Real sensors on GPIO lines (gpiod), or simulated ones (sim)."},
    {SECTION_HW, TYPE_TEXT, "chip", 1, CONFIG_LINE_SIZE - 1, ONE(hw.chip), "auto", NULL,
     CONFIG_RESTART,
     "Name, path or label of the GPIO chip for lines without a chip. `auto`: lines are found by "
     "their names on any chip."},
    {SECTION_HW, TYPE_TEXT, "socket", 0, 107, ONE(hw.socket), "", "/run/shipahoy/sim.sock",
     CONFIG_RESTART,
     "Unix socket of the simulated sensors. Empty: `sim.sock` in the daemon's runtime directory."},
    {SECTION_HW, TYPE_TEXT, "record", LONG, ONE(hw.record), "", "/var/lib/shipahoy/edges.log",
     CONFIG_RESTART,
     "File that records all edges, for bug reports and replay. Recording stops at 64 MiB. Empty: "
     "no recording."},

    {SECTION_CANNON, TYPE_LINE, "beam", ANY, ONE(hw.lines[SENSOR_CANNON_BEAM]), "", A_LINE,
     CONFIG_RESTART, "Light beam at the muzzle."},
    {SECTION_CANNON, TYPE_LINE, "beam2", ANY, ONE(hw.lines[SENSOR_CANNON_BEAM2]), "", A_LINE,
     CONFIG_RESTART,
     "Second light beam behind the first: two beams measure the speed of the ball."},
    {SECTION_CANNON, TYPE_MILLI, "beam_gap_mm", 1000, 1000000, ONE(hw.beam_gap_um), "20", NULL,
     CONFIG_LIVE, "Measured distance between the two beams in millimetres. Required with beam2."},

    {SECTION_ROPE, TYPE_LINE, "a", ANY, ONE(hw.lines[SENSOR_ROPE_A]), "", A_LINE, CONFIG_RESTART,
     "First line of the encoder."},
    {SECTION_ROPE, TYPE_LINE, "b", ANY, ONE(hw.lines[SENSOR_ROPE_B]), "", A_LINE, CONFIG_RESTART,
     "Second line of the encoder."},
    {SECTION_ROPE, TYPE_LINE, "button", ANY, ONE(hw.lines[SENSOR_ROPE_BUTTON]), "", A_LINE,
     CONFIG_RESTART, "Push button that confirms a move, and ends the step when held."},
    {SECTION_ROPE, TYPE_NUMBER, "counts_per_knot", 1, 100000, ONE(hw.counts_per_knot), "20", NULL,
     CONFIG_LIVE, "Encoder counts per knot; measured by `shipahoyctl calibrate`."},
    {SECTION_ROPE, TYPE_YES_NO, "reverse", ANY, ONE(hw.rope_reverse), "no", NULL, CONFIG_LIVE,
     "The encoder turns the other way round; detected by `shipahoyctl calibrate`."},

    {SECTION_PIECE, TYPE_LINE, "tilt", ANY, EACH_LINE(SENSOR_TILT), "", A_LINE, CONFIG_RESTART,
     "Tilt switch: active when the piece lies on its side."},
    {SECTION_PIECE, TYPE_LINE, "beam", ANY, EACH_LINE(SENSOR_BEAM), "", A_LINE, CONFIG_RESTART,
     "Light beam at the piece: detects a hit that does not topple it."},

    {SECTION_HARBOUR, TYPE_LINE, "dock", ANY, EACH_LINE(SENSOR_DOCK), "", A_LINE, CONFIG_RESTART,
     "Dock sensor: active while a ship is in the harbour."},

    {SECTION_BUTTON, TYPE_LINE, "line", ANY, EACH_LINE(SENSOR_BUTTON), "", A_LINE, CONFIG_RESTART,
     "Line of the button."},
    {SECTION_BUTTON, TYPE_COMMAND, "command", LONG, EACH_BUTTON(command), "", "end-phase",
     CONFIG_LIVE, "Command that the button sends, with its fields. Required."},

    {SECTION_RADIO, TYPE_NUMBER, "late_ms", 0, RADIO_LATE_MAX_MS, ONE(radio.late_ms), "500", NULL,
     CONFIG_LIVE,
     "How late the message of a sensor may arrive. A fall that is reported so long after the shot "
     "window still counts. A source can set its own with late=MS."},
    {SECTION_RADIO, TYPE_NUMBER, "quiet_s", 0, 604800, ONE(radio.quiet_s), "0", NULL, CONFIG_LIVE,
     "A sensor that sends nothing for longer than this is reported as silent. 0: never."},

    {SECTION_JOURNAL, TYPE_NUMBER, "keep_games", 0, 10000, ONE(journal.keep_games), "50", NULL,
     CONFIG_RESTART, "Maximum number of finished games to keep that the broker has received."},
    {SECTION_JOURNAL, TYPE_NUMBER, "keep_kib", 16, 1048576, ONE(journal.keep_kib), "16384", NULL,
     CONFIG_RESTART, "Maximum size of all finished games in KiB; the oldest are deleted first."},

    {SECTION_LOGBOOK, TYPE_DATABASE, "database", LONG, ONE(logbook.database), "",
     "postgresql://logbook@club.example/shipahoy", CONFIG_RESTART,
     "Where the logbook keeps the games: a file of SQLite (`sqlite:` and its path) or a database "
     "of "
     "PostgreSQL. Empty: `logbook.db` in the state directory of the logbook."},
    {SECTION_LOGBOOK, TYPE_TEXT, "sheets", LONG, ONE(logbook.sheets), "", "/etc/shipahoy/sheets",
     CONFIG_RESTART,
     "A directory with score sheets of other games, `NAME.ini`, in addition to those that are "
     "installed. Empty: no others."},

    {SECTION_WIFI, TYPE_TEXT, "name", 0, SIZE_OF(card.wifi_name) - 1, ONE(card.wifi_name), "",
     "Harbour", CONFIG_RESTART, "Name of the network."},
    {SECTION_WIFI, TYPE_WIFI_PASSWORD, "password", 8, SIZE_OF(card.wifi_password) - 1,
     ONE(card.wifi_password), "", "correct-horse-battery", CONFIG_RESTART,
     "Its password. It is removed from this file when it has been read; empty: the password that "
     "was read before, or a network without one."},
    {SECTION_WIFI, TYPE_COUNTRY, "country", 2, 2, ONE(card.wifi_country), "", "CZ", CONFIG_RESTART,
     "The country in which the table stands. Many channels are forbidden without it."},

    {SECTION_REFEREE, TYPE_SEGMENT, "name", 1, SIZE_OF(card.referee) - 1, ONE(card.referee),
     "referee", NULL, CONFIG_RESTART, "Name for the login on a phone."},
    {SECTION_REFEREE, TYPE_USER_PASSWORD, "password", 1, SIZE_OF(card.referee_password) - 1,
     ONE(card.referee_password), "", "anchor-aweigh", CONFIG_RESTART,
     "Password for the login on a phone. It is removed from this file when it has been read. "
     "Empty: the table makes one up and writes it into `login.txt` beside this file."},

    {SECTION_TV, TYPE_YES_NO, "show", ANY, ONE(card.tv), "yes", NULL, CONFIG_RESTART,
     "Show the game on the screen."},
    {SECTION_TV, TYPE_YES_NO, "voice", ANY, ONE(card.voice), "yes", NULL, CONFIG_RESTART,
     "Announce the game by voice."},

    {SECTION_COMPUTER, TYPE_LANGUAGE, "language", ANY, ONE(card.language), "en", NULL,
     CONFIG_RESTART, "Language of the screen: English, German or Czech."},
    {SECTION_COMPUTER, TYPE_TIME_ZONE, "time_zone", 1, SIZE_OF(card.time_zone) - 1,
     ONE(card.time_zone), "", "Europe/Prague", CONFIG_RESTART, "Time zone. Empty: UTC."},
    {SECTION_COMPUTER, TYPE_HOST_NAME, "host_name", 1, SIZE_OF(card.host_name) - 1,
     ONE(card.host_name), "shipahoy", NULL, CONFIG_RESTART,
     "Name in the network: phones find the table as NAME.local."},
    {SECTION_COMPUTER, TYPE_SSH_KEY, "ssh_key", 1, CARD_SSH_KEY_SIZE - 1, ONE(card.ssh_key), "",
     "ssh-ed25519 AAAA... anna@laptop", CONFIG_RESTART,
     "Public key of the person who may log in as `admin` over ssh. Empty: nobody may."},
    {SECTION_COMPUTER, TYPE_YES_NO, "https", ANY, ONE(card.https), "no", NULL, CONFIG_RESTART,
     "Serve the page also over https, so that phones stay awake and can install it. Each phone has "
     "to trust the table once: `http://NAME.local/trust` explains how."},
};

const size_t config_key_count = sizeof config_keys / sizeof config_keys[0];

_Static_assert(sizeof config_keys / sizeof config_keys[0] <= KEYS_MAX, "raise KEYS_MAX");

const struct config_section *config_section(enum section_id id)
{
    return &sections[id];
}

const struct config_key *config_find_key(enum section_id section, const char *name)
{
    for (size_t i = 0; i < config_key_count; i++) {
        if (config_keys[i].section == section && strcmp(config_keys[i].name, name) == 0) {
            return &config_keys[i];
        }
    }
    return NULL;
}

int config_find_instance(const struct config_section *section, const char *name)
{
    for (unsigned i = section->first; section->instance_name && i <= section->last; i++) {
        if (strcmp(section->instance_name(i), name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

const void *config_member_const(const struct config *config, const struct config_key *key,
                                unsigned instance)
{
    return (const char *)config + key->offset + key->stride * instance;
}

void *config_member(struct config *config, const struct config_key *key, unsigned instance)
{
    return (char *)config + key->offset + key->stride * instance;
}

void config_add_section(struct text *text, const struct config *config, enum section_id id,
                        unsigned instance)
{
    const struct config_section *section = &sections[id];

    text_add(text, section->name);
    if (section->example) {
        text_add(text, ".");
        text_add(text, section->instance_name ? section->instance_name(instance)
                                              : config->hw.buttons[instance].name);
    }
}
