/*
 * Statements and the patterns they are recognised by. A pattern is made of plain words and of
 * PIECE, PIECES, COLOUR, COLOURS, NUMBER, DECIMAL and NAME, which stand for one word each.
 */
#ifndef TESTS_SUPPORT_STATEMENT_H
#define TESTS_SUPPORT_STATEMENT_H

#include "rules/rules.h"

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

/* Many statements are about one byte of the game: the word that gives its value. */
enum word { WORD_ONE, WORD_NUMBER, WORD_PIECE, WORD_PLAYER, WORD_PHASE };

/* The value of that word: 1, the number, the piece, the player of the colour, or the phase. */
unsigned statement_value(const struct game *game, const struct words *words, enum word word);

#endif
