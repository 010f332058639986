/* The most pairs that can be formed at once. */
#ifndef TOURNAMENT_MATCHING_H
#define TOURNAMENT_MATCHING_H

#include "tournament/tournament.h"

/*
 * Members are the bits of a set. allowed: for each of them those with whom it can be paired, in
 * both directions; bits outside the set are ignored.
 */
unsigned matching_size(const uint64_t allowed[TOURNAMENT_ENTRANTS_MAX], uint64_t set);

#endif
