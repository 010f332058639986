/* One table of what each scenario has to show. */
#include "scenario.h"

#include <stdio.h>

enum { CARGO_SIZE = 32 };

typedef void put_fn(struct json_text *json, const struct game *game);

/*
 * Treasure island
 */

static void put_chest(struct json_text *json, const struct game *game)
{
    enum piece holder = game->scenario.treasure.holder;

    put_word(json, "chest", holder ? rules_piece_name(holder) : "island");
}

/*
 * Heavy wind
 */

static void put_wind(struct json_text *json, const struct game *game)
{
    uint32_t caught = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        caught |= (uint32_t)(game->scenario.wind.caught[piece] != 0) << piece;
    }
    put_pieces(json, "wind_caught", caught);
    put_truth(json, "wind_moved", game->scenario.wind.moved);
}

/*
 * Merchant
 */

/* Barrels that lie at a harbour, with where they are to go. */
static void put_barrels(struct json_text *json, const struct game *game)
{
    open_object(json, "barrels");
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        const struct barrel *barrel = &game->scenario.merchant.barrels[harbour];
        if (barrel->destination && !barrel->carrier && !barrel->delivered_by) {
            put_word(json, rules_harbour_name((enum harbour)harbour),
                     rules_harbour_name(barrel->destination));
        }
    }
    close_object(json);
}

/*
 * Kraken
 */

static void put_kraken(struct json_text *json, const struct game *game)
{
    const struct kraken *kraken = &game->scenario.kraken;

    open_object(json, "kraken");
    put_piece(json, "holds", kraken->holds);
    put_truth(json, "moved", kraken->moved);
    put_number(json, "free_knots", kraken->free_knots);
    close_object(json);
}

static put_fn *const keys[SCENARIO_COUNT] = {
    [SCENARIO_TREASURE_ISLAND] = put_chest,
    [SCENARIO_HEAVY_WIND] = put_wind,
    [SCENARIO_MERCHANT] = put_barrels,
    [SCENARIO_KRAKEN] = put_kraken,
};

void put_scenario(struct json_text *json, const struct game *game)
{
    put_fn *put_keys = keys[game->setup.scenario];

    if (put_keys) {
        put_keys(json, game);
    }
}

/*
 * What every player and every piece has, empty where the scenario has nothing of it
 */

void put_scenario_of_player(struct json_text *json, const struct game *game, unsigned player)
{
    bool chest = false;

    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        chest |= rules_has_chest(game, piece) && rules_owner(game, piece) == player;
    }
    put_number(json, "barrels", rules_barrels_delivered(game, player));
    put_truth(json, "chest", chest);
}

void put_cargo(struct json_text *json, const struct game *game, enum piece piece)
{
    enum harbour origin = rules_barrel_of(game, piece);
    char cargo[CARGO_SIZE] = "chest";

    if (origin) {
        snprintf(cargo, sizeof cargo, "barrel-%s",
                 rules_harbour_name(game->scenario.merchant.barrels[origin].destination));
    }
    put_word(json, "cargo", origin || rules_has_chest(game, piece) ? cargo : NULL);
}

void put_lives(struct json_text *json, const struct game *game, enum piece piece)
{
    if (piece == PIECE_MONSTER) {
        put_number(json, "lives", rules_monster_lives(game));
    } else {
        put_null(json, "lives");
    }
}
