/* rules_step: the table of step functions by phase and input, and the checks before each. */
#include "rules_internal.h"

#include <assert.h>
#include <stddef.h>

/* Pieces fall, and sensors fail and recover, in every step of the turn. */
#define IN_EVERY_PHASE                                                                             \
    [INPUT_TOPPLE] = declare_topple, [INPUT_TOPPLED] = see_topple, [INPUT_RAISE] = raise_piece,    \
    [INPUT_RAISED] = raise_piece, [INPUT_KNOCKED] = see_knocked,                                   \
    [INPUT_SENSOR_FAULT] = note_sensor, [INPUT_SENSOR_OK] = note_sensor

static step_fn note_sensor;

/* An empty cell is the only way to say that an input is not accepted in a phase (G3). */
static step_fn *const steps[PHASE_COUNT][INPUT_COUNT] = {
    [PHASE_SHOOTING] = {IN_EVERY_PHASE, [INPUT_AIM] = aim, [INPUT_FIRE] = fire,
                        [INPUT_BALL_LEFT] = see_ball, [INPUT_HIT] = see_hit,
                        [INPUT_WINDOW_OVER] = close_window, [INPUT_END_PHASE] = end_shooting},
    [PHASE_MOVING] = {IN_EVERY_PHASE, [INPUT_BALL_LEFT] = see_foul, [INPUT_ROLL_MOVE] = roll_move,
                      [INPUT_SELECT] = select_piece, [INPUT_MOVE] = move_piece,
                      [INPUT_ROPE_OVER] = note_rope_over, [INPUT_END_PHASE] = end_moving},
    [PHASE_COMBAT] = {IN_EVERY_PHASE, [INPUT_BALL_LEFT] = see_foul, [INPUT_ENGAGE] = engage,
                      [INPUT_ROLL_COMBAT] = roll_combat, [INPUT_END_PHASE] = end_combat},
    [PHASE_REPAIR] = {IN_EVERY_PHASE, [INPUT_BALL_LEFT] = see_foul, [INPUT_END_PHASE] = end_repair},
};

static int dispatch(struct game *game, const struct input *input, struct outcome *out);

int try_step(const struct game *game, const struct input *input, struct game *next,
             struct outcome *out)
{
    *next = *game;
    out->deadline_us = 0;
    out->count = 0;
    int refusal = dispatch(next, input, out);
    if (refusal) {
        out->count = 0;
    }
    return refusal;
}

int rules_step(struct game *game, const struct input *input, struct outcome *out)
{
    struct game next;
    int refusal = try_step(game, input, &next, out);

    if (refusal) {
        next = *game;
        if (!note_tilt_sensor(&next, input)) {
            return refusal;
        }
    }
    out->rule = RULE_NONE; /* a check of a piece that was passed over may have set one */
    out->deadline_us = rules_deadline(&next);
    *game = next;
    return 0;
}

struct event *emit(struct game *game, struct outcome *out, enum event_kind kind, enum rule rule)
{
    assert(out->count < EVENTS_MAX);
    struct event *event = &out->events[out->count++];

    *event = (struct event){
        .kind = kind,
        .rule = rule,
        .seq = ++game->seq,
        .turn = game->turn.number,
        .player = game->player,
    };
    return event;
}

int refuse(struct outcome *out, enum refusal refusal, enum rule rule)
{
    if (out) {
        out->rule = rule;
    }
    return (int)refusal;
}

static step_fn *cell(const struct game *game, unsigned phase, enum input_kind kind)
{
    step_fn *const(*extra)[INPUT_COUNT] = scenario_of(game)->steps;

    return extra && extra[phase][kind] ? extra[phase][kind] : steps[phase][kind];
}

bool is_in_phase(const struct game *game, enum input_kind kind)
{
    return cell(game, game->phase, kind) != NULL;
}

static bool is_in_any_phase(const struct game *game, enum input_kind kind)
{
    for (unsigned phase = 0; phase < PHASE_COUNT; phase++) {
        if (cell(game, phase, kind)) {
            return true;
        }
    }
    return false;
}

static int check_piece_exists(const struct game *game, unsigned piece, struct outcome *out)
{
    if (piece >= PIECE_COUNT) {
        return refuse(out, REFUSED_UNKNOWN_PIECE, RULE_NONE);
    }
    if (game->status[piece] != STATUS_ABSENT) {
        return 0;
    }
    return rules_harbour_of((enum piece)piece) == HARBOUR_NONE
               ? refuse(out, REFUSED_NOT_IN_SCENARIO, RULE_NONE)
               : refuse(out, REFUSED_UNKNOWN_PIECE, RULE_G1);
}

/* Required pieces and harbours must be given, and those given must be in this game. */
static int check_names(const struct game *game, const struct input *input, struct outcome *out)
{
    uint32_t needs = rules_input_needs(input->kind);
    int refusal = 0;

    if (((needs & (FIELD(PIECE) | FIELD(ATTACKER))) && !input->piece) ||
        ((needs & FIELD(TARGET)) && !input->other) ||
        ((needs & FIELD(HARBOUR)) && !input->harbour) ||
        ((needs & FIELD(PIECES)) && !input->pieces)) {
        return refuse(out, REFUSED_MISSING_FIELD, RULE_NONE);
    }
    if (input->piece) {
        refusal = check_piece_exists(game, (unsigned)input->piece, out);
    }
    if (!refusal && input->other) {
        refusal = check_piece_exists(game, (unsigned)input->other, out);
    }
    if (!refusal && (unsigned)input->harbour >= HARBOUR_COUNT) {
        refusal = refuse(out, REFUSED_BAD_VALUE, RULE_NONE);
    }
    return refusal;
}

static int dispatch(struct game *game, const struct input *input, struct outcome *out)
{
    enum source source = rules_input_source(input->kind);

    if (source == SOURCE_NONE) {
        return refuse(out, REFUSED_UNKNOWN_COMMAND, RULE_NONE);
    }
    if (input->kind == INPUT_NEW_GAME) {
        return new_game(game, input, out);
    }
    if (game->phase == PHASE_LOBBY || game->phase == PHASE_OVER) {
        return refuse(out, REFUSED_NO_GAME, RULE_NONE);
    }
    /* Only play_step can undo: a single step has no past. */
    if (input->kind == INPUT_UNDO) {
        return refuse(out, REFUSED_NOTHING_TO_UNDO, RULE_NONE);
    }
    if (!is_in_any_phase(game, input->kind)) {
        return refuse(out, REFUSED_NOT_IN_SCENARIO, RULE_NONE);
    }
    int refusal = check_names(game, input, out);
    if (refusal) {
        return refusal;
    }
    step_fn *step = cell(game, game->phase, input->kind);
    if (!step) {
        return refuse(out, REFUSED_NOT_IN_PHASE, RULE_G3);
    }
    if ((input->other && !rules_in_play(game, input->other)) ||
        (input->piece && !rules_in_play(game, input->piece))) {
        return refuse(out, REFUSED_OUT_OF_PLAY, RULE_NONE);
    }
    return step(game, input, out);
}

/* A sensor fault is only reported: every sensor input can also be given as a command. */
static int note_sensor(struct game *game, const struct input *input, struct outcome *out)
{
    bool fault = input->kind == INPUT_SENSOR_FAULT;

    if (input->sensor[0] == '\0' || (fault && !input->health)) {
        return refuse(out, REFUSED_MISSING_FIELD, RULE_NONE);
    }
    if ((unsigned)input->health >= HEALTH_COUNT) {
        return refuse(out, REFUSED_BAD_VALUE, RULE_NONE);
    }
    struct event *event = emit(game, out, fault ? EVENT_SENSOR_FAULT : EVENT_SENSOR_OK, RULE_NONE);
    event->health = input->health;
    for (unsigned i = 0; i + 1 < SENSOR_SIZE; i++) {
        event->sensor[i] = input->sensor[i];
    }
    return 0;
}
