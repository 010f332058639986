#include "statement.h"

#include <stdlib.h>
#include <string.h>

/* An = reads like a blank, so that `house ship_points=2` is three words. */
static const char blanks[] = " =";

/* Copies the next word and steps behind it; false at the end. */
static bool next_word(const char **text, char word[WORD_SIZE])
{
    const char *start = *text + strspn(*text, blanks);
    size_t length = strcspn(start, blanks);

    if (length == 0 || length >= WORD_SIZE) {
        return false;
    }
    memcpy(word, start, length);
    word[length] = '\0';
    *text = start + length;
    return true;
}

/* Names with a + between them; 0 when one of them is unknown. */
static uint32_t set_of(const char *word, unsigned (*named)(const char *))
{
    char copy[WORD_SIZE];
    char *rest;
    uint32_t set = 0;

    memcpy(copy, word, strlen(word) + 1);
    for (char *name = strtok_r(copy, "+", &rest); name; name = strtok_r(NULL, "+", &rest)) {
        unsigned value = named(name);
        if (!value) {
            return 0;
        }
        set |= UINT32_C(1) << value;
    }
    return set;
}

static unsigned piece_named(const char *name)
{
    return rules_piece_named(name);
}

static unsigned harbour_named(const char *name)
{
    return rules_harbour_named(name);
}

static bool take_piece(struct words *words, const char *word)
{
    enum piece piece = rules_piece_named(word);

    *(words->piece ? &words->other : &words->piece) = piece;
    words->pieces |= UINT32_C(1) << piece;
    return piece != PIECE_NONE;
}

static bool take_pieces(struct words *words, const char *word)
{
    words->pieces = set_of(word, piece_named);
    return words->pieces != 0;
}

static bool take_colour(struct words *words, const char *word)
{
    enum harbour harbour = rules_harbour_named(word);

    *(words->colour ? &words->other_colour : &words->colour) = harbour;
    return harbour != HARBOUR_NONE;
}

static bool take_colours(struct words *words, const char *word)
{
    words->colours = set_of(word, harbour_named);
    return words->colours != 0;
}

static bool take_number(struct words *words, const char *word)
{
    char *end;

    words->number = (unsigned)strtoul(word, &end, 10);
    return *end == '\0';
}

static bool take_decimal(struct words *words, const char *word)
{
    char *end;

    words->milli = (unsigned)(strtod(word, &end) * KNOT + 0.5);
    return *end == '\0';
}

static bool take_name(struct words *words, const char *word)
{
    memcpy(words->name, word, strlen(word) + 1);
    return true;
}

static const struct {
    const char *name;
    bool (*take)(struct words *words, const char *word);
} kinds[] = {
    {"PIECE", take_piece},     {"PIECES", take_pieces}, {"COLOUR", take_colour},
    {"COLOURS", take_colours}, {"NUMBER", take_number}, {"DECIMAL", take_decimal},
    {"NAME", take_name},
};

static bool word_matches(const char *word, const char *expected, struct words *words)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(expected, kinds[i].name) == 0) {
            return kinds[i].take(words, word);
        }
    }
    return strcmp(word, expected) == 0;
}

bool statement_matches(const char *statement, const char *pattern, struct words *words)
{
    char word[WORD_SIZE];
    char expected[WORD_SIZE];

    *words = (struct words){0};
    while (next_word(&pattern, expected)) {
        if (!next_word(&statement, word) || !word_matches(word, expected, words)) {
            return false;
        }
    }
    return !next_word(&statement, word);
}

static enum phase phase_named(const char *name)
{
    unsigned phase = 0;

    while (phase < PHASE_COUNT && strcmp(rules_phase_name((enum phase)phase), name) != 0) {
        phase++;
    }
    return (enum phase)phase;
}

unsigned statement_value(const struct game *game, const struct words *words, enum word word)
{
    switch (word) {
    case WORD_NUMBER:
        return words->number;
    case WORD_PIECE:
        return words->piece;
    case WORD_PLAYER:
        return rules_harbour_owner(game, words->colour);
    case WORD_PHASE:
        return phase_named(words->name);
    case WORD_ONE:
        break;
    }
    return 1;
}
