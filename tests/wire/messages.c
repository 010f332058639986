#include "messages.h"

#include "tests/support/script.h"
#include "wire/wire.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TOPIC_TEXT_SIZE = 64 };

/* 2024-05-31T18:03:07.042Z */
static const int64_t wall_ms = INT64_C(1717178587042);

static const struct wire_names names = {.table = "den", .game = "20240531-180000-1a2b"};
static const struct wire_names lobby_names = {.table = "den", .game = ""};

struct listener {
    message_fn *emit;
    void *context;
};

/* Emits a payload and frees it. */
static void emit(const struct listener *listener, const char *topic, char *payload)
{
    assert(payload);
    listener->emit(listener->context, topic, payload);
    free(payload);
}

/*
 * Positions: each script ends in a game that has something to show of its scenario.
 */

#define FOUR "player Anna red\nplayer Ben blue\nplayer Cleo green\nplayer Dora yellow\nfirst 1\n"

static const char *const positions[] = {
    "player Anna red+green\nplayer Bj\xc3\xb6rn blue+yellow\nfirst 2\nnew-game\n",

    "player Anna red team 1\nplayer Ben blue team 2\nplayer Cleo green team 1\n"
    "player Dora yellow team 2\nfirst 1\n"
    "new-game\naim red-1\nball-left\ntoppled blue-1\ntoppled red-2\n",

    "rules advanced\n" FOUR "new-game\nball-left\ntoppled blue-1\nend-phase\nroll-move 3\n"
    "select red-1\nmove red-1 1.6\nend-phase\nengage red-1 blue-2\n",

    "scenario treasure-island\n" FOUR "new-game\nend-phase\nroll-move 3\nmove red-1 2\n"
    "take-chest red-1\n",

    "scenario pirate-ship\n" FOUR "new-game\nball-left\ntoppled pirate\n",

    "scenario sea-monster\n" FOUR "new-game\nball-left\ntoppled monster\n",

    "scenario heavy-wind\n" FOUR "new-game\nend-phase\nroll-move 2\ncatch-wind red-2\nmove-wind\n",

    "scenario merchant\nbarrel red to blue\nbarrel blue to green\nbarrel green to yellow\n"
    "barrel yellow to red\n" FOUR
    "new-game\nend-phase\nroll-move 3\nload-barrel red-1 red\nmove red-1 1\n"
    "deliver-barrel red-1 blue\nload-barrel red-2 green\n",

    "scenario kraken\n" FOUR "new-game\nend-phase\nroll-move 3\nmove kraken 2\n"
    "entangle blue-1\n",
};

static void remember_game(void *context, const struct script_step *step)
{
    struct game *game = context;

    assert(!step->refusal);
    *game = *step->game;
}

static void ignore_line(void *context, const char *text)
{
    (void)context;
    (void)text;
}

static struct game play(const char *script)
{
    const struct script_listener listener = {.line = ignore_line, .step = remember_game};
    struct game game = {0};
    FILE *file = fmemopen((void *)(uintptr_t)script, strlen(script), "r");

    assert(file);
    int line = script_play(file, &listener, &game);
    assert(line == 0);
    (void)line;
    fclose(file);
    return game;
}

struct game messages_game(void)
{
    return play(FOUR "new-game\n");
}

/* Without undo, for which a position is not enough. */
static void emit_choices(const struct listener *listener, const struct game *game,
                         const struct wire_names *named)
{
    struct play position = {.game = *game};
    struct choices choices;

    choices_list(&position, 0, &choices);
    emit(listener, "choices", wire_choices(game, &choices, named));
}

static void emit_game(const struct listener *listener, const struct game *game,
                      const struct wire_names *named)
{
    emit_choices(listener, game, named);
    emit(listener, "state", wire_state(game, named));
    emit(listener, "score", wire_score(game, named));
}

static void emit_undo(const struct listener *listener)
{
    const struct choices choices = {
        .count = 1,
        .list = {{.verb = INPUT_UNDO}},
        .undo = "Anna rolled a 3.",
    };
    struct game game = messages_game();

    emit(listener, "choices", wire_choices(&game, &choices, &names));
}

static void emit_positions(const struct listener *listener)
{
    static const struct game lobby;

    emit_game(listener, &lobby, &lobby_names);
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        struct game game = play(positions[i]);
        emit_game(listener, &game, &names);
    }
}

/*
 * Events: one of each kind, with all that it can have.
 */

#define SET_OF(piece) (UINT32_C(1) << PIECE_##piece)

static const struct event events[] = {
    {.kind = EVENT_GAME_STARTED, .rule = RULE_G2, .by = 1},
    {.kind = EVENT_TURN_STARTED, .rule = RULE_G2},
    {.kind = EVENT_PHASE_STARTED, .rule = RULE_G3, .phase = PHASE_MOVING},
    {.kind = EVENT_AIMED, .rule = RULE_S1, .piece = PIECE_RED_1},
    {.kind = EVENT_SHOT_FIRED, .rule = RULE_S2, .piece = PIECE_RED_1, .speed_mmps = 4120},
    {.kind = EVENT_SHOT_FIRED, .rule = RULE_S2},
    {.kind = EVENT_SHOT_HIT, .rule = RULE_S4, .piece = PIECE_BLUE_TOWER},
    {.kind = EVENT_SHOT_OVER, .rule = RULE_S6, .pieces = SET_OF(BLUE_TOWER)},
    {.kind = EVENT_SHOT_OVER, .rule = RULE_S9},
    {.kind = EVENT_PIECE_TOPPLED, .rule = RULE_S3, .piece = PIECE_BLUE_1},
    {.kind = EVENT_PIECE_CAPTURED,
     .rule = RULE_S3,
     .piece = PIECE_BLUE_1,
     .by = 1,
     .how = HOW_SHOT},
    {.kind = EVENT_PIECE_CAPTURED,
     .rule = RULE_C2,
     .piece = PIECE_BLUE_1,
     .by = 1,
     .other = PIECE_RED_1,
     .how = HOW_COMBAT},
    {.kind = EVENT_PIECE_LOST, .rule = RULE_PS3, .piece = PIECE_BLUE_1, .other = PIECE_PIRATE},
    {.kind = EVENT_PIECE_REPAIRED, .rule = RULE_A3, .piece = PIECE_RED_2},
    {.kind = EVENT_PIECE_RESTORED, .rule = RULE_S7, .piece = PIECE_RED_2},
    {.kind = EVENT_DISTURBANCE, .rule = RULE_S7, .pieces = SET_OF(RED_1) | SET_OF(GREEN_TOWER)},
    {.kind = EVENT_FOUL, .rule = RULE_S8, .speed_mmps = 3005},
    {.kind = EVENT_MOVE_ROLLED, .rule = RULE_M1, .value = 3},
    {.kind = EVENT_PIECE_SELECTED, .piece = PIECE_RED_1, .left = 3},
    {.kind = EVENT_PIECE_MOVED,
     .rule = RULE_M4,
     .piece = PIECE_RED_1,
     .knots_milli = 1620,
     .cost = 2,
     .left = 1},
    {.kind = EVENT_PIECE_MOVED, .rule = RULE_M4, .knots_milli = 1000, .cost = 1},
    {.kind = EVENT_ROPE_OVER, .rule = RULE_M5, .piece = PIECE_RED_1, .knots_milli = 3205},
    {.kind = EVENT_COMBAT_STARTED, .rule = RULE_C1, .piece = PIECE_RED_1, .other = PIECE_BLUE_1},
    {.kind = EVENT_COMBAT_ROLLED,
     .rule = RULE_C2,
     .piece = PIECE_RED_1,
     .other = PIECE_BLUE_1,
     .value = FACE_SWORDS},
    {.kind = EVENT_COMBAT_ENDED, .rule = RULE_C6, .piece = PIECE_RED_1, .other = PIECE_BLUE_1},
    {.kind = EVENT_CHEST_TAKEN, .rule = RULE_TI1, .piece = PIECE_RED_1},
    {.kind = EVENT_CHEST_MOVED, .rule = RULE_TI2, .piece = PIECE_RED_1, .other = PIECE_BLUE_1},
    {.kind = EVENT_CHEST_MOVED, .rule = RULE_TI3, .piece = PIECE_RED_1},
    {.kind = EVENT_BARREL_LOADED,
     .rule = RULE_ME2,
     .piece = PIECE_RED_1,
     .harbour = HARBOUR_RED,
     .barrel = HARBOUR_BLUE},
    {.kind = EVENT_BARREL_DELIVERED,
     .rule = RULE_ME3,
     .piece = PIECE_RED_1,
     .harbour = HARBOUR_BLUE,
     .by = 1},
    {.kind = EVENT_BARREL_MOVED,
     .rule = RULE_ME5,
     .piece = PIECE_RED_1,
     .other = PIECE_BLUE_1,
     .barrel = HARBOUR_BLUE},
    {.kind = EVENT_BARREL_MOVED,
     .rule = RULE_ME5,
     .piece = PIECE_RED_1,
     .harbour = HARBOUR_RED,
     .barrel = HARBOUR_BLUE},
    {.kind = EVENT_WIND_CAUGHT, .rule = RULE_HW1, .piece = PIECE_RED_1, .left = 3},
    {.kind = EVENT_WIND_MOVED, .rule = RULE_HW2, .left = 1},
    {.kind = EVENT_SHIP_ENTANGLED, .rule = RULE_KR2, .piece = PIECE_BLUE_1},
    {.kind = EVENT_SHIP_RELEASED, .rule = RULE_KR4, .piece = PIECE_BLUE_1},
    {.kind = EVENT_MONSTER_WOUNDED, .rule = RULE_SM3, .value = 1},
    {.kind = EVENT_MONSTER_KILLED, .rule = RULE_SM3, .by = 1},
    {.kind = EVENT_PLAYER_OUT, .rule = RULE_E1, .by = 4},
    {.kind = EVENT_GAME_OVER,
     .rule = RULE_E3,
     .winners = 1U << 1 | 1U << 3,
     .ranking = {{.player = 1, .place = 1, .points = 5, .towers = 1},
                 {.player = 3, .place = 1, .points = 5, .towers = 1},
                 {.player = 2, .place = 3, .points = 2},
                 {.player = 4, .place = 4, .points = 6, .towers = 2}}},
    {.kind = EVENT_UNDONE,
     .undone = INPUT_MOVE,
     .piece = PIECE_RED_1,
     .knots_milli = 2 * KNOT,
     .from = 12,
     .to = 15},
    {.kind = EVENT_SENSOR_FAULT, .sensor = "blue-2.tilt", .health = HEALTH_CHATTERING},
    {.kind = EVENT_SENSOR_OK, .sensor = "blue-2.tilt"},
};

static void emit_event(const struct listener *listener, const struct game *game,
                       const struct event *event, const struct evidence *evidence,
                       const char *sensor)
{
    char topic[TOPIC_TEXT_SIZE];

    snprintf(topic, sizeof topic, "event/%s", rules_event_name(event->kind));
    emit(listener, topic, wire_event(game, event, &names, wall_ms, evidence, sensor));
}

static void emit_events(const struct listener *listener)
{
    static const struct evidence beam = {
        .at_us = 81273000114, .width_us = 5120, .sensor = SENSOR_CANNON_BEAM};
    static const struct evidence tilt = {.at_us = 81273500000,
                                         .settle_us = 150000,
                                         .bounces = 3,
                                         .sensor = SENSOR_TILT + PIECE_BLUE_1};
    const struct game game = messages_game();

    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        struct event event = events[i];
        event.seq = (uint32_t)(i + 1);
        event.turn = 7;
        event.player = 1;
        if (event.kind == EVENT_SHOT_FIRED) {
            emit_event(listener, &game, &event, &beam, "cannon.beam");
        } else if (event.kind == EVENT_PIECE_TOPPLED) {
            emit_event(listener, &game, &event, &tilt, "blue-1.tilt");
        } else {
            emit_event(listener, &game, &event, NULL, NULL);
        }
    }
}

/*
 * The rest
 */

static void emit_ready(const struct listener *listener)
{
    static const struct wire_problem problems[] = {
        {.sensor = "blue-2.tilt",
         .piece = PIECE_BLUE_2,
         .message = "blue-2 lies on its side: stand it up.",
         .blocks = true},
        {.sensor = "cannon.beam",
         .message = "cannon.beam is stuck: do not rely on it, look yourself."},
    };

    emit(listener, "ready", wire_ready(&(struct wire_ready){.check = "resume", .ready = true}));
    emit(listener, "ready",
         wire_ready(&(struct wire_ready){
             .check = "start", .autostart = true, .problems = problems, .problem_count = 2}));
}

static void emit_radio(const struct listener *listener)
{
    static const char *const odd[] = {"odd"};
    const struct radio_link unknown = {RADIO_UNKNOWN, RADIO_UNKNOWN, RADIO_UNKNOWN};
    const struct radio_link link = {.battery = 97, .linkquality = 131, .rssi = -61};
    const struct wire_candidate candidate = {"ship-a", "mqtt zigbee2mqtt/ship-a contact=false"};
    struct wire_sensor sensor = {.health = HEALTH_SILENT,
                                 .source = "mqtt",
                                 .line = "mqtt zigbee2mqtt/ship-a",
                                 .link = &unknown};
    struct wire_pairing pairing = {.sensor = "red-1.tilt", .step = "tip", .message = "Tip it."};

    emit(listener, "sensor/red-1/tilt", wire_sensor(&sensor));
    sensor.heard_wall_ms = wall_ms;
    sensor.link = &link;
    emit(listener, "sensor/red-1/tilt", wire_sensor(&sensor));
    emit(listener, "sensor/red-1/tilt",
         wire_sensor(&(struct wire_sensor){.health = HEALTH_OK, .source = "sim", .line = ""}));
    emit(listener, "pairing", wire_pairing(&pairing));
    pairing.step = "failed";
    pairing.reason = "timeout";
    pairing.candidates = &candidate;
    pairing.candidate_count = 1;
    pairing.listening = 2;
    pairing.unsupported = odd;
    pairing.unsupported_count = 1;
    emit(listener, "pairing", wire_pairing(&pairing));
}

static void emit_table(const struct listener *listener)
{
    struct setup setup;
    const struct wire_info info = {
        .version = "1.0.0",
        .backend = "sim",
        .rules = "basic",
        .sensors = 41,
        .since_ms = wall_ms,
        .storage = "",
        .defaults = &setup,
    };
    static const char *const faults[] = {"blue-2.tilt"};
    struct wire_info trouble = info;
    const struct wire_rope slack = {.knots_milli = 0};
    const struct wire_rope pulled = {.knots_milli = 1620,
                                     .piece = PIECE_RED_1,
                                     .left = 2,
                                     .counts = -65,
                                     .invalid = 2,
                                     .presses = 3,
                                     .pressed_counts = -40};
    const struct wire_rope too_far = {.knots_milli = 3205, .piece = PIECE_RED_1, .over = true};

    rules_default_setup(&setup, 2);
    emit(listener, "info", wire_info(&info));
    trouble.storage = "No space left on device";
    trouble.lost_games = 2;
    trouble.faults = faults;
    trouble.fault_count = 1;
    rules_default_setup(&setup, 4);
    setup.first = 0;
    setup.teams = true;
    rules_form_teams(&setup);
    emit(listener, "info", wire_info(&trouble));
    emit(listener, "rope", wire_rope(&slack));
    emit(listener, "rope", wire_rope(&pulled));
    emit(listener, "rope", wire_rope(&too_far));
    for (enum health health = HEALTH_NONE + 1; health < HEALTH_COUNT; health++) {
        emit(listener, "sensor/blue-2/tilt",
             wire_sensor(&(struct wire_sensor){.level = health % 2,
                                               .health = health,
                                               .edges = 12U * health,
                                               .rate = health,
                                               .width_us = 1000U * (health - HEALTH_OK),
                                               .wall_ms = health == HEALTH_OK ? 0 : wall_ms,
                                               .source = "gpio",
                                               .line = "GPIO17"}));
    }
    emit_radio(listener);
    emit_ready(listener);
}

/* Replies to queries: the game, the same game after a capture, and one that was abandoned. */
static void emit_answers(const struct listener *listener, const char *event)
{
    const struct game game = messages_game();
    struct game later = game;
    const struct wire_list none = {0};
    const struct wire_list twice = {.parts = (const char *const[]){event, event}, .count = 2};
    struct wire_past_game past = {.id = names.game, .game = &game, .began_ms = wall_ms};

    later.seq = game.seq + 2;
    later.status[PIECE_BLUE_1] = STATUS_CAPTURED;
    later.captured_by[PIECE_BLUE_1] = 1;
    char *before = wire_state(&game, &names);
    char *after = wire_state(&later, &names);
    char *states[] = {wire_state_entry(game.seq, NULL, before),
                      wire_state_entry(later.seq, before, after)};
    char *games[] = {wire_game_entry(&past), NULL};
    past.ended_ms = wall_ms + 1;
    past.is_damaged = true;
    games[1] = wire_game_entry(&past);
    const struct wire_list both = {.parts = (const char *const *)states, .count = 2};
    const struct wire_list listed = {.parts = (const char *const *)games, .count = 2};
    emit(listener, "reply", wire_reply_history("a-3", 41, false, &none, NULL));
    emit(listener, "reply", wire_reply_history("a-4", 41, true, &twice, &both));
    emit(listener, "reply", wire_reply_games("a-5", false, &none));
    emit(listener, "reply", wire_reply_games("a-6", true, &listed));
    emit(listener, "reply", wire_reply_look_back("a-7", 41, before));
    for (unsigned i = 0; i < 2; i++) {
        free(states[i]);
        free(games[i]);
    }
    free(before);
    free(after);
}

static void emit_replies(const struct listener *listener)
{
    const struct game game = messages_game();
    const struct event first = {
        .kind = EVENT_TURN_STARTED, .rule = RULE_G2, .seq = 2, .turn = 1, .player = 1};
    char *event = wire_event(&game, &first, &names, wall_ms, NULL, NULL);
    const struct outcome followed = {.count = 1, .events = {first}};
    const struct outcome nothing = {0};

    emit(listener, "reply", wire_reply_ok("a-1", &game, &followed));
    emit(listener, "reply", wire_reply_ok("", &game, &nothing));
    emit(listener, "reply",
         wire_reply_refused("a-2", REFUSED_COMBAT_DUE, RULE_C5, "Anna must still roll."));
    emit(listener, "reply",
         wire_reply_refused("", REFUSED_BAD_JSON, RULE_NONE, "This is not \"JSON\"."));
    emit_answers(listener, event);
    free(event);
}

void messages_emit(message_fn *to, void *context)
{
    const struct listener listener = {.emit = to, .context = context};

    emit_table(&listener);
    emit_positions(&listener);
    emit_undo(&listener);
    emit_events(&listener);
    emit_replies(&listener);
}

static void emit_step(void *context, const struct script_step *step)
{
    const struct listener *listener = context;

    for (unsigned i = 0; i < step->outcome->count; i++) {
        emit_event(listener, step->game, &step->outcome->events[i], NULL, NULL);
    }
    emit_game(listener, step->game, &names);
}

int messages_emit_script(FILE *script, message_fn *to, void *context)
{
    const struct script_listener listener = {.line = ignore_line, .step = emit_step};
    struct listener emitter = {.emit = to, .context = context};

    return script_play(script, &listener, &emitter);
}
