/*
 * Formulas of a score sheet over its counters and flags, such as `money * highest(prestige)` or
 * `points >= 30 and goal and not passengers`. A condition is a formula; everything but 0 is true.
 */
#ifndef SHEET_FORMULA_H
#define SHEET_FORMULA_H

#include "rules/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { FORMULA_STEPS_MAX = 48 };

/* What a name in a formula stands for; index is that of the counter or flag. */
enum formula_kind {
    FORMULA_NUMBER,
    FORMULA_COUNTER,
    FORMULA_HIGHEST, /* the highest value that the counter ever had */
    FORMULA_FLAG,
    FORMULA_ROUND,
    FORMULA_PLAYERS,
    FORMULA_SCORE,
    FORMULA_OPERATION,
};

/* In the order in which a calculator with a stack needs them. */
struct formula {
    struct formula_step {
        uint8_t kind; /* enum formula_kind */
        uint8_t operation;
        int32_t number; /* or the index */
    } steps[FORMULA_STEPS_MAX];
    unsigned count; /* 0: there is no formula */
};

/* Finds a counter (COUNTER) or flag (FLAG) by its name: its index, or -1. */
typedef int formula_find_fn(const void *self, enum formula_kind kind, const char *name);

/* True, or false and what is wrong with it. */
bool formula_read(const char *source, formula_find_fn *find, const void *self,
                  struct formula *formula, struct text *problem);

/* Whether the formula uses a value of this kind: any with index -1, or that one. */
bool formula_uses(const struct formula *formula, enum formula_kind kind, int32_t index);

/* The value of a name. */
typedef int64_t formula_value_fn(const void *self, enum formula_kind kind, int32_t index);

/* Results beyond 32 bits are limited to them. 0 without a formula. */
int64_t formula_evaluate(const struct formula *formula, formula_value_fn *value, const void *self);

#endif
