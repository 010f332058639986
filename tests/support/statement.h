/*
 * Statements and the patterns they are recognised by. A pattern is made of plain words and of
 * PIECE, PIECES, COLOUR, COLOURS, NUMBER, DECIMAL and NAME, which stand for one word each.
 */
#ifndef TESTS_SUPPORT_STATEMENT_H
#define TESTS_SUPPORT_STATEMENT_H

#include "rules/game.h"

enum { WORD_SIZE = 64 };

/* What the words of a statement stand for; a second PIECE or COLOUR is the other one. */
struct words {
    enum piece piece;
    enum piece other;
    uint32_t pieces; /* a set, also when it is a single PIECE */
    enum harbour colour;
    enum harbour other_colour;
    uint32_t colours;
    unsigned number;
    unsigned milli; /* of a DECIMAL */
    char name[WORD_SIZE];
};

/* Whether the statement follows the pattern; if so, words is what its words stand for. */
bool statement_matches(const char *statement, const char *pattern, struct words *words);

/* The phase of that name, or PHASE_COUNT. */
enum phase phase_named(const char *name);

#endif
