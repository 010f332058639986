/* The configuration as a whole: what follows from it, and what does not fit together. */
#include "reading.h"

#include "rules/rules.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef void check_fn(struct reading *reading);

static check_fn check_table, finish_dice, finish_players, check_game, check_needs, check_lines,
    check_buttons, check_files;

/* In this order: the checks of the game need the players. */
static check_fn *const checks[] = {
    check_table, finish_dice, finish_players, check_game,
    check_needs, check_lines, check_buttons,  check_files,
};

/* Keys that mean nothing without another key of their section. */
static const struct {
    const char *key;
    const char *needs;
    enum section_id section;
    bool wired; /* only with real sensors: all simulated ones exist */
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

void reading_finish(struct reading *reading)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        checks[i](reading);
    }
}

static bool is_given(const struct reading *reading, const struct config_key *key, unsigned instance)
{
    return reading_origin(reading, key, instance)->given;
}

static void check_table(struct reading *reading)
{
    if (strcmp(reading->config.table, "logbook") == 0) {
        reading_complain_key(reading, config_find_key(SECTION_TABLE, "name"), 0,
                             " = logbook: this topic belongs to shipahoy-logbook; expected another "
                             "name");
    }
}

/*
 * What follows
 */

static uint8_t count_faces(const uint8_t die[DIE_FACES_MAX])
{
    uint8_t count = 0;

    while (count < DIE_FACES_MAX && die[count]) {
        count++;
    }
    return count;
}

static void finish_dice(struct reading *reading)
{
    struct house *house = &reading->config.setup.house;

    house->move_faces = count_faces(house->move_die);
    house->combat_faces = count_faces(house->combat_die);
}

/* As many play as have a section; four if none has. */
static unsigned count_players(struct reading *reading)
{
    const struct origin *sections = reading->sections[SECTION_PLAYER];
    unsigned last = 0;

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        last = sections[player].line ? player : last;
    }
    for (unsigned player = 1; player < last; player++) {
        if (!sections[player].line) {
            reading_complain(reading, &sections[last],
                             "[player.%u]: there is no [player.%u]; expected players without a gap",
                             last, player);
        }
    }
    return last ? last : PLAYERS_MAX;
}

static void finish_players(struct reading *reading)
{
    const struct config_key *harbours = config_find_key(SECTION_PLAYER, "harbours");
    struct setup *setup = &reading->config.setup;

    setup->players = (uint8_t)count_players(reading);
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (player > setup->players) {
            memset(&setup->seats[player], 0, sizeof setup->seats[player]);
        } else if (!is_given(reading, harbours, player) ||
                   reading_origin(reading, harbours, player)->refused) {
            setup->seats[player].harbours = 0;
        }
    }
    rules_share_harbours(setup);
    if (setup->teams) { /* otherwise choices are kept for a start-game that asks for teams */
        rules_form_teams(setup);
    }
}

/*
 * The game: the rules decide, here they are explained
 */

static unsigned count_bits(unsigned set)
{
    return (unsigned)__builtin_popcount(set);
}

/* G1: names the first player whose harbours do not fit. */
static void explain_harbours(struct reading *reading, const struct setup *setup)
{
    const struct config_key *harbours = config_find_key(SECTION_PLAYER, "harbours");
    unsigned each = setup->players == 2 ? 2 : 1;
    unsigned taken = 0;

    if (setup->players < PLAYERS_MIN) {
        reading_complain(reading, &reading->sections[SECTION_PLAYER][1],
                         "[player.1]: expected 2 to 4 players (G1)");
        return;
    }
    for (unsigned player = 1; player <= setup->players; player++) {
        unsigned has = setup->seats[player].harbours;
        if (count_bits(has) != each) {
            reading_complain_key(reading, harbours, player,
                                 ": expected %s harbour%s for each of %d players (G1)",
                                 each == 1 ? "one" : "two", each == 1 ? "" : "s", setup->players);
            return;
        }
        if (has & taken) {
            reading_complain_key(reading, harbours, player,
                                 ": another player has this harbour; expected each once (G1)");
            return;
        }
        taken |= has;
    }
}

static void explain_teams(struct reading *reading, const struct setup *setup)
{
    const struct config_key *teams = config_find_key(SECTION_GAME, "teams");

    if (setup->players != PLAYERS_MAX) {
        reading_complain_key(reading, teams, 0, " = yes: expected 4 players, here are %d (T1)",
                             setup->players);
    } else {
        reading_complain_key(reading, teams, 0,
                             " = yes: expected two players with team = 1 and two with team = 2 "
                             "(T1)");
    }
}

/* Tells what is wrong with the setup, and mends that, so that the next thing comes to light. */
static void explain(struct reading *reading, struct setup *setup, enum rule rule)
{
    struct setup usual;

    assert(rule != RULE_NONE); /* a value that its key ought to have refused */
    switch (rule) {
    case RULE_G1:
        explain_harbours(reading, setup);
        rules_default_setup(&usual, setup->players < PLAYERS_MIN ? PLAYERS_MIN : setup->players);
        setup->players = usual.players;
        for (unsigned player = 1; player <= usual.players; player++) {
            setup->seats[player].harbours = usual.seats[player].harbours;
        }
        setup->scenario = SCENARIO_NO_SCENARIO; /* barrels go by harbours */
        break;
    case RULE_G2:
        reading_complain_key(reading, config_find_key(SECTION_GAME, "first"), 0,
                             " = %d: expected draw or a player from 1 to %d (G2)", setup->first,
                             setup->players);
        setup->first = 1;
        break;
    case RULE_T1:
        explain_teams(reading, setup);
        setup->teams = false;
        break;
    case RULE_ME1:
        reading_complain_key(reading, config_find_key(SECTION_HOUSE, "barrels"), 0,
                             ": expected a pair for every harbour in play, to another one in play "
                             "(ME1)");
        setup->scenario = SCENARIO_NO_SCENARIO;
        break;
    default:
        reading->problems++;
        rules_default_setup(setup, PLAYERS_MAX);
    }
}

static void check_game(struct reading *reading)
{
    struct setup setup = reading->config.setup;
    bool barrels = is_given(reading, config_find_key(SECTION_HOUSE, "barrels"), 0);
    enum rule rule;

    /* Draws are made when a game starts; barrels that are fixed must fit whatever is played. */
    setup.first = setup.first ? setup.first : 1;
    setup.scenario = barrels ? SCENARIO_MERCHANT : SCENARIO_NO_SCENARIO;
    while (rules_check_setup(&setup, &rule)) {
        explain(reading, &setup, rule);
    }
}

static void check_needs(struct reading *reading)
{
    bool simulated = reading->config.hw.backend == BACKEND_SIM;

    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        const struct config_key *key = config_find_key(needs[i].section, needs[i].key);
        const struct config_key *needed = config_find_key(needs[i].section, needs[i].needs);
        if (is_given(reading, key, 0) && !is_given(reading, needed, 0) &&
            !(simulated && needs[i].wired)) {
            reading_complain_key(reading, key, 0, ": needs %s, which is missing", needed->name);
        }
    }
}

/*
 * Lines
 */

/* One sensor's line while they are compared. */
struct wire {
    const struct config_key *key;
    unsigned instance;
    const struct line_config *line;
};

/* A line without a chip is on the default one; a chip may be named with its folder or without. */
static const char *chip_of(const struct reading *reading, const struct line_config *line)
{
    static const char folder[] = "/dev/";
    const char *chip = *line->chip || *line->name ? line->chip : reading->config.hw.chip;

    return strncmp(chip, folder, strlen(folder)) == 0 ? chip + strlen(folder) : chip;
}

/* As far as the spelling tells; that a name is a certain offset shows when the chips are opened. */
static bool same_line(const struct reading *reading, const struct line_config *one,
                      const struct line_config *other)
{
    return strcmp(chip_of(reading, one), chip_of(reading, other)) == 0 &&
           strcmp(one->name, other->name) == 0 && one->offset == other->offset;
}

static void complain_shared(struct reading *reading, const struct wire *one,
                            const struct wire *other)
{
    const struct origin *one_at = reading_origin(reading, one->key, one->instance);
    const struct origin *other_at = reading_origin(reading, other->key, other->instance);
    bool one_is_later = one_at->file > other_at->file ||
                        (one_at->file == other_at->file && one_at->line > other_at->line);
    const struct wire *later = one_is_later ? one : other;
    const struct wire *earlier = one_is_later ? other : one;
    const struct origin *at = one_is_later ? other_at : one_at;
    char title[PROBLEM_SIZE / 4];
    struct text text = text_begin(title, sizeof title);

    config_add_section(&text, &reading->config, earlier->key->section, earlier->instance);
    reading_complain_key(reading, later->key, later->instance,
                         ": [%s] %s is on this line already (%s:%d); expected one sensor a line",
                         title, earlier->key->name, reading->files[at->file], at->line);
}

static unsigned collect_wires(const struct reading *reading, struct wire wires[SENSOR_COUNT])
{
    unsigned count = 0;

    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const struct config_section *section = config_section(key->section);
        for (unsigned instance = section->first;
             key->type == TYPE_LINE && instance <= section->last; instance++) {
            const struct line_config *line = config_member_const(&reading->config, key, instance);
            if (line->fitted) {
                wires[count++] = (struct wire){key, instance, line};
            }
        }
    }
    return count;
}

static void check_lines(struct reading *reading)
{
    struct wire wires[SENSOR_COUNT];
    unsigned count = collect_wires(reading, wires);
    bool no_chip = strcmp(reading->config.hw.chip, "auto") == 0;

    for (unsigned i = 0; i < count; i++) {
        const struct line_config *line = wires[i].line;
        if (no_chip && !*line->chip && !*line->name) {
            reading_complain_key(reading, wires[i].key, wires[i].instance,
                                 " = %u: a number alone needs [hw] chip; expected gpiochip0:%u",
                                 (unsigned)line->offset, (unsigned)line->offset);
        }
        for (unsigned j = 0; j < i; j++) {
            if (same_line(reading, line, wires[j].line)) {
                complain_shared(reading, &wires[i], &wires[j]);
                break;
            }
        }
    }
}

static void check_buttons(struct reading *reading)
{
    const struct hw_config *hw = &reading->config.hw;
    const struct config_key *command = config_find_key(SECTION_BUTTON, "command");
    const struct config_key *line = config_find_key(SECTION_BUTTON, "line");

    for (unsigned i = 0; i < hw->button_count; i++) {
        const struct origin *section = &reading->sections[SECTION_BUTTON][i];
        if (!is_given(reading, command, i)) {
            reading_complain(reading, section, "[button.%s]: needs a command", hw->buttons[i].name);
        }
        if (!is_given(reading, line, i) && hw->backend == BACKEND_GPIOD) {
            reading_complain(reading, section, "[button.%s]: needs a line", hw->buttons[i].name);
        }
    }
}

static void check_files(struct reading *reading)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const char *path = config_member_const(&reading->config, key, 0);
        if (key->type == TYPE_FILE && *path && access(path, R_OK) != 0) {
            reading_complain_key(reading, key, 0, " = %s: cannot be read: %s", path,
                                 strerror(errno));
        }
    }
}
