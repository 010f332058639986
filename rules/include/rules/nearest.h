/* The nearest of some words to a word that was probably mistyped. */
#ifndef RULES_NEAREST_H
#define RULES_NEAREST_H

struct nearest {
    const char *word;
    const char *best; /* of those offered, or NULL when none is near enough to be meant */
    unsigned distance;
};

/* Begin with a word, offer all candidates, then look at best. The words are not copied. */
struct nearest nearest_begin(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
