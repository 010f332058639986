/* The game and its score as dashboards see them. */
#include "wire.h"

#include "wire_scenario.h"

static json_t *harbours_of(const struct seat *seat)
{
    struct building list = begin_list();

    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (seat->harbours & (1U << harbour)) {
            append(&list, json_string_nocheck(rules_harbour_name((enum harbour)harbour)));
        }
    }
    return finish(&list);
}

static json_t *trophies_of(const struct game *game, unsigned player)
{
    uint32_t trophies = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        trophies |= (uint32_t)(game->captured_by[piece] == player) << piece;
    }
    return json_pieces(trophies);
}

/* What state and score say alike of a player, in their order; harbours are the state's alone. */
static struct building begin_player(const struct game *game, unsigned player, bool with_harbours)
{
    const struct seat *seat = &game->setup.seats[player];
    struct building object = begin_object();

    put(&object, "id", json_integer(player));
    put(&object, "name", json_text(seat->name));
    if (with_harbours) {
        put(&object, "harbours", harbours_of(seat));
    }
    put(&object, "team", json_player(seat->team));
    put(&object, "score", json_integer(rules_score(game, player)));
    put(&object, "ships", json_integer(rules_ships(game, player)));
    put(&object, "towers", json_integer(rules_towers(game, player)));
    put(&object, "out", json_boolean(rules_is_out(game, player)));
    return object;
}

static json_t *players_of(const struct game *game)
{
    struct building list = begin_list();

    for (unsigned player = 1; player <= game->setup.players; player++) {
        struct building object = begin_player(game, player, true);
        put(&object, "trophies", trophies_of(game, player));
        put_scenario_of_player(&object, game, player);
        append(&list, finish(&object));
    }
    return finish(&list);
}

static json_t *scores_of(const struct game *game)
{
    struct building list = begin_list();

    for (unsigned player = 1; player <= game->setup.players; player++) {
        struct building object = begin_player(game, player, false);
        append(&list, finish(&object));
    }
    return finish(&list);
}

static json_t *pieces_of(const struct game *game)
{
    struct building pieces = begin_object();

    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        if (game->status[piece] == STATUS_ABSENT) {
            continue;
        }
        struct building object = begin_object();
        put(&object, "owner", json_player(rules_owner(game, piece)));
        put(&object, "status", json_string_nocheck(rules_status_name(game->status[piece])));
        put(&object, "by", json_player(game->captured_by[piece]));
        put(&object, "cargo", json_cargo(game, piece));
        put(&object, "disturbed", json_boolean(rules_disturbed(game, piece)));
        put(&object, "entangled", json_boolean(rules_entangled(game, piece)));
        put(&object, "lives", json_lives(game, piece));
        put(&pieces, rules_piece_name(piece), finish(&object));
    }
    return finish(&pieces);
}

static json_t *combats_of(const struct game *game)
{
    struct building list = begin_list();

    for (unsigned i = 0; i < game->combat_count; i++) {
        struct building object = begin_object();
        put(&object, "attacker", json_piece(game->combats[i].attacker));
        put(&object, "target", json_piece(game->combats[i].target));
        put(&object, "due", json_boolean(rules_combat_due(game, i)));
        append(&list, finish(&object));
    }
    return finish(&list);
}

/* Where the game stands, alike in state and score. */
static void put_position(struct building *object, const struct game *game,
                         const struct wire_names *names)
{
    put(object, "game", json_text_or_null(names->game));
    put(object, "seq", json_integer(game->seq));
    put(object, "phase", json_string_nocheck(rules_phase_name(game->phase)));
    put(object, "turn", json_integer(game->turn.number));
    put(object, "player", json_player(game->player));
}

static json_t *numbers_on(const uint8_t *faces, unsigned count)
{
    struct building list = begin_list();

    for (unsigned i = 0; i < count; i++) {
        append(&list, json_integer(faces[i]));
    }
    return finish(&list);
}

static json_t *symbols_on(const uint8_t *faces, unsigned count)
{
    struct building list = begin_list();

    for (unsigned i = 0; i < count; i++) {
        append(&list, json_string_nocheck(rules_face_name(faces[i])));
    }
    return finish(&list);
}

/* What was agreed before the game; nothing yet in the lobby. */
static void put_agreed(struct building *state, const struct setup *setup)
{
    bool agreed = setup->players > 0;

    put(state, "rules",
        agreed ? json_string_nocheck(rules_variant_name(setup->variant)) : json_null());
    put(state, "scenario",
        agreed ? json_string_nocheck(rules_scenario_name(setup->scenario)) : json_null());
    put(state, "teams", json_boolean(setup->teams));
    put(state, "dice", agreed ? json_string_nocheck(rules_dice_name(setup->dice)) : json_null());
    put(state, "move_die", numbers_on(setup->house.move_die, setup->house.move_faces));
    put(state, "combat_die", symbols_on(setup->house.combat_die, setup->house.combat_faces));
}

static void put_turn(struct building *state, const struct turn *turn)
{
    enum shot shot = turn->shot ? turn->shot : SHOT_UNFIRED;

    put(state, "die", turn->die ? json_integer(turn->die) : json_null());
    put(state, "left", json_integer(turn->left));
    put(state, "shot", json_string_nocheck(rules_shot_name(shot)));
    put(state, "shooter", json_piece(turn->shooter));
    put(state, "selected", json_piece(turn->selected));
}

char *wire_state(const struct game *game, const struct wire_names *names)
{
    struct building state = begin_object();

    put(&state, "v", json_integer(WIRE_VERSION));
    put(&state, "table", json_text(names->table));
    put_position(&state, game, names);
    put_agreed(&state, &game->setup);
    put_turn(&state, &game->turn);
    put(&state, "players", players_of(game));
    put(&state, "pieces", pieces_of(game));
    put(&state, "combats", combats_of(game));
    put_scenario(&state, game);
    put(&state, "winners", json_players(rules_winners(game)));
    return finish_text(&state);
}

char *wire_score(const struct game *game, const struct wire_names *names)
{
    struct building score = begin_object();

    put(&score, "v", json_integer(WIRE_VERSION));
    put_position(&score, game, names);
    put(&score, "scores", scores_of(game));
    put(&score, "winners", json_players(rules_winners(game)));
    return finish_text(&score);
}
