#include "rules/nearest.h"

#include <stdbool.h>
#include <string.h>

enum {
    WORD_MAX = 48, /* longer words are not compared: no name of ours is as long */
    NEAR = 3,      /* at most one typing error per so many letters */
};

static unsigned least(unsigned one, unsigned other)
{
    return one < other ? one : other;
}

/*
 * Damerau-Levenshtein, restricted: how many letters must be added, dropped, changed or swapped with
 * their neighbour. Row i of the table holds the distances of the first i letters.
 */
static unsigned distance_between(const char *word, size_t word_length, const char *other,
                                 size_t other_length)
{
    unsigned table[WORD_MAX + 1][WORD_MAX + 1];

    for (unsigned i = 0; i <= word_length; i++) {
        table[i][0] = i;
    }
    for (unsigned j = 0; j <= other_length; j++) {
        table[0][j] = j;
    }
    for (size_t i = 1; i <= word_length; i++) {
        for (size_t j = 1; j <= other_length; j++) {
            unsigned changed = table[i - 1][j - 1] + (word[i - 1] != other[j - 1]);
            table[i][j] = least(changed, 1 + least(table[i - 1][j], table[i][j - 1]));
            if (i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1]) {
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
            }
        }
    }
    return table[word_length][other_length];
}

struct nearest nearest_begin(const char *word)
{
    return (struct nearest){.word = word};
}

static bool begins_with(const char *candidate, const char *word)
{
    size_t length = strlen(word);

    return length > 0 && strlen(candidate) >= length && memcmp(candidate, word, length) == 0;
}

static void offer_near(struct nearest *nearest, const char *candidate)
{
    size_t word_length = strlen(nearest->word);
    size_t length = strlen(candidate);
    size_t longer = length > word_length ? length : word_length;
    size_t shorter = length > word_length ? word_length : length;

    /* The difference in length alone may be too much: most candidates need no table. */
    if (longer > WORD_MAX || (longer - shorter) * NEAR > longer) {
        return;
    }
    unsigned distance = distance_between(nearest->word, word_length, candidate, length);
    if ((size_t)distance * NEAR <= longer && (!nearest->near || distance < nearest->distance)) {
        nearest->near = candidate;
        nearest->distance = distance;
    }
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    if (begins_with(candidate, nearest->word)) {
        nearest->completion = nearest->completions++ ? NULL : candidate;
    }
    offer_near(nearest, candidate);
    nearest->best = nearest->completion ? nearest->completion : nearest->near;
}

const char *nearest_word(const char *word, const char *const *words)
{
    struct nearest nearest = nearest_begin(word);

    for (; *words; words++) {
        nearest_offer(&nearest, *words);
    }
    return nearest.best;
}
