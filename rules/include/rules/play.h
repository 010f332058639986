/*
 * A game with its past: the same step as in rules.h, and `undo`.
 *
 * The past is a list of accepted inputs in memory that the caller owns. Taking one back plays the
 * ones before it again, which takes microseconds, so no copies of old games are kept.
 */
#ifndef RULES_PLAY_H
#define RULES_PLAY_H

#include "rules/rules.h"

/* One accepted input, where the game was and what lay before it, and the events that followed. */
struct past {
    struct input input;
    uint32_t lying;
    uint32_t told;
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

/* An empty table that remembers up to capacity (at least 2) inputs. past must outlive play. */
void play_begin(struct play *play, struct past *past, unsigned capacity);

/*
 * Makes room for one more input. A play that is copied after this can be put back after a step:
 * whoever cannot record the step undoes it like that, without a trace.
 */
void play_make_room(struct play *play);

/*
 * rules_step on play->game, and INPUT_UNDO. When the memory is full the older half of the past can
 * no longer be taken back; the game itself goes on without limit.
 *
 * What sensors have seen is not taken back: after the undo of a topple that a sensor saw, or
 * confirmed, the piece is in play again and disturbed, until somebody raises it. A topple that was
 * only declared is forgotten. What a sensor only confirms is no step of an undo.
 */
int play_step(struct play *play, const struct input *input, struct outcome *out);

/* What undo would take back: 0 and the event undone but for its seq and turn, or the refusal. */
int play_undoes(const struct play *play, struct event *undone);

#endif
