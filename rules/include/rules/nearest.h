/* The word that was probably meant by a mistyped one, or by its beginning. */
#ifndef RULES_NEAREST_H
#define RULES_NEAREST_H

struct nearest {
    const char *word;
    /* The only candidate that begins with the word, else the nearest, or NULL when none is near. */
    const char *best;
    const char *completion; /* the only candidate that begins with the word */
    unsigned completions;
    const char *near;
    unsigned distance; /* of near */
};

/* Begin with a word, offer all candidates, then read best. The words are not copied. */
struct nearest nearest_begin(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

/* The best of the words, which end with NULL. */
const char *nearest_word(const char *word, const char *const *words);

#endif
