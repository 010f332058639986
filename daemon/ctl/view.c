#include "view.h"

#include "local_time.h"
#include "read_json.h"

#include <string.h>

/*
 * Events
 */

/* Where the event belongs in the order of seq. */
static unsigned place_of(const struct view *view, uint32_t seq)
{
    unsigned place = view->event_count;

    while (place > 0 && view->events[place - 1].seq >= seq) {
        place--;
    }
    return place;
}

static bool insert_event(struct view *view, const struct view_event *event)
{
    unsigned place = place_of(view, event->seq);

    if (place < view->event_count && view->events[place].seq == event->seq) {
        return false; /* delivered at least once: this one again */
    }
    if (view->event_count == VIEW_EVENTS_MAX) {
        if (place == 0) {
            return false;
        }
        memmove(view->events, view->events + 1, --view->event_count * sizeof view->events[0]);
        place--;
    }
    memmove(view->events + place + 1, view->events + place,
            (view->event_count - place) * sizeof view->events[0]);
    view->events[place] = *event;
    view->event_count++;
    return true;
}

static bool hear_event(struct view *view, const json_t *json)
{
    struct view_event event = {
        .seq = read_number(json, "seq"),
        .kind = rules_event_named(peek_text(json, "event_type")),
    };

    if (read_number(json, "v") != 1 || event.seq == 0) {
        return false;
    }
    if (strcmp(peek_text(json, "game"), view->events_of) != 0) {
        read_text(json, "game", view->events_of, sizeof view->events_of);
        view->event_count = 0;
    }
    local_time_write(read_time_ms(json, "at"), "%H:%M:%S", event.time, sizeof event.time);
    read_text(json, "message", event.message, sizeof event.message);
    read_text(json, "rule", event.rule, sizeof event.rule);
    return insert_event(view, &event);
}

/*
 * State and rope
 */

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

static bool hear_state(struct view *view, const json_t *state)
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

static bool hear_rope(struct view *view, const json_t *json)
{
    enum { MILLI = 1000 };
    double knots = json_number_value(json_object_get(json, "knots"));

    if (!(knots >= 0 && knots * MILLI <= KNOTS_MILLI_MAX)) {
        knots = 0;
    }
    view->rope = (struct view_rope){
        .knots_milli = (int32_t)(knots * MILLI + 0.5),
        .piece = read_piece(json, "piece"),
        .over = read_flag(json, "over"),
    };
    return true;
}

/*
 * Topics
 */

typedef bool hear_fn(struct view *view, const json_t *json);

static hear_fn *hearer_of(const char *topic)
{
    static const char events[] = "event/";

    if (strncmp(topic, events, strlen(events)) == 0) {
        return hear_event;
    }
    if (strcmp(topic, "state") == 0) {
        return hear_state;
    }
    return strcmp(topic, "rope") == 0 ? hear_rope : NULL;
}

bool view_hear(struct view *view, const char *topic, const void *payload, size_t size)
{
    hear_fn *hear = hearer_of(topic);
    bool is_new = false;

    json_t *json = hear ? json_loadb(payload, size, 0, NULL) : NULL;
    if (json) {
        is_new = hear(view, json);
        json_decref(json);
    }
    return is_new;
}

bool view_hear_history(struct view *view, const void *payload, size_t size)
{
    json_t *reply = json_loadb(payload, size, 0, NULL);
    bool is_new = false;
    size_t at;
    const json_t *event;

    json_array_foreach(json_object_get(reply, "events"), at, event)
    {
        is_new = hear_event(view, event) || is_new;
    }
    json_decref(reply);
    return is_new;
}

const struct view_event *view_last_event(const struct view *view)
{
    return view->event_count ? &view->events[view->event_count - 1] : NULL;
}
