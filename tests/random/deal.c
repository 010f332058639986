#include "deal.h"

#include <string.h>

/* Every fourth table has numbers of its own, the others play by the book. */
static void draw_house(struct chance *chance, struct house *house)
{
    house->ship_points = (uint8_t)chance_between(chance, 0, HOUSE_POINTS_MAX);
    house->tower_points = (uint8_t)chance_between(chance, 0, HOUSE_POINTS_MAX);
    house->pirate_points = (uint8_t)chance_between(chance, 0, HOUSE_POINTS_MAX);
    house->chest_points = (uint8_t)chance_between(chance, 0, HOUSE_POINTS_MAX);
    house->barrel_points = (uint8_t)chance_between(chance, 0, HOUSE_POINTS_MAX);
    house->monster_lives = (uint8_t)chance_between(chance, 1, HOUSE_SMALL_MAX);
    house->wind_bonus = (uint8_t)chance_between(chance, 0, HOUSE_SMALL_MAX);
    house->kraken_knots = (uint8_t)chance_between(chance, 0, HOUSE_SMALL_MAX);
    house->move_faces = (uint8_t)chance_between(chance, 1, DIE_FACES_MAX);
    house->combat_faces = (uint8_t)chance_between(chance, 1, DIE_FACES_MAX);
    for (unsigned i = 0; i < DIE_FACES_MAX; i++) {
        house->move_die[i] = (uint8_t)chance_between(chance, 1, DIE_VALUE_MAX);
        house->combat_die[i] = (uint8_t)chance_between(chance, FACE_FLAG, FACE_SWORDS);
    }
}

static void swap_seats(struct chance *chance, struct setup *setup)
{
    unsigned one = chance_between(chance, 1, setup->players);
    unsigned two = chance_between(chance, 1, setup->players);
    uint8_t harbours = setup->seats[one].harbours;

    setup->seats[one].harbours = setup->seats[two].harbours;
    setup->seats[two].harbours = harbours;
}

/* Who sits opposite is a friend, or the neighbour is. */
static void draw_teams(struct chance *chance, struct setup *setup)
{
    bool neighbours = chance_percent(chance, 30);

    setup->teams = 1;
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        setup->seats[player].team = (uint8_t)(neighbours ? (player + 1) / 2 : 2 - player % 2);
    }
}

/* ME1: to another harbour in play; with three players the last one is not. */
static void draw_barrels(struct chance *chance, struct setup *setup)
{
    unsigned last = setup->players == 3 ? HARBOUR_GREEN : HARBOUR_YELLOW;

    for (unsigned harbour = HARBOUR_RED; harbour <= last; harbour++) {
        unsigned to = chance_between(chance, HARBOUR_RED, last - 1);
        setup->barrels[harbour] = (uint8_t)(to + (to >= harbour));
    }
}

/* All seats have their usual names, taken or not, so that a name says nothing (see input_list.h).
 */
static void name_seats(struct setup *setup)
{
    struct setup full;

    rules_default_setup(&full, PLAYERS_MAX);
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        memcpy(setup->seats[player].name, full.seats[player].name, NAME_SIZE);
    }
}

void deal_setup(struct chance *chance, unsigned number, struct setup *setup)
{
    unsigned table = number % TABLES;
    unsigned variant = number / TABLES % (VARIANT_COUNT - 1);
    unsigned scenario = number / TABLES / (VARIANT_COUNT - 1) % (SCENARIO_COUNT - 1);

    rules_default_setup(setup, table + 2 < PLAYERS_MAX ? table + 2 : PLAYERS_MAX);
    name_seats(setup);
    setup->variant = (uint8_t)(VARIANT_NONE + 1 + variant);
    setup->scenario = (uint8_t)(SCENARIO_NONE + 1 + scenario);
    setup->dice = (uint8_t)chance_between(chance, DICE_TABLE, DICE_DAEMON);
    setup->first = (uint8_t)chance_between(chance, 1, setup->players);
    swap_seats(chance, setup);
    draw_barrels(chance, setup);
    if (table == TABLES - 1) {
        draw_teams(chance, setup);
    }
    if (chance_percent(chance, 25)) {
        draw_house(chance, &setup->house);
        setup->shot_window_ms = chance_between(chance, SHOT_WINDOW_MIN_MS, SHOT_WINDOW_MAX_MS);
        setup->rope_tolerance_milli = (uint16_t)chance_below(chance, KNOT);
    }
}

void deal_spoil(struct chance *chance, struct setup *setup)
{
    uint8_t any = (uint8_t)chance_next(chance);
    unsigned seat = chance_between(chance, 1, PLAYERS_MAX);
    unsigned face = chance_below(chance, DIE_FACES_MAX);
    unsigned harbour = chance_between(chance, HARBOUR_RED, HARBOUR_YELLOW);
    uint8_t *const victims[] = {
        &setup->players,
        &setup->variant,
        &setup->scenario,
        &setup->teams,
        &setup->dice,
        &setup->first,
        &setup->barrels[harbour],
        &setup->seats[seat].harbours,
        &setup->seats[seat].team,
        (uint8_t *)&setup->seats[seat].name[NAME_SIZE - 1],
        &setup->house.ship_points,
        &setup->house.monster_lives,
        &setup->house.move_faces,
        &setup->house.combat_faces,
        &setup->house.move_die[face],
        &setup->house.combat_die[face],
    };
    unsigned count = sizeof victims / sizeof victims[0];
    unsigned victim = chance_below(chance, count + 2);

    if (victim < count) {
        *victims[victim] = any;
    } else if (victim == count) {
        setup->shot_window_ms = (uint32_t)chance_next(chance);
    } else {
        setup->rope_tolerance_milli = (uint16_t)chance_next(chance);
    }
}
