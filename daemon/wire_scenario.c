/* One table of what each scenario has to show. */
#include "wire_scenario.h"

#include <stdio.h>

enum { CARGO_SIZE = 32 };

typedef void put_fn(struct building *state, const struct game *game);

/*
 * Treasure island
 */

static void put_chest(struct building *state, const struct game *game)
{
    enum piece holder = game->scenario.treasure.holder;

    put(state, "chest", holder ? json_piece(holder) : json_string_nocheck("island"));
}

/*
 * Heavy wind
 */

static void put_wind(struct building *state, const struct game *game)
{
    uint32_t caught = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        caught |= (uint32_t)(game->scenario.wind.caught[piece] != 0) << piece;
    }
    put(state, "wind_caught", json_pieces(caught));
    put(state, "wind_moved", json_boolean(game->scenario.wind.moved));
}

/*
 * Merchant
 */

/* Barrels that lie at a harbour, with where they are to go. */
static void put_barrels(struct building *state, const struct game *game)
{
    struct building barrels = begin_object();

    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        const struct barrel *barrel = &game->scenario.merchant.barrels[harbour];
        if (barrel->destination && !barrel->carrier && !barrel->delivered_by) {
            put(&barrels, rules_harbour_name((enum harbour)harbour),
                json_string_nocheck(rules_harbour_name(barrel->destination)));
        }
    }
    put(state, "barrels", finish(&barrels));
}

/*
 * Kraken
 */

static void put_kraken(struct building *state, const struct game *game)
{
    const struct kraken *kraken = &game->scenario.kraken;
    struct building object = begin_object();

    put(&object, "holds", json_piece(kraken->holds));
    put(&object, "moved", json_boolean(kraken->moved));
    put(&object, "free_knots", json_integer(kraken->free_knots));
    put(state, "kraken", finish(&object));
}

static put_fn *const keys[SCENARIO_COUNT] = {
    [SCENARIO_TREASURE_ISLAND] = put_chest,
    [SCENARIO_HEAVY_WIND] = put_wind,
    [SCENARIO_MERCHANT] = put_barrels,
    [SCENARIO_KRAKEN] = put_kraken,
};

void put_scenario(struct building *state, const struct game *game)
{
    put_fn *put_keys = keys[game->setup.scenario];

    if (put_keys) {
        put_keys(state, game);
    }
}

/*
 * What every player and every piece has, empty where the scenario has nothing of it
 */

void put_scenario_of_player(struct building *object, const struct game *game, unsigned player)
{
    bool chest = false;

    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        chest |= rules_has_chest(game, piece) && rules_owner(game, piece) == player;
    }
    put(object, "barrels", json_integer(rules_barrels_delivered(game, player)));
    put(object, "chest", json_boolean(chest));
}

json_t *json_cargo(const struct game *game, enum piece piece)
{
    enum harbour origin = rules_barrel_of(game, piece);
    char cargo[CARGO_SIZE];

    if (rules_has_chest(game, piece)) {
        return json_string_nocheck("chest");
    }
    if (!origin) {
        return json_null();
    }
    snprintf(cargo, sizeof cargo, "barrel-%s",
             rules_harbour_name(game->scenario.merchant.barrels[origin].destination));
    return json_string_nocheck(cargo);
}

json_t *json_lives(const struct game *game, enum piece piece)
{
    return piece == PIECE_MONSTER ? json_integer(rules_monster_lives(game)) : json_null();
}
