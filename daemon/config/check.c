/* Checks across several keys, and values that depend on them. */
#include "config_internal.h"

#include "rules/rules.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef void check_fn(struct parser *parser);

static check_fn check_table, finish_dice, finish_players, check_game, check_needs, check_lines,
    check_buttons, check_files;

/* In this order: check_game needs the players. */
static check_fn *const checks[] = {
    check_table, finish_dice, finish_players, check_game,
    check_needs, check_lines, check_buttons,  check_files,
};

/* Keys that have no meaning without another key of their section. */
static const struct {
    const char *key;
    const char *needs;
    enum section_id section;
    bool wired; /* only with backend = gpiod: in the simulation every sensor exists */
} needs[] = {
    {"password_file", "username", SECTION_MQTT, false},
    {"tls_cert", "tls_ca", SECTION_MQTT, false},
    {"tls_cert", "tls_key", SECTION_MQTT, false},
    {"tls_key", "tls_cert", SECTION_MQTT, false},
    {"beam2", "beam", SECTION_CANNON, false},
    {"beam2", "beam_gap_mm", SECTION_CANNON, false},
    {"beam_gap_mm", "beam2", SECTION_CANNON, true},
    {"a", "b", SECTION_ROPE, false},
    {"b", "a", SECTION_ROPE, false},
    {"counts_per_knot", "a", SECTION_ROPE, true},
    {"reverse", "a", SECTION_ROPE, true},
};

void parser_check(struct parser *parser)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        checks[i](parser);
    }
}

static bool is_given(const struct parser *parser, const struct config_key *key, unsigned instance)
{
    return parser_origin(parser, key, instance)->given;
}

static void check_table(struct parser *parser)
{
    if (strcmp(parser->config.table, "logbook") == 0) {
        parser_report_key(parser, config_find_key(SECTION_TABLE, "name"), 0,
                          " = logbook: the topic is reserved for shipahoy-logbook; expected "
                          "another name");
    }
}

/*
 * Dice and players
 */

static uint8_t count_faces(const uint8_t die[DIE_FACES_MAX])
{
    uint8_t count = 0;

    while (count < DIE_FACES_MAX && die[count]) {
        count++;
    }
    return count;
}

static void finish_dice(struct parser *parser)
{
    struct house *house = &parser->config.setup.house;

    house->move_faces = count_faces(house->move_die);
    house->combat_faces = count_faces(house->combat_die);
}

/* Every section is a player; without any section, four players. */
static unsigned count_players(struct parser *parser)
{
    const struct origin *sections = parser->sections[SECTION_PLAYER];
    unsigned last = 0;

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        last = sections[player].line ? player : last;
    }
    for (unsigned player = 1; player < last; player++) {
        if (!sections[player].line) {
            parser_report(parser, &sections[last],
                          "[player.%u]: there is no [player.%u]; expected players without a gap",
                          last, player);
        }
    }
    return last ? last : PLAYERS_MAX;
}

static void finish_players(struct parser *parser)
{
    const struct config_key *harbours = config_find_key(SECTION_PLAYER, "harbours");
    struct setup *setup = &parser->config.setup;

    setup->players = (uint8_t)count_players(parser);
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (player > setup->players) {
            memset(&setup->seats[player], 0, sizeof setup->seats[player]);
        } else if (!is_given(parser, harbours, player) ||
                   parser_origin(parser, harbours, player)->refused) {
            setup->seats[player].harbours = 0;
        }
    }
    rules_share_harbours(setup);
    if (setup->teams) { /* otherwise the choice is kept for a start-game with teams */
        rules_form_teams(setup);
    }
}

/*
 * The game: rules/ decides, this file explains
 */

static unsigned count_bits(unsigned set)
{
    return (unsigned)__builtin_popcount(set);
}

/* G1: reports the first player with wrong harbours. */
static void explain_harbours(struct parser *parser, const struct setup *setup)
{
    const struct config_key *harbours = config_find_key(SECTION_PLAYER, "harbours");
    unsigned each = setup->players == 2 ? 2 : 1;
    unsigned taken = 0;

    if (setup->players < PLAYERS_MIN) {
        parser_report(parser, &parser->sections[SECTION_PLAYER][1],
                      "[player.1]: expected 2 to 4 players (G1)");
        return;
    }
    for (unsigned player = 1; player <= setup->players; player++) {
        unsigned has = setup->seats[player].harbours;
        if (count_bits(has) != each) {
            parser_report_key(parser, harbours, player,
                              ": expected %s harbour%s for each of %d players (G1)",
                              each == 1 ? "one" : "two", each == 1 ? "" : "s", setup->players);
            return;
        }
        if (has & taken) {
            parser_report_key(parser, harbours, player,
                              ": another player has this harbour; expected each harbour once (G1)");
            return;
        }
        taken |= has;
    }
}

static void explain_teams(struct parser *parser, const struct setup *setup)
{
    const struct config_key *teams = config_find_key(SECTION_GAME, "teams");

    if (setup->players != PLAYERS_MAX) {
        parser_report_key(parser, teams, 0, " = yes: expected 4 players, found %d (T1)",
                          setup->players);
    } else {
        parser_report_key(parser, teams, 0,
                          " = yes: expected two players with team = 1 and two with team = 2 "
                          "(T1)");
    }
}

/* Reports what is wrong with the setup and corrects it, so that the next error is found, too. */
static void explain(struct parser *parser, struct setup *setup, enum rule rule)
{
    struct setup standard;

    assert(rule != RULE_NONE); /* the key should have refused the value */
    switch (rule) {
    case RULE_G1:
        explain_harbours(parser, setup);
        rules_default_setup(&standard, setup->players < PLAYERS_MIN ? PLAYERS_MIN : setup->players);
        setup->players = standard.players;
        for (unsigned player = 1; player <= standard.players; player++) {
            setup->seats[player].harbours = standard.seats[player].harbours;
        }
        setup->scenario = SCENARIO_NO_SCENARIO; /* barrels depend on harbours */
        break;
    case RULE_G2:
        parser_report_key(parser, config_find_key(SECTION_GAME, "first"), 0,
                          " = %d: expected draw or a player from 1 to %d (G2)", setup->first,
                          setup->players);
        setup->first = 1;
        break;
    case RULE_T1:
        explain_teams(parser, setup);
        setup->teams = false;
        break;
    case RULE_ME1:
        parser_report_key(parser, config_find_key(SECTION_HOUSE, "barrels"), 0,
                          ": expected a pair for every harbour in play, each to another harbour "
                          "in play (ME1)");
        setup->scenario = SCENARIO_NO_SCENARIO;
        break;
    default:
        parser->problems++;
        rules_default_setup(setup, PLAYERS_MAX);
    }
}

static void check_game(struct parser *parser)
{
    struct setup setup = parser->config.setup;
    bool barrels = is_given(parser, config_find_key(SECTION_HOUSE, "barrels"), 0);
    enum rule rule;

    /* Drawn when a game starts; configured barrels must be valid in any scenario. */
    setup.first = setup.first ? setup.first : 1;
    setup.scenario = barrels ? SCENARIO_MERCHANT : SCENARIO_NO_SCENARIO;
    while (rules_check_setup(&setup, &rule)) {
        explain(parser, &setup, rule);
    }
}

static void check_needs(struct parser *parser)
{
    bool simulated = parser->config.hw.backend == BACKEND_SIM;

    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        const struct config_key *key = config_find_key(needs[i].section, needs[i].key);
        const struct config_key *needed = config_find_key(needs[i].section, needs[i].needs);
        if (is_given(parser, key, 0) && !is_given(parser, needed, 0) &&
            !(simulated && needs[i].wired)) {
            parser_report_key(parser, key, 0, ": requires %s", needed->name);
        }
    }
}

/*
 * Lines
 */

/* The line of a sensor, with the key that sets it. */
struct connection {
    const struct config_key *key;
    unsigned instance;
    const struct line_config *line;
};

/* A line without a chip is on the default chip; a chip may be written with /dev/ or without. */
static const char *chip_of(const struct parser *parser, const struct line_config *line)
{
    static const char folder[] = "/dev/";
    const char *chip = *line->chip || *line->name ? line->chip : parser->config.hw.chip;

    return strncmp(chip, folder, strlen(folder)) == 0 ? chip + strlen(folder) : chip;
}

/* Compares the spelling; which offset a name has is known only after the chips are opened. */
static bool same_line(const struct parser *parser, const struct line_config *one,
                      const struct line_config *other)
{
    if (one->source != LINE_GPIO || other->source != LINE_GPIO) {
        return one->source == other->source && strcmp(one->radio.topic, other->radio.topic) == 0 &&
               strcmp(one->radio.path, other->radio.path) == 0;
    }
    return strcmp(chip_of(parser, one), chip_of(parser, other)) == 0 &&
           strcmp(one->name, other->name) == 0 && one->offset == other->offset;
}

static void report_shared(struct parser *parser, const struct connection *one,
                          const struct connection *other)
{
    const struct origin *one_at = parser_origin(parser, one->key, one->instance);
    const struct origin *other_at = parser_origin(parser, other->key, other->instance);
    bool one_is_later = one_at->file > other_at->file ||
                        (one_at->file == other_at->file && one_at->line > other_at->line);
    const struct connection *later = one_is_later ? one : other;
    const struct connection *earlier = one_is_later ? other : one;
    const struct origin *at = one_is_later ? other_at : one_at;
    const char *what = one->line->source == LINE_MQTT   ? "topic and path"
                       : one->line->source == LINE_NODE ? "sensor of the node"
                                                        : "line";
    char title[PROBLEM_SIZE / 4];
    struct text text = text_begin(title, sizeof title);

    config_add_section(&text, &parser->config, earlier->key->section, earlier->instance);
    parser_report_key(parser, later->key, later->instance,
                      ": [%s] %s already uses this %s (%s:%d); expected one sensor per %s", title,
                      earlier->key->name, what, parser->files[at->file], at->line, what);
}

static unsigned find_connections(const struct parser *parser,
                                 struct connection connections[SENSOR_COUNT])
{
    unsigned count = 0;

    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const struct config_section *section = config_section(key->section);
        for (unsigned instance = section->first;
             key->type == TYPE_LINE && instance <= section->last; instance++) {
            const struct line_config *line = config_member_const(&parser->config, key, instance);
            if (line->fitted) {
                connections[count++] = (struct connection){key, instance, line};
            }
        }
    }
    return count;
}

/* Topics that this table or others publish are not sensors. */
static bool is_own_topic(const struct parser *parser, const char *topic)
{
    const char *prefix = parser->config.mqtt.prefix;
    size_t length = strlen(prefix);

    return strncmp(topic, prefix, length) == 0 && (topic[length] == '/' || !topic[length]);
}

static void check_topics(struct parser *parser, const struct connection *connection)
{
    const struct radio_source *radio = &connection->line->radio;
    const char *topics[] = {radio->topic, radio->alive[0], radio->alive[1]};

    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (connection->line->source == LINE_MQTT && is_own_topic(parser, topics[i])) {
            parser_report_key(parser, connection->key, connection->instance,
                              ": %s is below the prefix of the tables; expected a topic of a "
                              "sensor, or node NODE SENSOR",
                              topics[i]);
        }
    }
}

static void check_lines(struct parser *parser)
{
    struct connection connections[SENSOR_COUNT];
    unsigned count = find_connections(parser, connections);
    bool no_chip = strcmp(parser->config.hw.chip, "auto") == 0;

    for (unsigned i = 0; i < count; i++) {
        const struct line_config *line = connections[i].line;
        check_topics(parser, &connections[i]);
        if (no_chip && line->source == LINE_GPIO && !*line->chip && !*line->name) {
            parser_report_key(parser, connections[i].key, connections[i].instance,
                              " = %u: a number without a chip requires [hw] chip; expected "
                              "gpiochip0:%u",
                              (unsigned)line->offset, (unsigned)line->offset);
        }
        for (unsigned j = 0; j < i; j++) {
            if (same_line(parser, line, connections[j].line)) {
                report_shared(parser, &connections[i], &connections[j]);
                break;
            }
        }
    }
}

static void check_buttons(struct parser *parser)
{
    const struct hw_config *hw = &parser->config.hw;
    const struct config_key *command = config_find_key(SECTION_BUTTON, "command");
    const struct config_key *line = config_find_key(SECTION_BUTTON, "line");

    for (unsigned i = 0; i < hw->button_count; i++) {
        const struct origin *section = &parser->sections[SECTION_BUTTON][i];
        if (!is_given(parser, command, i)) {
            parser_report(parser, section, "[button.%s]: requires command", hw->buttons[i].name);
        }
        if (!is_given(parser, line, i) && hw->backend == BACKEND_GPIOD) {
            parser_report(parser, section, "[button.%s]: requires line", hw->buttons[i].name);
        }
    }
}

static void check_files(struct parser *parser)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const char *path = config_member_const(&parser->config, key, 0);
        if (key->type == TYPE_FILE && *path && access(path, R_OK) != 0) {
            parser_report_key(parser, key, 0, " = %s: cannot be read: %s", path, strerror(errno));
        }
    }
}
