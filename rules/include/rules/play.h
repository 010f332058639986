/*
 * A game with its past: rules_step and `undo`.
 *
 * The past is a list of accepted inputs in memory that the caller owns. An undo replays the inputs
 * before the last one, which takes microseconds, so no copies of old games are kept.
 */
#ifndef RULES_PLAY_H
#define RULES_PLAY_H

#include "rules/rules.h"

/* One accepted input, the state before it that an undo needs, and the events it caused. */
struct past {
    struct input input;
    uint32_t lying;
    uint32_t declared;
    uint32_t first_seq;
    uint32_t last_seq;
    uint8_t player;
    uint8_t phase;
};

struct play {
    struct game game;
    struct game base; /* the game before past[0] */
    struct past *past;
    unsigned capacity;
    unsigned count;
};

/* Starts in the lobby. Remembers up to capacity (at least 2) inputs; past must outlive play. */
void play_begin(struct play *play, struct past *past, unsigned capacity);

/*
 * Makes room for one more input. A caller that copies the play after this and before play_step can
 * restore the copy if the step cannot be recorded.
 */
void play_make_room(struct play *play);

/*
 * rules_step on play->game, and INPUT_UNDO. When the memory is full, the older half of the past can
 * no longer be undone; the length of the game is not limited.
 *
 * Sensor reports are not undone (Referee): after the undo of a topple that a sensor reported or
 * confirmed, the piece is in play again and disturbed until somebody raises it. A topple that was
 * only declared is undone completely. A report that only confirms a command is no step of an undo.
 */
int play_step(struct play *play, const struct input *input, struct outcome *out);

/* What undo would take back: 0 and the event undone without seq and turn, or the refusal. */
int play_undoes(const struct play *play, struct event *undone);

#endif
