/*
 * Applies an input: the table of step functions by phase and input, and the checks before each; and
 * a game with its past, for undo.
 */
#include "rules/play.h"

#include "rules_internal.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

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

int rules_try(const struct game *game, const struct input *input)
{
    struct game next = *game;
    struct outcome out;

    return rules_step(&next, input, &out);
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

/*
 * Referee: undo, input by input, back to the start of the game
 */

void play_begin(struct play *play, struct past *past, unsigned capacity)
{
    assert(capacity >= 2);
    memset(play, 0, sizeof *play);
    play->past = past;
    play->capacity = capacity;
}

/* Applies the first count inputs of the past to the game before them. */
static void replay(struct game *game, const struct past *past, unsigned count)
{
    struct outcome unused;

    for (unsigned i = 0; i < count; i++) {
        game->lying = past[i].lying;
        int refusal = rules_step(game, &past[i].input, &unused);
        assert(refusal == 0);
        (void)refusal;
    }
}

void play_make_room(struct play *play)
{
    unsigned half = play->capacity / 2;

    if (play->count < play->capacity) {
        return;
    }
    replay(&play->base, play->past, half);
    play->count -= half;
    memmove(play->past, play->past + half, play->count * sizeof play->past[0]);
}

static void remember(struct play *play, const struct past *step, const struct outcome *out)
{
    enum input_kind kind = step->input.kind;

    if (kind == INPUT_NEW_GAME) {
        play->base = play->game;
        play->count = 0;
        return;
    }
    /* An input without an event is no step of an undo. */
    if (rules_input_source(kind) == SOURCE_NOTE || out->count == 0) {
        return;
    }
    play_make_room(play);
    struct past *last = &play->past[play->count++];
    *last = *step;
    last->first_seq = out->events[0].seq;
    last->last_seq = play->game.seq;
}

/* The last command or fact; the sequels after it (window-over, hit) are undone with it. */
static bool find_last(const struct play *play, unsigned *index)
{
    for (unsigned i = play->count; i > 0; i--) {
        if (rules_input_source(play->past[i - 1].input.kind) != SOURCE_SEQUEL) {
            *index = i - 1;
            return true;
        }
    }
    return false;
}

/* Referee: only a declaration is undone, and only if no sensor has reported the piece since. */
static void keep_table(const struct play *play, const struct past *undone, struct game *game)
{
    uint32_t taken_back = 0;

    if (undone->input.kind == INPUT_TOPPLE || undone->input.kind == INPUT_RAISE) {
        taken_back = bit(undone->input.piece) & play->game.declared;
    }
    game->lying = (play->game.lying & ~taken_back) | (undone->lying & taken_back);
    game->declared = (play->game.declared & ~taken_back) | (undone->declared & taken_back);
}

/* Copies the fields of the undone input, so that the sentence can name them. */
static void describe_undo(const struct play *play, unsigned last, struct event *event)
{
    const struct past *past = &play->past[last];
    const struct input *input = &past->input;

    event->undone = input->kind;
    event->piece = input->piece;
    event->other = input->other;
    event->harbour = input->harbour;
    event->value = input->value;
    event->knots_milli = input->knots_milli;
    event->pieces = input->pieces;
    event->phase = (enum phase)past->phase;
    event->from = past->first_seq;
    event->to = play->past[play->count - 1].last_seq;
}

static enum refusal check_undo(const struct play *play, unsigned *last)
{
    if (play->game.phase == PHASE_LOBBY) {
        return REFUSED_NO_GAME;
    }
    return find_last(play, last) ? REFUSED_NOT : REFUSED_NOTHING_TO_UNDO;
}

int play_undoes(const struct play *play, struct event *undone)
{
    unsigned last;
    enum refusal refusal = check_undo(play, &last);

    if (!refusal) {
        *undone = (struct event){.kind = EVENT_UNDONE, .player = play->past[last].player};
        describe_undo(play, last, undone);
    }
    return (int)refusal;
}

static int undo(struct play *play, struct outcome *out)
{
    unsigned last;
    enum refusal refusal = check_undo(play, &last);

    out->count = 0;
    out->deadline_us = 0;
    if (refusal) {
        return refuse(out, refusal, RULE_NONE);
    }
    struct game game = play->base;
    replay(&game, play->past, last);
    keep_table(play, &play->past[last], &game);
    game.seq = play->game.seq;
    out->rule = RULE_NONE;
    describe_undo(play, last, emit(&game, out, EVENT_UNDONE, RULE_NONE));
    out->deadline_us = rules_deadline(&game);
    play->game = game;
    play->count = last;
    return 0;
}

int play_step(struct play *play, const struct input *input, struct outcome *out)
{
    struct past step = {
        .input = *input,
        .lying = play->game.lying,
        .declared = play->game.declared,
        .player = play->game.player,
        .phase = play->game.phase,
    };

    if (input->kind == INPUT_UNDO) {
        return undo(play, out);
    }
    int refusal = rules_step(&play->game, input, out);
    if (!refusal) {
        remember(play, &step, out);
    }
    return refusal;
}
