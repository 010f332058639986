/*
 * PS: a ship that anybody may sail and shoot from. It falls, fights and is captured like any other
 * ship; only what it takes is lost for all.
 */
#include "../scenario.h"

const struct scenario scenario_pirate_ship = {
    .guest = PIECE_PIRATE,
    .guest_rule = RULE_PS1,
    .guest_falls_rule = RULE_PS4,
    .guest_attacks = true,
    .guest_shoots = true,
    .guest_attack_rule = RULE_PS2,
    .guest_wins_rule = RULE_PS3,
};
