/* new-game: the configuration, with the command's wishes laid over it. */
#include "read.h"
#include "rules/rules.h"

#include <string.h>

/* true and false, or yes and no as in the configuration. */
static bool read_bool(const json_t *value, bool *is)
{
    bool yes = json_is_true(value) || strcmp(json_word(value), "yes") == 0;

    if (!yes && !json_is_false(value) && strcmp(json_word(value), "no") != 0) {
        return false;
    }
    *is = yes;
    return true;
}

static bool read_rules(struct command *command, json_t *value)
{
    command->setup.variant = (uint8_t)rules_variant_named(json_word(value));
    return command->setup.variant ||
           REFUSE_NAME(command, "rules", json_word(value), RULES_VARIANTS);
}

static bool read_scenario(struct command *command, json_t *value)
{
    command->setup.scenario = (uint8_t)rules_scenario_named(json_word(value));
    return command->setup.scenario ||
           REFUSE_NAME(command, "scenario", json_word(value), RULES_SCENARIOS);
}

static bool read_teams(struct command *command, json_t *value)
{
    bool teams;

    if (!read_bool(value, &teams)) {
        return refuse_value(command, "teams", "true or false");
    }
    command->setup.teams = teams;
    return true;
}

static bool read_dice(struct command *command, json_t *value)
{
    command->setup.dice = (uint8_t)rules_dice_named(json_word(value));
    return command->setup.dice || REFUSE_NAME(command, "dice", json_word(value), RULES_DICE);
}

static bool read_first(struct command *command, json_t *value)
{
    const char *word = json_word(value);

    command->first_is_drawn = strcmp(word, "draw") == 0 || strcmp(word, "random") == 0;
    command->setup.first = small_number(value, PLAYERS_MAX);
    return command->first_is_drawn || command->setup.first ||
           refuse_value(command, "first", "\"draw\" or the number of a player, 1 to 4");
}

static bool read_abandon(struct command *command, json_t *value)
{
    return read_bool(value, &command->input.abandon) ||
           refuse_value(command, "abandon", "true or false");
}

static bool read_anyway(struct command *command, json_t *value)
{
    return read_bool(value, &command->anyway) || refuse_value(command, "anyway", "true or false");
}

/*
 * Barrels: {"red": "blue", ...} or "red:blue,..." as in the configuration
 */

static bool set_barrel(struct setup *setup, const char *from, const char *to)
{
    enum harbour harbour = rules_harbour_named(from);
    enum harbour destination = rules_harbour_named(to);

    if (!harbour || !destination || setup->barrels[harbour]) {
        return false;
    }
    setup->barrels[harbour] = (uint8_t)destination;
    return true;
}

static bool set_barrel_pair(void *context, char *pair)
{
    const char *from = strsep(&pair, ":");

    return pair && set_barrel(context, from, pair);
}

static bool read_barrel_object(struct setup *setup, json_t *object)
{
    const char *harbour;
    json_t *destination;

    json_object_foreach(object, harbour, destination)
    {
        if (!set_barrel(setup, harbour, json_word(destination))) {
            return false;
        }
    }
    return json_is_object(object);
}

static bool read_barrels(struct command *command, json_t *value)
{
    command->barrels_are_drawn = false;
    memset(command->setup.barrels, 0, sizeof command->setup.barrels);
    bool fit = json_is_string(value)
                   ? read_words(json_string_value(value), set_barrel_pair, &command->setup)
                   : read_barrel_object(&command->setup, value);
    return fit || refuse_value(command, "barrels",
                               "harbours with where their barrels go, like {\"red\":\"blue\"}");
}

/*
 * What was left open
 */

/* ME1: whether the barrels fit these players, as the rules see it. */
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

/* What the configuration says of the first player and the barrels may not fit other players. */
static void settle_draws(struct command *command, const json_t *object)
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

static const struct {
    const char *key;
    bool (*read)(struct command *command, json_t *value);
} fields[] = {
    {"rules", read_rules},     {"scenario", read_scenario}, {"teams", read_teams},
    {"dice", read_dice},       {"first", read_first},       {"players", read_players},
    {"barrels", read_barrels}, {"abandon", read_abandon},   {"anyway", read_anyway},
};

static bool read_wish(struct command *command, const char *key, json_t *value)
{
    struct nearest nearest = nearest_begin(key);

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(fields[i].key, key) == 0) {
            return fields[i].read(command, value);
        }
        nearest_offer(&nearest, fields[i].key);
    }
    return refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

bool read_new_game(json_t *object, const struct wire_defaults *defaults, struct command *command)
{
    const char *key;
    json_t *value;

    command->setup = *defaults->setup;
    command->first_is_drawn = defaults->first_is_drawn;
    command->barrels_are_drawn = defaults->barrels_are_drawn;
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_wish(command, key, value)) {
            return false;
        }
    }
    rules_share_harbours(&command->setup);
    rules_form_teams(&command->setup);
    settle_draws(command, object);
    return true;
}
