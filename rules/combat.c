/* C: close combat. */
#include "rules_internal.h"

#include <assert.h>
#include <stddef.h>

static bool is_between(const struct combat *combat, enum piece one, enum piece two)
{
    return (combat->attacker == one && combat->target == two) ||
           (combat->attacker == two && combat->target == one);
}

static struct combat *find_combat(struct game *game, enum piece one, enum piece two)
{
    for (unsigned i = 0; i < game->combat_count; i++) {
        if (is_between(&game->combats[i], one, two)) {
            return &game->combats[i];
        }
    }
    return NULL;
}

bool rules_in_combat(const struct game *game, enum piece piece)
{
    for (unsigned i = 0; i < game->combat_count; i++) {
        if (game->combats[i].attacker == piece || game->combats[i].target == piece) {
            return true;
        }
    }
    return false;
}

/* 0, or why attacker cannot attack target, whichever player controls it (C3, SM2, KR3). */
static int check_attack(const struct game *game, enum piece attacker, enum piece target,
                        struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);
    int refusal = check_armed(game, attacker, out);

    if (!refusal && scenario->check_target) {
        refusal = scenario->check_target(game, attacker, target, out);
    }
    return refusal;
}

/* Whether the current player rolls for this piece; PS2: for a neutral piece, who began with it. */
static bool leads(const struct game *game, const struct combat *combat, enum piece piece)
{
    if (is_neutral(game, piece)) {
        return scenario_of(game)->neutral_attacks && combat->began_by == game->player &&
               combat->attacker == piece;
    }
    return rules_owner(game, piece) == game->player;
}

/* The current player's side of a close combat, or PIECE_NONE. */
static enum piece own_side(const struct game *game, const struct combat *combat)
{
    if (leads(game, combat, combat->attacker)) {
        return combat->attacker;
    }
    return leads(game, combat, combat->target) ? combat->target : PIECE_NONE;
}

static enum piece other_side(const struct combat *combat, enum piece side)
{
    return combat->attacker == side ? combat->target : combat->attacker;
}

bool rules_combat_due(const struct game *game, unsigned combat)
{
    const struct combat *it = &game->combats[combat];
    enum piece side = own_side(game, it);

    return game->phase != PHASE_OVER && side && !it->rolled &&
           !check_attack(game, side, other_side(it, side), NULL);
}

/* Whether the current player may begin a close combat with this piece (C1, PS2). */
static int check_attacker(const struct game *game, enum piece attacker, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    if (is_neutral(game, attacker)) {
        return scenario->neutral_attacks && game->turn.neutral_moved
                   ? 0
                   : refuse(out, REFUSED_NOT_YOURS, scenario->neutral_attack_rule);
    }
    return rules_owner(game, attacker) == game->player ? 0
                                                       : refuse(out, REFUSED_NOT_YOURS, RULE_C1);
}

/* C2, PS3: the target of the current player's attack surrenders. */
static void surrender(struct game *game, enum piece target, enum piece winner, enum rule rule,
                      struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    if (is_neutral(game, winner)) {
        lose(game, target, winner, scenario->neutral_wins_rule, out);
    } else if (is_neutral(game, target) && scenario->neutral_beaten) {
        scenario->neutral_beaten(game, winner, out);
    } else {
        capture(game, target, game->player, winner, HOW_COMBAT, rule, out);
    }
}

int engage(struct game *game, const struct input *input, struct outcome *out)
{
    enum piece attacker = input->piece;
    enum piece target = input->other;
    bool target_is_flat = game->status[target] == STATUS_FLAT;
    int refusal = check_attacker(game, attacker, out);

    if (refusal) {
        return refusal;
    }
    if (!is_enemy(game, game->player, target) || target == attacker) {
        return refuse(out, REFUSED_NOT_AN_ENEMY, RULE_C1);
    }
    refusal = check_attack(game, attacker, target, out);
    if (refusal) {
        return refusal;
    }
    struct combat *combat = find_combat(game, attacker, target);
    if (combat && !target_is_flat) {
        return refuse(out, REFUSED_IN_COMBAT, RULE_C8);
    }
    if (combat && combat->rolled) {
        return refuse(out, REFUSED_ALREADY_ROLLED, RULE_C8);
    }
    if (!combat) {
        assert(game->combat_count < COMBATS_MAX);
        game->combats[game->combat_count++] = (struct combat){
            .attacker = (uint8_t)attacker,
            .target = (uint8_t)target,
            .began_by = game->player,
        };
        struct event *event = emit(game, out, EVENT_COMBAT_STARTED, RULE_C1);
        event->piece = attacker;
        event->other = target;
    }
    if (target_is_flat) {
        surrender(game, target, attacker, RULE_A4, out);
    }
    return 0;
}

static int roll(struct game *game, struct combat *combat, enum piece side, uint32_t face,
                struct outcome *out)
{
    enum piece target = other_side(combat, side);

    if (!face) {
        return refuse(out, REFUSED_MISSING_FIELD, RULE_C2);
    }
    if (!die_shows(game->setup.house.combat_die, game->setup.house.combat_faces, face)) {
        return refuse(out, REFUSED_BAD_VALUE, RULE_C2);
    }
    combat->rolled = 1;
    struct event *event = emit(game, out, EVENT_COMBAT_ROLLED, RULE_C2);
    event->piece = side;
    event->other = target;
    event->value = face;
    if (face == FACE_FLAG) {
        surrender(game, target, side, RULE_C2, out);
    }
    return 0;
}

/* C5: the current player rolls, so the two pieces may be named in either order. */
int roll_combat(struct game *game, const struct input *input, struct outcome *out)
{
    struct combat *combat = find_combat(game, input->piece, input->other);

    if (!combat) {
        return refuse(out, REFUSED_NOT_FIGHTING, RULE_C2);
    }
    enum piece side = own_side(game, combat);
    if (!side) {
        return refuse(out, REFUSED_NOT_YOURS, RULE_C5);
    }
    enum piece target = other_side(combat, side);
    int refusal = check_attack(game, side, target, out);
    if (refusal) {
        return refusal;
    }
    if (combat->rolled) {
        return refuse(out, REFUSED_ALREADY_ROLLED, RULE_C8);
    }
    if (game->status[target] == STATUS_FLAT) {
        surrender(game, target, side, RULE_A4, out);
        return 0;
    }
    return roll(game, combat, side, input->value, out);
}

void end_combats_of(struct game *game, enum piece piece, enum rule rule, struct outcome *out)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < game->combat_count; i++) {
        struct combat combat = game->combats[i];
        if (combat.attacker != piece && combat.target != piece) {
            game->combats[kept++] = combat;
            continue;
        }
        struct event *event = emit(game, out, EVENT_COMBAT_ENDED, rule);
        event->piece = combat.attacker;
        event->other = combat.target;
    }
    for (unsigned i = kept; i < game->combat_count; i++) {
        game->combats[i] = (struct combat){0};
    }
    game->combat_count = (uint8_t)kept;
}
