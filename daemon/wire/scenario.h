/*
 * What scenarios add to the state; for wire_state.c alone.
 */
#ifndef DAEMON_WIRE_SCENARIO_H
#define DAEMON_WIRE_SCENARIO_H

#include "json.h"
#include "rules/rules.h"

/* Into the state: the keys of the scenario that is played, and of no other. */
void put_scenario(struct json_text *json, const struct game *game);

/* Into a player or a piece of the state: keys that are always there. */
void put_scenario_of_player(struct json_text *json, const struct game *game, unsigned player);
void put_cargo(struct json_text *json, const struct game *game, enum piece piece);
void put_lives(struct json_text *json, const struct game *game, enum piece piece);

#endif
