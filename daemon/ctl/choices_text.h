/* The commands that the table would accept now (its topic `choices`), as words for send. Pure. */
#ifndef CTL_CHOICES_TEXT_H
#define CTL_CHOICES_TEXT_H

#include <stddef.h>

/*
 * One line for each entry of the list: `engage attacker=red-1 target=blue-1|blue-2`, and a remark
 * behind a # where there is one. words are a verb and KEY=VALUE that the entries must fit; with a
 * count of 0 all are listed. A string of its own, safe for a terminal, to be freed with free();
 * NULL if this is not a list of choices.
 */
char *choices_lines(const void *payload, size_t size, char *const *words, int count);

/*
 * What to print after a refusal: the first entries of its verb, or the verbs
 * that are possible; "" when nothing is. A string as above, or NULL. said is the
 * refused command as JSON, command what begins the hint how to list the rest.
 */
char *choices_advice(const void *payload, size_t size, const char *verb, const char *said,
                     const char *command);

#endif
