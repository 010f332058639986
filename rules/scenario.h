/*
 * What a scenario changes, as a table of hooks; every hook may be NULL.
 *
 * A new scenario is a line in RULES_SCENARIOS, a file in scenarios/ with its table and, if it has
 * something to remember, a member of union scenario_state. Its pieces, inputs, events and rules are
 * lines in the lists of words.h, its sentences lines in say.c.
 */
#ifndef RULES_SCENARIO_H
#define RULES_SCENARIO_H

#include "internal.h"

struct scenario {
    /* A thing that belongs to nobody and may be moved instead of an own ship. */
    enum piece guest;
    enum rule guest_rule; /* that allows to move it */

    /* The rule about its capture by a shot; a guest that is a tile cannot topple at all. */
    enum rule guest_falls_rule;
    bool guest_is_tile;

    /* Whether the guest attacks in close combat, and the rule about what it takes. */
    bool guest_attacks;
    enum rule guest_attack_rule;
    enum rule guest_wins_rule;

    /* PS2: whether the current player may name the guest as the shooter. */
    bool guest_shoots;

    /* A tile that is nobody's enemy and moves by inputs of the scenario alone; the rule for that.
     */
    enum piece tile;
    enum rule tile_rule;

    /* Whether what was drawn before the game fits the scenario; the rule about the draw. */
    bool (*draw_fits)(const struct setup *setup);
    enum rule draw_rule;

    /* Inputs of this scenario, by phase; a cell here goes before the one of the plain game. */
    step_fn *const (*steps)[INPUT_COUNT];

    /* At the start of the game, of each turn, and whenever a step of the turn ends. */
    void (*begin_game)(struct game *game);
    void (*begin_turn)(struct game *game);
    void (*end_phase)(struct game *game);

    /* 0, or why this piece is held in place though the plain game would let it go. */
    int (*check_free)(const struct game *game, enum piece piece, struct outcome *out);

    /* 0, or why this piece can neither shoot nor attack. */
    int (*check_armed)(const struct game *game, enum piece piece, struct outcome *out);

    /* 0, or why attacker cannot attack this target. */
    int (*check_target)(const struct game *game, enum piece attacker, enum piece target,
                        struct outcome *out);

    /* Whether a close combat does not hold the guest (SM4), which then ends by its leaving. */
    bool guest_slips_away;

    /* Knots that the guest may go in the close combat step, where nothing else moves (KR4). */
    unsigned (*guest_knots)(const struct game *game);

    /* After the guest was moved. */
    void (*guest_moved)(struct game *game, struct outcome *out);

    /* A shot toppled the guest, or so it seems: may refuse. NULL: it falls like a ship. */
    int (*guest_toppled)(struct game *game, bool was_lying, struct outcome *out);

    /* Attacker won against the guest. NULL: it surrenders like a ship. */
    void (*guest_beaten)(struct game *game, enum piece attacker, struct outcome *out);

    /* The guest was seen upright; whether the game had waited for it. */
    bool (*guest_raised)(struct game *game);

    /* The piece has left play; winner is the piece that took it in close combat, if one did. */
    void (*left_play)(struct game *game, enum piece piece, enum piece winner, struct outcome *out);

    /* Points of the player beyond trophies. */
    int (*points)(const struct game *game, unsigned player);

    /* NULL, or what is wrong with the scenario's own state; see rules_violation. */
    const char *(*violation)(const struct game *game);
};

/* The table of the scenario that is played; one of empty hooks when there is none. */
const struct scenario *scenario_of(const struct game *game);

/* The same before there is a game. */
const struct scenario *scenario_of_setup(const struct setup *setup);

#endif
