/* One table of what each scenario has to show. */
#include "wire_scenario.h"

#include <stdio.h>

enum { CARGO_SIZE = 32 };

/*
 * Treasure island
 */

static void put_chest(struct building *state, const struct game *game)
{
    enum piece holder = game->scenario.treasure.holder;

    put(state, "chest", holder ? json_piece(holder) : json_string_nocheck("island"));
}

static void put_chest_held(struct building *object, const struct game *game, unsigned player)
{
    enum piece holder = game->scenario.treasure.holder;

    put(object, "chest", json_boolean(holder && rules_owner(game, holder) == player));
}

static void put_chest_as_cargo(struct building *object, const struct game *game, enum piece piece)
{
    put(object, "cargo", rules_has_chest(game, piece) ? json_string_nocheck("chest") : json_null());
}

/*
 * Sea monster
 */

static void put_lives(struct building *object, const struct game *game, enum piece piece)
{
    put(object, "lives",
        piece == PIECE_MONSTER ? json_integer(rules_monster_lives(game)) : json_null());
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

static void put_delivered(struct building *object, const struct game *game, unsigned player)
{
    unsigned delivered = 0;

    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        delivered += game->scenario.merchant.barrels[harbour].delivered_by == player;
    }
    put(object, "barrels", json_integer(delivered));
}

static void put_barrel_as_cargo(struct building *object, const struct game *game, enum piece piece)
{
    enum harbour origin = rules_barrel_of(game, piece);
    char cargo[CARGO_SIZE];

    if (!origin) {
        put(object, "cargo", json_null());
        return;
    }
    snprintf(cargo, sizeof cargo, "barrel-%s",
             rules_harbour_name(game->scenario.merchant.barrels[origin].destination));
    put(object, "cargo", json_string_nocheck(cargo));
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

static void put_entangled(struct building *object, const struct game *game, enum piece piece)
{
    put(object, "entangled", json_boolean(rules_entangled(game, piece)));
}

static const struct scenario_keys keys[SCENARIO_COUNT] = {
    [SCENARIO_TREASURE_ISLAND] = {put_chest, put_chest_held, put_chest_as_cargo},
    [SCENARIO_SEA_MONSTER] = {.put_in_piece = put_lives},
    [SCENARIO_HEAVY_WIND] = {.put_in_state = put_wind},
    [SCENARIO_MERCHANT] = {put_barrels, put_delivered, put_barrel_as_cargo},
    [SCENARIO_KRAKEN] = {.put_in_state = put_kraken, .put_in_piece = put_entangled},
};

const struct scenario_keys *scenario_keys_of(const struct game *game)
{
    return &keys[game->setup.scenario];
}
