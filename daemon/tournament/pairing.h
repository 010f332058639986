/* Who plays whom in the next round. */
#ifndef TOURNAMENT_PAIRING_H
#define TOURNAMENT_PAIRING_H

#include "tournament/tournament.h"

/*
 * Adds the pairings of the next round, without tables, and increments the round: those of the
 * seats, if there are any, and new ones otherwise. False: there is no room for them, or the seats
 * do not fit the tournament.
 */
bool pairing_add_round(struct tournament *tournament, const struct tournament_seats *seats);

/* The number of rounds; 0: it is not known before the last one. */
unsigned pairing_rounds(const struct tournament_settings *settings);

/* How often two entrants have been paired. */
unsigned pairing_meetings(const struct tournament *tournament, unsigned one, unsigned other);

/* The entrant who goes on in an elimination: -1 without one. */
int pairing_winner(const struct tournament_pairing *pairing);

#endif
