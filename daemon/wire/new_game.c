/* new-game and start-game in: their fields override the configuration. */
#include "command_internal.h"

#include "rules/rules.h"

#include <string.h>

enum { WORDS_SIZE = 128 };

#define WORD(name, ...) FIRST_OF(__VA_ARGS__, ),
#define FIRST_OF(word, ...) word
static const char *const variants[] = {RULES_VARIANTS(WORD) NULL};
static const char *const scenarios[] = {RULES_SCENARIOS(WORD) NULL};
static const char *const dice[] = {RULES_DICE(WORD) NULL};
static const char *const draw[] = {"draw", NULL};

/* A number or digit from 1 to most (at most 9); 0 for anything else. */
static uint8_t small_number(const json_t *value, unsigned most)
{
    char buffer[VALUE_TEXT_SIZE];
    const char *text = value_text(value, buffer);

    if (!text || strlen(text) != 1 || text[0] < '1' || text[0] > (char)('0' + most)) {
        return 0;
    }
    return (uint8_t)(text[0] - '0');
}

/* Calls take for each word of a list separated by commas or spaces, until it returns false. */
typedef bool word_fn(void *context, char *word, const char **near);
static bool read_words(const char *list, word_fn *take, void *context, const char **near)
{
    char copy[WORDS_SIZE];
    char *rest;

    if (strlen(list) >= sizeof copy) {
        return false;
    }
    memcpy(copy, list, strlen(list) + 1);
    for (char *word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        if (!take(context, word, near)) {
            return false;
        }
    }
    return true;
}

/* On HARBOUR_NONE, near is the harbour that was probably meant, or NULL. */
static enum harbour read_harbour(const char *name, const char **near)
{
    enum harbour harbour = rules_harbour_named(name);

    *near = harbour ? NULL : nearest_word(name, command_harbours);
    return harbour;
}

static bool read_rules(struct command *command, json_t *value)
{
    command->setup.variant = (uint8_t)rules_variant_named(value_word(value));
    return command->setup.variant ||
           command_refuse_name(command, "rules", value_word(value), variants);
}

static bool read_scenario(struct command *command, json_t *value)
{
    command->setup.scenario = (uint8_t)rules_scenario_named(value_word(value));
    return command->setup.scenario ||
           command_refuse_name(command, "scenario", value_word(value), scenarios);
}

static bool read_teams(struct command *command, json_t *value)
{
    bool teams = command->setup.teams;
    bool fits = command_read_truth(command, "teams", value, &teams);

    command->setup.teams = teams;
    return fits;
}

static bool read_dice(struct command *command, json_t *value)
{
    command->setup.dice = (uint8_t)rules_dice_named(value_word(value));
    return command->setup.dice || command_refuse_name(command, "dice", value_word(value), dice);
}

static bool read_first(struct command *command, json_t *value)
{
    const char *word = value_word(value);

    command->first_is_drawn = strcmp(word, draw[0]) == 0 || strcmp(word, "random") == 0;
    command->setup.first = small_number(value, PLAYERS_MAX);
    return command->first_is_drawn || command->setup.first ||
           command_refuse_near(command, "first", "\"draw\" or the number of a player, 1 to 4",
                               nearest_word(word, draw));
}

static bool read_abandon(struct command *command, json_t *value)
{
    return command_read_truth(command, "abandon", value, &command->input.abandon);
}

static bool read_anyway(struct command *command, json_t *value)
{
    return command_read_truth(command, "anyway", value, &command->anyway);
}

/* Barrels: {"red": "blue", ...} or "red:blue,..." as in the configuration. */

static bool set_barrel(struct setup *setup, const char *from, const char *to, const char **near)
{
    enum harbour harbour = read_harbour(from, near);
    enum harbour destination = harbour ? read_harbour(to, near) : HARBOUR_NONE;

    if (!destination || setup->barrels[harbour]) {
        return false;
    }
    setup->barrels[harbour] = (uint8_t)destination;
    return true;
}

static bool set_barrel_pair(void *context, char *pair, const char **near)
{
    const char *from = strsep(&pair, ":");

    return pair && set_barrel(context, from, pair, near);
}

static bool read_barrel_object(struct setup *setup, json_t *object, const char **near)
{
    const char *harbour;
    json_t *destination;

    json_object_foreach(object, harbour, destination)
    {
        if (!set_barrel(setup, harbour, value_word(destination), near)) {
            return false;
        }
    }
    return json_is_object(object);
}

static bool read_barrels(struct command *command, json_t *value)
{
    const char *near = NULL;

    command->barrels_are_drawn = false;
    memset(command->setup.barrels, 0, sizeof command->setup.barrels);
    bool fits = json_is_string(value)
                    ? read_words(json_string_value(value), set_barrel_pair, &command->setup, &near)
                    : read_barrel_object(&command->setup, value, &near);
    return fits || command_refuse_near(command, "barrels",
                                       "an object of harbours and destinations, such as "
                                       "{\"red\":\"blue\"}",
                                       near);
}

/* Players: [{"name": "Anna", "harbours": ["red"], "team": 1}, ...] */

static bool add_harbour(struct seat *seat, const char *name, const char **near)
{
    enum harbour harbour = read_harbour(name, near);

    if (!harbour || (seat->harbours & bit(harbour))) {
        return false;
    }
    seat->harbours = (uint8_t)(seat->harbours | bit(harbour));
    return true;
}

static bool add_harbour_word(void *context, char *word, const char **near)
{
    return add_harbour(context, word, near);
}

/* A list, or "red, blue" as in the configuration. */
static bool read_harbours(struct command *command, struct seat *seat, json_t *value)
{
    const char *near = NULL;
    bool fits = true;
    size_t index;
    json_t *name;

    json_array_foreach(value, index, name)
    {
        fits = fits && add_harbour(seat, value_word(name), &near);
    }
    fits = fits && read_words(value_word(value), add_harbour_word, seat, &near) && seat->harbours;
    return fits ||
           command_refuse_near(command, "harbours",
                               "one or two of \"red\", \"blue\", \"green\" and \"yellow\"", near);
}

static bool read_player_name(struct command *command, const json_t *value, char name[NAME_SIZE])
{
    if (!rules_is_name(value_word(value))) {
        return command_refuse(
            command, REFUSED_BAD_VALUE,
            "\"name\" must be a string of 1 to %d characters, not all invisible and "
            "without control characters.",
            NAME_CHARACTERS_MAX);
    }
    return command_read_text(command, "name", value, name, NAME_SIZE);
}

static bool read_player_member(struct command *command, struct seat *seat, const char *key,
                               json_t *value)
{
    struct nearest nearest = nearest_begin(key);

    if (strcmp(key, "name") == 0) {
        return read_player_name(command, value, seat->name);
    }
    if (strcmp(key, "harbours") == 0) {
        return read_harbours(command, seat, value);
    }
    if (strcmp(key, "team") == 0) {
        seat->team = small_number(value, TEAMS_MAX);
        return seat->team || json_is_null(value) || command_refuse_value(command, "team", "1 or 2");
    }
    nearest_offer(&nearest, "name");
    nearest_offer(&nearest, "harbours");
    nearest_offer(&nearest, "team");
    return command_refuse_word(command, REFUSED_BAD_VALUE, "field of a player", &nearest);
}

static bool read_player(struct command *command, struct seat *seat, json_t *object)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (!read_player_member(command, seat, key, value)) {
            return false;
        }
    }
    return json_is_object(object) ||
           command_refuse_value(command, "players",
                                "a list of objects such as {\"name\":\"Anna\"}");
}

/* A player without a name keeps the name of that seat in the configuration. */
static bool read_players(struct command *command, json_t *value)
{
    struct setup standard;
    size_t count = json_array_size(value);

    if (count < PLAYERS_MIN || count > PLAYERS_MAX) {
        return command_refuse_value(command, "players",
                                    "a list of 2 to 4 players, such as [{\"name\":\"Anna\"},{}]");
    }
    rules_default_setup(&standard, (unsigned)count);
    for (unsigned player = 1; player <= count; player++) {
        struct seat *seat = &standard.seats[player];
        seat->harbours = 0;
        if (player <= command->setup.players) {
            memcpy(seat->name, command->setup.seats[player].name, sizeof seat->name);
        }
        if (!read_player(command, seat, json_array_get(value, player - 1))) {
            return false;
        }
    }
    command->setup.players = standard.players;
    memcpy(command->setup.seats, standard.seats, sizeof standard.seats);
    return true;
}

static const struct {
    const char *key;
    bool (*read)(struct command *command, json_t *value);
} setup_fields[] = {
    {"rules", read_rules},     {"scenario", read_scenario}, {"teams", read_teams},
    {"dice", read_dice},       {"first", read_first},       {"players", read_players},
    {"barrels", read_barrels}, {"abandon", read_abandon},   {"anyway", read_anyway},
};

static bool read_setup_field(struct command *command, const char *key, json_t *value)
{
    struct nearest nearest = nearest_begin(key);

    for (size_t i = 0; i < sizeof setup_fields / sizeof setup_fields[0]; i++) {
        if (strcmp(setup_fields[i].key, key) == 0) {
            return setup_fields[i].read(command, value);
        }
        nearest_offer(&nearest, setup_fields[i].key);
    }
    return command_refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

/* ME1: whether rules/ accepts the barrels with these players. */
static bool barrels_fit(const struct setup *setup)
{
    struct setup merchant;
    enum rule rule = RULE_NONE;

    rules_default_setup(&merchant, setup->players);
    merchant.scenario = SCENARIO_MERCHANT;
    memcpy(merchant.seats, setup->seats, sizeof merchant.seats);
    memcpy(merchant.barrels, setup->barrels, sizeof merchant.barrels);
    return !rules_check_setup(&merchant, &rule) || rule != RULE_ME1;
}

/* The configured first player and barrels may not fit the players of the command: draw them. */
static void decide_draws(struct command *command, const json_t *object)
{
    struct setup *setup = &command->setup;

    if (!json_object_get(object, "first") && setup->first > setup->players) {
        command->first_is_drawn = true;
    }
    if (!json_object_get(object, "barrels") && !barrels_fit(setup)) {
        command->barrels_are_drawn = true;
    }
    if (command->first_is_drawn) {
        setup->first = PLAYER_NONE;
    }
    if (command->barrels_are_drawn) {
        memset(setup->barrels, 0, sizeof setup->barrels);
    }
}

bool command_read_new_game(json_t *object, const struct wire_defaults *defaults,
                           struct command *command)
{
    const char *key;
    json_t *value;

    command->setup = *defaults->setup;
    command->first_is_drawn = defaults->first_is_drawn;
    command->barrels_are_drawn = defaults->barrels_are_drawn;
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_setup_field(command, key, value)) {
            return false;
        }
    }
    rules_share_harbours(&command->setup);
    rules_form_teams(&command->setup);
    decide_draws(command, object);
    return true;
}
