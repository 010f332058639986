/*
 * What a scenario adds to the state; for wire_state.c alone. Keys of a scenario that is not played
 * are absent.
 */
#ifndef DAEMON_WIRE_SCENARIO_H
#define DAEMON_WIRE_SCENARIO_H

#include "rules/rules.h"
#include "wire_json.h"

/* Every member may be NULL. */
struct scenario_keys {
    void (*put_in_state)(struct building *state, const struct game *game);
    void (*put_in_player)(struct building *object, const struct game *game, unsigned player);
    void (*put_in_piece)(struct building *object, const struct game *game, enum piece piece);
};

const struct scenario_keys *scenario_keys_of(const struct game *game);

#endif
