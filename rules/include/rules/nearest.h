/* The word that was probably meant by a mistyped one. */
#ifndef RULES_NEAREST_H
#define RULES_NEAREST_H

struct nearest {
    const char *word;
    const char *best; /* the nearest candidate, or NULL when none is near enough */
    unsigned distance;
};

/* Begin with a word, offer all candidates, then read best. The words are not copied. */
struct nearest nearest_begin(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
