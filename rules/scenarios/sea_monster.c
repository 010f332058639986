/* SM: a monster with two lives that attacks ships but cannot be attacked by them. */
#include "../rules_internal.h"

static void begin_game(struct game *game)
{
    game->scenario.monster.lives = game->setup.house.monster_lives;
}

static int check_target(const struct game *game, enum piece attacker, enum piece target,
                        struct outcome *out)
{
    (void)game;
    (void)attacker;
    return target == PIECE_MONSTER ? refuse(out, REFUSED_NOT_AN_ENEMY, RULE_SM2) : 0;
}

/* SM4: moving it away ends its close combats. */
static void neutral_moved(struct game *game, struct outcome *out)
{
    end_combats_of(game, PIECE_MONSTER, RULE_SM4, out);
}

/* SM3: a topple costs a life, but only after the monster was upright again. */
static int neutral_toppled(struct game *game, bool was_lying, struct outcome *out)
{
    struct monster *monster = &game->scenario.monster;

    if (monster->down && was_lying) {
        return refuse(out, REFUSED_FLAT, RULE_SM3);
    }
    emit(game, out, EVENT_PIECE_TOPPLED, RULE_SM3)->piece = PIECE_MONSTER;
    monster->lives--;
    monster->down = monster->lives > 0;
    if (monster->down) {
        emit(game, out, EVENT_MONSTER_WOUNDED, RULE_SM3)->value = monster->lives;
    } else {
        game->status[PIECE_MONSTER] = STATUS_LOST;
        emit(game, out, EVENT_MONSTER_KILLED, RULE_SM3)->by = game->player;
        end_combats_of(game, PIECE_MONSTER, RULE_SM4, out);
    }
    return 0;
}

static bool neutral_raised(struct game *game)
{
    bool down = game->scenario.monster.down;

    game->scenario.monster.down = 0;
    return down;
}

unsigned rules_monster_lives(const struct game *game)
{
    return game->setup.scenario == SCENARIO_SEA_MONSTER ? game->scenario.monster.lives : 0;
}

static const char *violation(const struct game *game)
{
    const struct monster *monster = &game->scenario.monster;

    if (monster->lives > game->setup.house.monster_lives) {
        return "the monster has no more lives than it began with";
    }
    if ((monster->lives == 0) != (game->status[PIECE_MONSTER] == STATUS_LOST)) {
        return "the monster is gone exactly when it has no life left";
    }
    if (game->status[PIECE_MONSTER] == STATUS_FLAT ||
        game->status[PIECE_MONSTER] == STATUS_CAPTURED) {
        return "the monster is never flat and never a trophy";
    }
    return 0;
}

const struct scenario scenario_sea_monster = {
    .neutral = PIECE_MONSTER,
    .neutral_rule = RULE_SM1,
    .neutral_attacks = true,
    .neutral_attack_rule = RULE_SM2,
    .neutral_wins_rule = RULE_SM2,
    .neutral_leaves_combat = true,
    .begin_game = begin_game,
    .check_target = check_target,
    .neutral_moved = neutral_moved,
    .neutral_toppled = neutral_toppled,
    .neutral_raised = neutral_raised,
    .violation = violation,
};
