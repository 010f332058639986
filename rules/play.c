/* Referee: undo, input by input, back to the start of the game. */
#include "rules/play.h"

#include "rules_internal.h"

#include <assert.h>
#include <string.h>

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
