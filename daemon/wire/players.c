/* The players of new-game: who sits where, and with whom. */
#include "read.h"
#include "rules/rules.h"

#include <string.h>

static bool add_harbour(struct seat *seat, const char *name)
{
    enum harbour harbour = rules_harbour_named(name);

    if (!harbour || (seat->harbours & (1U << harbour))) {
        return false;
    }
    seat->harbours = (uint8_t)(seat->harbours | (1U << harbour));
    return true;
}

static bool add_harbour_word(void *context, char *word)
{
    return add_harbour(context, word);
}

/* A list, or "red, blue" as in the configuration. */
static bool read_harbours(struct seat *seat, json_t *value)
{
    size_t index;
    json_t *name;

    json_array_foreach(value, index, name)
    {
        if (!add_harbour(seat, json_word(name))) {
            return false;
        }
    }
    return read_words(json_word(value), add_harbour_word, seat) && seat->harbours;
}

static bool read_player_member(struct command *command, struct seat *seat, const char *key,
                               json_t *value)
{
    struct nearest nearest = nearest_begin(key);

    if (strcmp(key, "name") == 0) {
        return read_printable(command, "name", value, seat->name, sizeof seat->name);
    }
    if (strcmp(key, "harbours") == 0) {
        return read_harbours(seat, value) ||
               refuse_value(command, "harbours", ONE_OF(RULES_HARBOURS) ", or two of them");
    }
    if (strcmp(key, "team") == 0) {
        seat->team = small_number(value, TEAMS_MAX);
        return seat->team || json_is_null(value) || refuse_value(command, "team", "1 or 2");
    }
    nearest_offer(&nearest, "name");
    nearest_offer(&nearest, "harbours");
    nearest_offer(&nearest, "team");
    return refuse_word(command, REFUSED_BAD_VALUE, "field of a player", &nearest);
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
           refuse_value(command, "players", "a list of objects like {\"name\":\"Anna\"}");
}

/* Seats keep the name they have in the configuration, if one was not given. */
bool read_players(struct command *command, json_t *value)
{
    struct setup usual;
    size_t count = json_array_size(value);

    if (count < PLAYERS_MIN || count > PLAYERS_MAX) {
        return refuse_value(command, "players", "a list of 2 to 4 players");
    }
    rules_default_setup(&usual, (unsigned)count);
    for (unsigned player = 1; player <= count; player++) {
        struct seat *seat = &usual.seats[player];
        seat->harbours = 0;
        if (player <= command->setup.players) {
            memcpy(seat->name, command->setup.seats[player].name, sizeof seat->name);
        }
        if (!read_player(command, seat, json_array_get(value, player - 1))) {
            return false;
        }
    }
    command->setup.players = usual.players;
    memcpy(command->setup.seats, usual.seats, sizeof usual.seats);
    return true;
}
