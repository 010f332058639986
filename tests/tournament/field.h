/* A tournament for a test: entrants A, B, C ... with the lots 1, 2, 3 ... */
#ifndef TESTS_TOURNAMENT_FIELD_H
#define TESTS_TOURNAMENT_FIELD_H

#include "tournament/tournament.h"

enum { FIELD_TEXT_SIZE = 1024 };

extern struct tournament field;

void field_begin(enum tournament_system system, unsigned count, unsigned group, unsigned rounds);

/* A change by its line; the line of a referee's or a table's result, a round or a withdrawal. */
void field_take(const char *line);

/* Expects that the line is refused, and the sentence. */
void field_refuse(const char *line, const char *expected);

/* Begins a round and expects its pairings: "A-B C-D E" with a bye of E. */
void field_expect_round(const char *pairings);

/* The results of the open pairings of the last round: "A-B" means that A has beaten B, "A=B" a tie.
 */
void field_results(const char *results);

/* Expects the standings: "A 4, B 2 opponents, C 2": points, and what separates it from the one
 * above unless that is points. */
void field_expect_standings(const char *expected);

#endif
