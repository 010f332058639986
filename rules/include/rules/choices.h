/*
 * Every command that a game would accept now.
 *
 * The list comes from trying commands on a copy of the game, so it cannot disagree with the rules.
 * Whatever shows or suggests commands reads it here. new-game and questions are not in it.
 */
#ifndef RULES_CHOICES_H
#define RULES_CHOICES_H

#include "rules/play.h"
#include "rules/say.h"

enum {
    /* In the close combat step, where most is possible: a roll for each combat, an attack with each
     * piece and a move of each; the other verbs have one entry, topple two. */
    CHOICES_MAX = COMBATS_MAX + 2 * PIECE_COUNT + INPUT_COUNT,
};

/* Commands of one verb that differ in one field. Sets have one bit for each value: see bit(). */
struct choice {
    enum input_kind verb;
    enum piece piece;    /* of move, load-barrel, deliver-barrel; the attacker; else PIECE_NONE */
    enum piece target;   /* of roll-combat */
    uint32_t pieces;     /* one of these is named: the piece; of engage, the target */
    uint32_t harbours;   /* one of these is named */
    uint32_t values;     /* the die shows one of these; empty: no value is named */
    unsigned knots;      /* the most that a move may cost */
    enum phase to;       /* the step that follows end-phase */
    uint8_t foul;        /* fire: accepted, but as a second ball (S8) */
    uint8_t disturbance; /* topple: these pieces would only be put back up (S5, S7) */
};

struct choices {
    unsigned count;
    struct choice list[CHOICES_MAX];
    char undo[SENTENCE_SIZE]; /* what undo would take back, if it is in the list */
};

/*
 * Lists them in the order of RULES_INPUTS, within a verb in the order of the pieces. fallen are
 * pieces (a set) that sensors see lying and that the game does not know of: whoever applies
 * commands says so to the game, as INPUT_KNOCKED, before a raise of one of them.
 */
void choices_list(const struct play *play, uint32_t fallen, struct choices *choices);

/* Undo alone, for a game that can be recorded no further. */
void choices_list_undo(const struct play *play, struct choices *choices);

#endif
