/*
 * Two games with everything in them, played once with nothing going wrong. Other runs have the same
 * steps and something that goes wrong, and must end up with the same events.
 */
#ifndef TESTS_TABLE_MODEL_H
#define TESTS_TABLE_MODEL_H

#include "stage.h"
#include "tests/support/fake_view.h"

enum { MODEL_STEPS_MAX = 64 };

struct model {
    struct stage stage;
    struct fake_view view;
    unsigned steps;
    unsigned seq[MODEL_STEPS_MAX];   /* after the step */
    uint32_t lying[MODEL_STEPS_MAX]; /* the same: what a trophy does is recorded without an event */
    const char *reply[MODEL_STEPS_MAX];
    unsigned operations;   /* of the disk */
    unsigned publications; /* on the bus */
};

extern struct model model;

/* Set up and tear down a group of tests. */
int model_play(void **state);
int model_forget(void **state);

/* A table as the model's, not running yet. */
void run_prepare(struct stage *stage);

/* Says a step, with the same id each time; the reply, or NULL. */
const char *run_say(struct stage *stage, unsigned step);

/* What is said in this step. */
const char *run_step(unsigned step);

/* Whether the game is where the model was after this step, or before it. */
bool run_has_done(const struct stage *stage, unsigned step);
bool run_has_not_begun(const struct stage *stage, unsigned step);

/* Fails unless the step is done. */
void assert_done(const struct stage *stage, unsigned step);

/* Everything has arrived as in the model, retained values are fresh, and all of it is safe. */
void assert_like_model(struct stage *stage);

#endif
