/* G1, G2, T1: the setup of a game and its checks, and the start. */
#include "rules_internal.h"

#include "rules/text.h"

#include <string.h>

static const struct house rulebook = {
    .ship_points = 1,
    .tower_points = 2,
    .pirate_points = 1,
    .chest_points = 3,
    .barrel_points = 2,
    .monster_lives = 2,
    .wind_bonus = 1,
    .kraken_knots = 3,
    .move_faces = 6,
    .move_die = {1, 1, 2, 2, 3, 3},
    .combat_faces = 6,
    .combat_die = {FACE_FLAG, FACE_FLAG, FACE_FLAG, FACE_SWORDS, FACE_SWORDS, FACE_SWORDS},
};

#define SET(harbour) (1U << HARBOUR_##harbour)
static const uint8_t usual_harbours[PLAYER_COUNT][PLAYER_COUNT] = {
    [2] = {0, SET(RED) | SET(BLUE), SET(GREEN) | SET(YELLOW)},
    [3] = {0, SET(RED), SET(BLUE), SET(GREEN)},
    [4] = {0, SET(RED), SET(BLUE), SET(GREEN), SET(YELLOW)},
};

static const char *const usual_names[PLAYER_COUNT] = {"", "Player 1", "Player 2", "Player 3",
                                                      "Player 4"};

void rules_default_setup(struct setup *setup, unsigned players)
{
    memset(setup, 0, sizeof *setup);
    setup->shot_window_ms = SHOT_WINDOW_MS;
    setup->rope_tolerance_milli = ROPE_TOLERANCE_MILLI;
    setup->variant = VARIANT_BASIC;
    setup->scenario = SCENARIO_NO_SCENARIO;
    setup->dice = DICE_TABLE;
    setup->first = 1;
    setup->house = rulebook;
    setup->players = (uint8_t)players;
    for (unsigned player = 1; player <= players && player <= PLAYERS_MAX; player++) {
        setup->seats[player].harbours = usual_harbours[setup->players % PLAYER_COUNT][player];
        memcpy(setup->seats[player].name, usual_names[player], strlen(usual_names[player]) + 1);
    }
}

static uint32_t harbours_taken(const struct setup *setup)
{
    uint32_t taken = 0;

    for (unsigned player = 1; player <= setup->players; player++) {
        taken |= setup->seats[player].harbours;
    }
    return taken;
}

void rules_share_harbours(struct setup *setup)
{
    unsigned each = setup->players == 2 ? 2 : 1;
    uint32_t taken = harbours_taken(setup);

    for (unsigned player = 1; player <= setup->players; player++) {
        uint32_t harbours = setup->seats[player].harbours;
        unsigned missing = harbours ? 0 : each;
        for (unsigned harbour = 1; harbour < HARBOUR_COUNT && missing; harbour++) {
            if (!(taken & bit(harbour))) {
                harbours |= bit(harbour);
                taken |= bit(harbour);
                missing--;
            }
        }
        setup->seats[player].harbours = (uint8_t)harbours;
    }
}

/* The team of a player when opposite players play together and player 1 is in team first. */
static uint8_t opposite_team(unsigned player, unsigned first)
{
    return (player % 2 == 1) == (first == 1) ? 1 : 2;
}

static bool choices_allow(const struct setup *setup, unsigned first)
{
    for (unsigned player = 1; player <= setup->players; player++) {
        unsigned team = setup->seats[player].team;
        if (team && team != opposite_team(player, first)) {
            return false;
        }
    }
    return true;
}

static unsigned count_members(const struct setup *setup, unsigned team)
{
    unsigned members = 0;

    for (unsigned player = 1; player <= setup->players; player++) {
        members += setup->seats[player].team == team;
    }
    return members;
}

void rules_form_teams(struct setup *setup)
{
    unsigned first = choices_allow(setup, 1) ? 1 : choices_allow(setup, 2) ? 2 : 0;

    for (unsigned player = 1; player <= setup->players; player++) {
        uint8_t *team = &setup->seats[player].team;
        if (!setup->teams) {
            *team = 0;
        } else if (*team == 0) {
            *team = first ? opposite_team(player, first) : count_members(setup, 1) < 2 ? 1 : 2;
        }
    }
}

/* G1: four harbours with 2 and 4 players, three with 3; every harbour has one owner. */
static bool harbours_fit(const struct setup *setup)
{
    const uint32_t all = SET(RED) | SET(BLUE) | SET(GREEN) | SET(YELLOW);
    unsigned each = setup->players == 2 ? 2 : 1;
    uint32_t taken = 0;

    for (unsigned player = 1; player <= setup->players; player++) {
        uint32_t harbours = setup->seats[player].harbours;
        if ((harbours & ~all) || (harbours & taken) || count_bits(harbours) != each) {
            return false;
        }
        taken |= harbours;
    }
    return true;
}

/* T1: two teams of two. */
static bool teams_fit(const struct setup *setup)
{
    unsigned members[TEAMS_MAX + 1] = {0};

    if (!setup->teams) {
        return true;
    }
    if (setup->players != 4) {
        return false;
    }
    for (unsigned player = 1; player <= setup->players; player++) {
        if (setup->seats[player].team < 1 || setup->seats[player].team > TEAMS_MAX) {
            return false;
        }
        members[setup->seats[player].team]++;
    }
    return members[1] == 2;
}

static bool dice_fit(const struct house *house)
{
    if (house->move_faces < 1 || house->move_faces > DIE_FACES_MAX || house->combat_faces < 1 ||
        house->combat_faces > DIE_FACES_MAX) {
        return false;
    }
    for (unsigned i = 0; i < house->move_faces; i++) {
        if (house->move_die[i] < 1 || house->move_die[i] > DIE_VALUE_MAX) {
            return false;
        }
    }
    for (unsigned i = 0; i < house->combat_faces; i++) {
        if (house->combat_die[i] == FACE_NONE || house->combat_die[i] >= FACE_COUNT) {
            return false;
        }
    }
    return true;
}

static bool house_fits(const struct house *house)
{
    return house->ship_points <= HOUSE_POINTS_MAX && house->tower_points <= HOUSE_POINTS_MAX &&
           house->pirate_points <= HOUSE_POINTS_MAX && house->chest_points <= HOUSE_POINTS_MAX &&
           house->barrel_points <= HOUSE_POINTS_MAX && house->monster_lives >= 1 &&
           house->monster_lives <= HOUSE_SMALL_MAX && house->wind_bonus <= HOUSE_SMALL_MAX &&
           house->kraken_knots <= HOUSE_SMALL_MAX && dice_fit(house);
}

bool rules_is_name(const char *name)
{
    return text_count_characters(name) <= NAME_CHARACTERS_MAX && text_is_plain(name) &&
           !text_is_invisible(name);
}

/* Recorded games may have names that rules_is_name does not accept any more. */
static bool names_fit(const struct setup *setup)
{
    for (unsigned player = 1; player <= setup->players; player++) {
        if (setup->seats[player].name[NAME_SIZE - 1] != '\0') {
            return false;
        }
    }
    return true;
}

static bool draw_fits(const struct setup *setup)
{
    const struct scenario *scenario = scenario_of_setup(setup);

    return !scenario->draw_fits || scenario->draw_fits(setup);
}

static bool choices_fit(const struct setup *setup)
{
    return setup->variant > VARIANT_NONE && setup->variant < VARIANT_COUNT &&
           setup->scenario > SCENARIO_NONE && setup->scenario < SCENARIO_COUNT &&
           setup->dice > DICE_NONE && setup->dice < DICE_COUNT &&
           setup->shot_window_ms >= SHOT_WINDOW_MIN_MS &&
           setup->shot_window_ms <= SHOT_WINDOW_MAX_MS && setup->rope_tolerance_milli < KNOT;
}

int rules_check_setup(const struct setup *setup, enum rule *rule)
{
    if (setup->players < PLAYERS_MIN || setup->players > PLAYERS_MAX || !harbours_fit(setup)) {
        *rule = RULE_G1;
    } else if (!choices_fit(setup) || !house_fits(&setup->house) || !names_fit(setup)) {
        *rule = RULE_NONE;
    } else if (setup->first < 1 || setup->first > setup->players) {
        *rule = RULE_G2;
    } else if (!teams_fit(setup)) {
        *rule = RULE_T1;
    } else if (!draw_fits(setup)) {
        *rule = scenario_of_setup(setup)->draw_rule;
    } else {
        return 0;
    }
    return REFUSED_BAD_VALUE;
}

uint32_t rules_standing_pieces(const struct setup *setup)
{
    const struct game game = {.setup = *setup};
    uint32_t pieces = 0;

    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++) {
        if ((rules_owner(&game, piece) || is_neutral(&game, piece)) && can_topple(&game, piece)) {
            pieces |= bit(piece);
        }
    }
    return pieces;
}

static void place_pieces(struct game *game)
{
    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++) {
        if (rules_owner(game, piece) || is_neutral(game, piece) || is_tile(game, piece)) {
            game->status[piece] = STATUS_STANDING;
        }
    }
}

int new_game(struct game *game, const struct input *input, struct outcome *out)
{
    enum rule rule;

    if (game->phase != PHASE_LOBBY && game->phase != PHASE_OVER && !input->abandon) {
        return refuse(out, REFUSED_GAME_RUNNING, RULE_NONE);
    }
    if (!input->setup) {
        return refuse(out, REFUSED_MISSING_FIELD, RULE_NONE);
    }
    if (rules_check_setup(input->setup, &rule)) {
        return refuse(out, REFUSED_BAD_VALUE, rule);
    }
    memset(game, 0, sizeof *game);
    game->setup = *input->setup;
    place_pieces(game);
    const struct scenario *scenario = scenario_of(game);
    if (scenario->begin_game) {
        scenario->begin_game(game);
    }
    game->player = game->setup.first;
    emit(game, out, EVENT_GAME_STARTED, RULE_G2)->by = game->player;
    begin_turn(game, out);
    return 0;
}
