/*
 * PS: a ship that every player may move and shoot from. It falls, fights and is captured like any
 * other ship, but what it wins is lost for all.
 */
#include "../rules_internal.h"

const struct scenario scenario_pirate_ship = {
    .neutral = PIECE_PIRATE,
    .neutral_rule = RULE_PS1,
    .neutral_falls_rule = RULE_PS4,
    .neutral_attacks = true,
    .neutral_shoots = true,
    .neutral_attack_rule = RULE_PS2,
    .neutral_wins_rule = RULE_PS3,
};
