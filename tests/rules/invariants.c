/* Invariants: a game that cannot be is recognised, and the sentence says what is wrong with it. */
#include "tests/support/table.h"

#define GAME(member) offsetof(struct game, member)
#define LYING(piece) (GAME(lying) + PIECE_##piece / 8), 1U << PIECE_##piece % 8

/* A position with one byte changed, and the claim that is then broken. */
struct breach {
    const char *one;
    const char *two;
    size_t offset;
    unsigned value;
    const char *claim;
};

static void assert_breach(void **state, const struct breach *breach)
{
    given(state, breach->one, breach->two);
    struct game *game = &table_of(state)->play.game;
    ((uint8_t *)game)[breach->offset] = (uint8_t)breach->value;
    const char *violation = rules_violation(game);
    assert_non_null(violation);
    assert_string_equal(violation, breach->claim);
}

#define ASSERT_BREACHES(state, breaches)                                                           \
    for (size_t i = 0; i < sizeof(breaches) / sizeof((breaches)[0]); i++) {                        \
        assert_breach((state), &(breaches)[i]);                                                    \
    }

TEST(the_turn_is_one_players_in_one_step)
{
    static const char shot[] = "a shot is open in the shooting step only (S9)";
    static const struct breach breaches[] = {
        {"players 4", "phase moving", GAME(phase), PHASE_COUNT, "the game is in one of its phases"},
        {"players 4", "phase moving", GAME(player), 0, "exactly one player has the turn"},
        {"players 3", "phase moving", GAME(player), 4, "exactly one player has the turn"},
        {"players 4", "phase moving", GAME(phase), PHASE_REPAIR,
         "only the advanced game has a repair step (G3)"},
        {"players 4", "phase shooting", GAME(turn.shot), SHOT_NONE, shot},
        {"players 4", "phase shooting", GAME(turn.shot), SHOT_COUNT, shot},
        {"players 4", "phase moving", GAME(turn.shot), SHOT_OPEN, shot},
        {"phase moving", "die 2", GAME(turn.left), 3,
         "no more points are left than were rolled (M1)"},
        {"phase moving", "left 0", GAME(turn.die), 4, "the die shows one of its faces (M1)"},
        {"lobby", "players 4", GAME(seq), 1, "nothing has happened in the lobby"},
    };

    ASSERT_BREACHES(state, breaches)
}

TEST(a_piece_has_one_status_and_one_holder)
{
    static const char holder[] = "a trophy is a captured piece and has one holder";
    static const char own[] = "nobody holds a trophy of their own side";
    static const char status[] = "every piece of this game, and no other, has a status (G1)";
    static const struct breach breaches[] = {
        {"players 4", "turn red", GAME(captured_by[PIECE_BLUE_1]), 1, holder},
        {"players 4", "turn red", GAME(status[PIECE_BLUE_1]), STATUS_CAPTURED, holder},
        {"players 4", "blue-1 captured by red", GAME(captured_by[PIECE_BLUE_1]), 2, own},
        {"teams", "blue-1 captured by red", GAME(captured_by[PIECE_BLUE_1]), 4, own},
        {"players 3", "blue-1 captured by red", GAME(captured_by[PIECE_BLUE_1]), 4, own},
        {"players 4", "turn red", GAME(status[PIECE_RED_1]), STATUS_ABSENT, status},
        {"players 3", "turn red", GAME(status[PIECE_YELLOW_1]), STATUS_STANDING, status},
        {"players 4", "turn red", GAME(status[PIECE_PIRATE]), STATUS_STANDING, status},
        {"players 4", "turn red", GAME(status[PIECE_WIND]), STATUS_STANDING, status},
        {"players 4", "turn red", GAME(status[PIECE_RED_1]), STATUS_COUNT, status},
        {"players 4", "turn red", GAME(status[PIECE_RED_1]), STATUS_FLAT,
         "only in the advanced game is a piece flat (A1)"},
        {"scenario kraken", "turn red", LYING(KRAKEN), "tiles do not topple"},
        {"scenario heavy-wind", "turn red", LYING(WIND), "tiles do not topple"},
    };

    ASSERT_BREACHES(state, breaches)
}

TEST(close_combats_are_between_enemies_in_play)
{
    static const char enemy[] = "whoever begins a close combat attacks an enemy (C1)";
    static const char one[] = "two pieces are in one close combat with each other";
    static const char out[] = "nobody fights what is out of play (C6)";
    static const struct breach breaches[] = {
        {"players 4", "red-1 fights blue-1", GAME(status[PIECE_BLUE_1]), STATUS_LOST, out},
        {"players 4", "red-1 fights blue-1", GAME(status[PIECE_RED_1]), STATUS_LOST, out},
        {"players 4", "red-1 fights blue-1", GAME(combats[0].began_by), 0, enemy},
        {"players 4", "red-1 fights blue-1", GAME(combats[0].began_by), 5, enemy},
        {"players 4", "red-1 fights blue-1", GAME(combats[0].began_by), 3, enemy},
        {"players 4", "red-1 fights blue-1", GAME(combats[0].target), PIECE_RED_2, enemy},
        {"red-1 fights blue-1", "red-1 fights blue-2", GAME(combats[1].target), PIECE_BLUE_1, one},
        {"red-1 fights blue-1", "blue-2 fights red-1", GAME(combats[1].attacker), PIECE_BLUE_1,
         one},
        {"players 4", "red-1 fights blue-1", GAME(combat_count), COMBATS_MAX + 1,
         "close combats fit their table"},
    };

    ASSERT_BREACHES(state, breaches)
}

TEST(the_end_is_when_somebody_is_out)
{
    static const char claim[] = "the game is over exactly when somebody is out (E1)";
    static const struct breach breaches[] = {
        {"players 4", "turn red", GAME(phase), PHASE_OVER, claim},
        {"phase over", "green-1+green-2+green-3+green-tower lost", GAME(phase), PHASE_MOVING,
         claim},
    };

    ASSERT_BREACHES(state, breaches)
}

TEST(scenarios_keep_their_things_together)
{
    static const char chest[] = "the chest is on the island or with a player's piece in play";
    static const char barrel[] = "a barrel is carried by a ship in play";
    static const char kraken[] = "the kraken holds a ship in play";
    static const char wind[] =
        "only a ship of the current player that caught the wind has extra knots";
    static const struct breach breaches[] = {
        {"scenario treasure-island", "red-1 has chest", GAME(status[PIECE_RED_1]), STATUS_LOST,
         chest},
        {"scenario sea-monster", "turn red", GAME(scenario.monster.lives), 3,
         "the monster has no more lives than it began with"},
        {"scenario sea-monster", "turn red", GAME(scenario.monster.lives), 0,
         "the monster is gone exactly when it has no life left"},
        {"scenario sea-monster", "advanced", GAME(status[PIECE_MONSTER]), STATUS_FLAT,
         "the monster is never flat and never a trophy"},
        {"scenario heavy-wind", "turn red", GAME(turn.extra[PIECE_RED_1]), 1, wind},
        {"scenario heavy-wind", "red-1 caught wind", GAME(player), 2, wind},
        {"scenario merchant", "red-1 loaded at blue",
         GAME(scenario.merchant.barrels[HARBOUR_BLUE].delivered_by), 1, "a barrel is in one place"},
        {"scenario merchant", "red-1 loaded at blue", GAME(status[PIECE_RED_1]), STATUS_LOST,
         barrel},
        {"scenario merchant", "turn red", GAME(scenario.merchant.barrels[HARBOUR_RED].carrier),
         PIECE_RED_TOWER, barrel},
        {"scenario merchant", "red-1 loaded at blue",
         GAME(scenario.merchant.barrels[HARBOUR_RED].carrier), PIECE_RED_1,
         "a ship carries one barrel"},
        {"scenario merchant", "red delivered from blue",
         GAME(scenario.merchant.barrels[HARBOUR_BLUE].delivered_by), 9,
         "the scores are what the trophies say (E2)"},
        {"scenario kraken", "kraken holds red-1", GAME(status[PIECE_RED_1]), STATUS_LOST, kraken},
        {"scenario kraken", "turn red", GAME(scenario.kraken.holds), PIECE_RED_TOWER, kraken},
        {"scenario kraken", "phase moving", GAME(scenario.kraken.free_knots), 1,
         "the kraken has free knots in the close combat step only"},
        {"scenario kraken", "red-1 fights blue-1", GAME(combats[0].target), PIECE_KRAKEN,
         "only the entangled ship fights the kraken"},
    };

    ASSERT_BREACHES(state, breaches)
}

TEST(games_that_are_the_same_have_the_same_hash)
{
    given(state, "phase moving", "die 3");
    uint64_t hash = rules_hash(&table_of(state)->play.game);
    given(state, "phase moving", "die 3");
    assert_true(rules_hash(&table_of(state)->play.game) == hash);
    when(state, "move red-1 1");
    assert_false(rules_hash(&table_of(state)->play.game) == hash);
}
