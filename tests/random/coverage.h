/* What a campaign has seen, and what it ought to have seen and has not. */
#ifndef RANDOM_COVERAGE_H
#define RANDOM_COVERAGE_H

#include "deal.h"

#include <stdio.h>

struct coverage {
    uint64_t steps;
    uint64_t accepted;
    uint64_t games_over;
    uint64_t out_together; /* games that ended with several players out (E1) */
    uint64_t events[EVENT_COUNT];
    uint64_t refusals[REFUSAL_COUNT];
    uint64_t rules[RULE_COUNT]; /* named by events and refusals */
    uint64_t games_ended[SCENARIO_COUNT][VARIANT_COUNT][TABLES];
    uint64_t answered[PHASE_COUNT][INPUT_COUNT]; /* by the rules of that step */
    uint64_t taken[PHASE_COUNT][INPUT_COUNT];
    uint64_t commands_listed; /* compared with the list of possible commands */
    uint64_t positions_swept; /* in which all commands were tried */
    uint64_t commands_tried;  /* in them */
};

/* A step from the phase it came in; game is the game after it. */
void coverage_note_step(struct coverage *coverage, enum phase phase, const struct input *input,
                        int refusal, const struct outcome *out, const struct game *game);

/* The answer to a line of text. */
void coverage_note_text(struct coverage *coverage, int refusal);

/* What a round compared with the list of possible commands. */
void coverage_note_choices(struct coverage *coverage, uint64_t listed, uint64_t swept,
                           uint64_t tried);

/* Prints what was reached and what never was. The number of things that must be and were not. */
unsigned coverage_report(const struct coverage *coverage, FILE *file);

#endif
