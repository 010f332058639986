/* The topic `state`. */
#include "view_json.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *peek_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

void read_text(const json_t *object, const char *key, char *text, size_t size)
{
    snprintf(text, size, "%s", peek_text(object, key));
}

uint32_t read_number(const json_t *object, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(object, key));

    return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

bool read_flag(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

enum piece read_piece(const json_t *object, const char *key)
{
    return rules_piece_named(peek_text(object, key));
}

int64_t read_time_ms(const json_t *object, const char *key)
{
    struct tm utc = {0};
    unsigned milliseconds = 0;
    const char *rest = strptime(peek_text(object, key), "%Y-%m-%dT%H:%M:%S", &utc);

    if (!rest) {
        return 0;
    }
    sscanf(rest, ".%3u", &milliseconds);
    return (int64_t)timegm(&utc) * 1000 + milliseconds;
}

enum phase read_phase(const json_t *object, const char *key)
{
    const char *name = peek_text(object, key);

    for (unsigned phase = 0; phase < PHASE_COUNT; phase++) {
        if (strcmp(rules_phase_name((enum phase)phase), name) == 0) {
            return (enum phase)phase;
        }
    }
    return PHASE_LOBBY;
}

static enum status status_named(const char *name)
{
    for (unsigned status = 1; status < STATUS_COUNT; status++) {
        if (strcmp(rules_status_name((enum status)status), name) == 0) {
            return (enum status)status;
        }
    }
    return STATUS_ABSENT;
}

static enum shot shot_named(const char *name)
{
    for (unsigned shot = 1; shot < SHOT_COUNT; shot++) {
        if (strcmp(rules_shot_name((enum shot)shot), name) == 0) {
            return (enum shot)shot;
        }
    }
    return SHOT_NONE;
}

static uint32_t read_pieces(const json_t *list)
{
    uint32_t pieces = 0;
    size_t at;
    const json_t *item;

    json_array_foreach(list, at, item)
    {
        const char *name = json_string_value(item);
        pieces |= name ? bit(rules_piece_named(name)) : 0;
    }
    return pieces & ~UINT32_C(1);
}

static uint32_t read_harbours(const json_t *list)
{
    uint32_t harbours = 0;
    size_t at;
    const json_t *item;

    json_array_foreach(list, at, item)
    {
        const char *name = json_string_value(item);
        harbours |= name ? bit(rules_harbour_named(name)) : 0;
    }
    return harbours & ~UINT32_C(1);
}

static uint32_t read_players_set(const json_t *list)
{
    uint32_t players = 0;
    size_t at;
    const json_t *item;

    json_array_foreach(list, at, item)
    {
        json_int_t player = json_integer_value(item);
        players |= player > 0 && player <= PLAYERS_MAX ? bit((unsigned)player) : 0;
    }
    return players;
}

static void read_player(const json_t *json, struct view_player *player)
{
    *player = (struct view_player){
        .harbours = read_harbours(json_object_get(json, "harbours")),
        .trophies = read_pieces(json_object_get(json, "trophies")),
        .score = (int)json_integer_value(json_object_get(json, "score")),
        .team = read_number(json, "team"),
        .ships = read_number(json, "ships"),
        .towers = read_number(json, "towers"),
        .barrels = read_number(json, "barrels"),
        .out = read_flag(json, "out"),
        .chest = read_flag(json, "chest"),
    };
    read_text(json, "name", player->name, sizeof player->name);
}

static void read_players(struct view *view, const json_t *list)
{
    size_t count = json_array_size(list);

    view->player_count = count < PLAYERS_MAX ? (unsigned)count : PLAYERS_MAX;
    for (unsigned player = 1; player <= view->player_count; player++) {
        read_player(json_array_get(list, player - 1), &view->players[player]);
    }
}

static void read_pieces_in_play(struct view *view, const json_t *pieces)
{
    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        const json_t *json = json_object_get(pieces, rules_piece_name(piece));
        struct view_piece *seen = &view->pieces[piece];
        *seen = (struct view_piece){
            .status = status_named(peek_text(json, "status")),
            .disturbed = read_flag(json, "disturbed"),
            .entangled = read_flag(json, "entangled"),
            .lives = read_number(json, "lives"),
        };
        read_text(json, "cargo", seen->cargo, sizeof seen->cargo);
    }
}

static void read_combats(struct view *view, const json_t *list)
{
    size_t at;
    const json_t *item;

    view->combat_count = 0;
    json_array_foreach(list, at, item)
    {
        struct view_combat combat = {
            .attacker = read_piece(item, "attacker"),
            .target = read_piece(item, "target"),
            .due = read_flag(item, "due"),
        };
        view->pieces[combat.attacker].fighting = true;
        view->pieces[combat.target].fighting = true;
        if (view->combat_count < VIEW_COMBATS_MAX) {
            view->combats[view->combat_count++] = combat;
        }
    }
}

static void read_barrels(struct view *view, const json_t *barrels)
{
    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        view->barrels[harbour] =
            rules_harbour_named(peek_text(barrels, rules_harbour_name(harbour)));
    }
}

bool view_read_state(struct view *view, const json_t *state)
{
    if (read_number(state, "v") != 1) {
        return false;
    }
    view->has_state = true;
    read_text(state, "table", view->table, sizeof view->table);
    read_text(state, "game", view->game, sizeof view->game);
    view->seq = read_number(state, "seq");
    view->phase = read_phase(state, "phase");
    view->turn = read_number(state, "turn");
    view->player = read_number(state, "player");
    read_text(state, "rules", view->rules, sizeof view->rules);
    read_text(state, "scenario", view->scenario, sizeof view->scenario);
    view->teams = read_flag(state, "teams");
    view->die = read_number(state, "die");
    view->left = read_number(state, "left");
    view->shot = shot_named(peek_text(state, "shot"));
    view->shooter = read_piece(state, "shooter");
    read_players(view, json_object_get(state, "players"));
    read_pieces_in_play(view, json_object_get(state, "pieces"));
    read_combats(view, json_object_get(state, "combats"));
    read_text(state, "chest", view->chest, sizeof view->chest);
    read_barrels(view, json_object_get(state, "barrels"));
    view->winners = read_players_set(json_object_get(state, "winners"));
    if (view->player > view->player_count) {
        view->player = PLAYER_NONE;
    }
    return true;
}
