/*
 * What scenarios add to the state; for wire_state.c alone.
 */
#ifndef DAEMON_WIRE_SCENARIO_H
#define DAEMON_WIRE_SCENARIO_H

#include "rules/rules.h"
#include "wire_json.h"

/* Into the state: the keys of the scenario that is played, and of no other. */
void put_scenario(struct building *state, const struct game *game);

/* Into a player or a piece of the state: keys that are always there. */
void put_scenario_of_player(struct building *object, const struct game *game, unsigned player);
json_t *json_cargo(const struct game *game, enum piece piece);
json_t *json_lives(const struct game *game, enum piece piece);

#endif
