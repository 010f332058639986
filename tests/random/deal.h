/* Setups for random games: every combination in turn, with house numbers drawn. */
#ifndef RANDOM_DEAL_H
#define RANDOM_DEAL_H

#include "chance.h"
#include "rules/rules.h"

/* 2, 3 or 4 players, or 4 in teams. */
enum { TABLES = 4, COMBINATIONS = (SCENARIO_COUNT - 1) * (VARIANT_COUNT - 1) * TABLES };

/* A setup with which a game can start; number % COMBINATIONS says of which combination. */
void deal_setup(struct chance *chance, unsigned number, struct setup *setup);

/* Spoils one thing in a setup; mostly, a game can then no longer start with it. */
void deal_spoil(struct chance *chance, struct setup *setup);

#endif
