/* The state of the game, with what scenarios add to it, and the score. */
#include "wire/wire.h"

#include "json_internal.h"

#include <stdio.h>

enum { CARGO_SIZE = 32 };

/*
 * Scenarios
 */

typedef void put_fn(struct json_text *json, const struct game *game);

static void put_chest(struct json_text *json, const struct game *game)
{
    enum piece holder = game->scenario.treasure.holder;

    put_word(json, "chest", holder ? rules_piece_name(holder) : "island");
}

static void put_wind(struct json_text *json, const struct game *game)
{
    uint32_t caught = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        caught |= (uint32_t)(game->scenario.wind.caught[piece] != 0) << piece;
    }
    put_pieces(json, "wind_caught", caught);
    put_truth(json, "wind_moved", game->scenario.wind.moved);
}

/* Barrels that are still at their harbour, with their destinations. */
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

static void put_kraken(struct json_text *json, const struct game *game)
{
    const struct kraken *kraken = &game->scenario.kraken;

    open_object(json, "kraken");
    put_piece(json, "holds", kraken->holds);
    put_truth(json, "moved", kraken->moved);
    put_number(json, "free_knots", kraken->free_knots);
    close_object(json);
}

/* The keys that a scenario adds to the state. */
static put_fn *const scenario_keys[SCENARIO_COUNT] = {
    [SCENARIO_TREASURE_ISLAND] = put_chest,
    [SCENARIO_HEAVY_WIND] = put_wind,
    [SCENARIO_MERCHANT] = put_barrels,
    [SCENARIO_KRAKEN] = put_kraken,
};

static void put_scenario(struct json_text *json, const struct game *game)
{
    put_fn *put_keys = scenario_keys[game->setup.scenario];

    if (put_keys) {
        put_keys(json, game);
    }
}

static void put_scenario_of_player(struct json_text *json, const struct game *game, unsigned player)
{
    bool chest = false;

    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        chest |= rules_has_chest(game, piece) && rules_owner(game, piece) == player;
    }
    put_number(json, "barrels", rules_barrels_delivered(game, player));
    put_truth(json, "chest", chest);
}

static void put_cargo(struct json_text *json, const struct game *game, enum piece piece)
{
    enum harbour origin = rules_barrel_of(game, piece);
    char cargo[CARGO_SIZE] = "chest";

    if (origin) {
        snprintf(cargo, sizeof cargo, "barrel-%s",
                 rules_harbour_name(game->scenario.merchant.barrels[origin].destination));
    }
    put_word(json, "cargo", origin || rules_has_chest(game, piece) ? cargo : NULL);
}

static void put_lives(struct json_text *json, const struct game *game, enum piece piece)
{
    if (piece == PIECE_MONSTER) {
        put_number(json, "lives", rules_monster_lives(game));
    } else {
        put_null(json, "lives");
    }
}

/*
 * Players and pieces
 */

static void put_trophies(struct json_text *json, const struct game *game, unsigned player)
{
    uint32_t trophies = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        trophies |= (uint32_t)(game->captured_by[piece] == player) << piece;
    }
    put_pieces(json, "trophies", trophies);
}

/* The keys of a player that state and score share; only the state has harbours. */
static void put_player_summary(struct json_text *json, const struct game *game, unsigned player,
                               bool with_harbours)
{
    const struct seat *seat = &game->setup.seats[player];

    put_number(json, "id", player);
    put_text(json, "name", seat->name);
    if (with_harbours) {
        put_harbours(json, seat->harbours);
    }
    put_player(json, "team", seat->team);
    put_number(json, "score", rules_score(game, player));
    put_number(json, "ships", rules_ships(game, player));
    put_number(json, "towers", rules_towers(game, player));
    put_truth(json, "out", rules_is_out(game, player));
}

static void put_all_players(struct json_text *json, const struct game *game)
{
    open_list(json, "players");
    for (unsigned player = 1; player <= game->setup.players; player++) {
        open_object(json, NULL);
        put_player_summary(json, game, player, true);
        put_trophies(json, game, player);
        put_scenario_of_player(json, game, player);
        close_object(json);
    }
    close_list(json);
}

static void put_scores(struct json_text *json, const struct game *game)
{
    open_list(json, "scores");
    for (unsigned player = 1; player <= game->setup.players; player++) {
        open_object(json, NULL);
        put_player_summary(json, game, player, false);
        close_object(json);
    }
    close_list(json);
}

static void put_all_pieces(struct json_text *json, const struct game *game)
{
    open_object(json, "pieces");
    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        if (game->status[piece] == STATUS_ABSENT) {
            continue;
        }
        open_object(json, rules_piece_name(piece));
        put_player(json, "owner", rules_owner(game, piece));
        put_word(json, "status", rules_status_name(game->status[piece]));
        put_player(json, "by", game->captured_by[piece]);
        put_cargo(json, game, piece);
        put_truth(json, "disturbed", rules_disturbed(game, piece));
        put_truth(json, "entangled", rules_entangled(game, piece));
        put_lives(json, game, piece);
        close_object(json);
    }
    close_object(json);
}

static void put_combats(struct json_text *json, const struct game *game)
{
    open_list(json, "combats");
    for (unsigned i = 0; i < game->combat_count; i++) {
        open_object(json, NULL);
        put_piece(json, "attacker", game->combats[i].attacker);
        put_piece(json, "target", game->combats[i].target);
        put_truth(json, "due", rules_combat_due(game, i));
        close_object(json);
    }
    close_list(json);
}

/* The keys of the game that state and score share. */
static void put_position(struct json_text *json, const struct game *game,
                         const struct wire_names *names)
{
    put_text_or_null(json, "game", names->game);
    put_number(json, "seq", game->seq);
    put_word(json, "phase", rules_phase_name(game->phase));
    put_number(json, "turn", game->turn.number);
    put_player(json, "player", game->player);
}

static void put_dice(struct json_text *json, const struct house *house)
{
    open_list(json, "move_die");
    for (unsigned i = 0; i < house->move_faces; i++) {
        put_number(json, NULL, house->move_die[i]);
    }
    close_list(json);
    open_list(json, "combat_die");
    for (unsigned i = 0; i < house->combat_faces; i++) {
        put_word(json, NULL, rules_face_name(house->combat_die[i]));
    }
    close_list(json);
}

/* The setup; null in the lobby. */
static void put_setup(struct json_text *json, const struct setup *setup)
{
    bool is_known = setup->players > 0;

    put_word(json, "rules", is_known ? rules_variant_name(setup->variant) : NULL);
    put_word(json, "scenario", is_known ? rules_scenario_name(setup->scenario) : NULL);
    put_truth(json, "teams", setup->teams);
    put_word(json, "dice", is_known ? rules_dice_name(setup->dice) : NULL);
    put_dice(json, &setup->house);
    put_number(json, "shot_window_ms", setup->shot_window_ms);
}

static void put_turn(struct json_text *json, const struct turn *turn)
{
    enum shot shot = turn->shot ? turn->shot : SHOT_UNFIRED;

    if (turn->die) {
        put_number(json, "die", turn->die);
    } else {
        put_null(json, "die");
    }
    put_number(json, "left", turn->left);
    put_word(json, "shot", rules_shot_name(shot));
    put_piece(json, "shooter", turn->shooter);
    put_piece(json, "selected", turn->selected);
}

char *wire_state(const struct game *game, const struct wire_names *names)
{
    struct json_text json = json_begin();

    put_number(&json, "v", WIRE_VERSION);
    put_text(&json, "table", names->table);
    put_position(&json, game, names);
    put_setup(&json, &game->setup);
    put_turn(&json, &game->turn);
    put_all_players(&json, game);
    put_all_pieces(&json, game);
    put_combats(&json, game);
    put_scenario(&json, game);
    put_players(&json, "winners", rules_winners(game));
    return json_end(&json);
}

char *wire_score(const struct game *game, const struct wire_names *names)
{
    struct json_text json = json_begin();

    put_number(&json, "v", WIRE_VERSION);
    put_position(&json, game, names);
    put_scores(&json, game);
    put_players(&json, "winners", rules_winners(game));
    return json_end(&json);
}
