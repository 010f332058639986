/* C6 at its limit: everybody fights everybody, and the pirate ship all of them. */
#include "tests/support/table.h"

static const struct game *game_of(void **state)
{
    return &table_of(state)->play.game;
}

static void say(void **state, enum input_kind kind, enum piece piece, enum piece other)
{
    struct input input = {.kind = kind, .piece = piece, .other = other, .value = FACE_SWORDS};

    when_said(state, &input);
}

/* Attacks every piece it may attack; the others are refused, and that is not the matter here. */
static void attack_all_with(void **state, enum piece attacker)
{
    for (enum piece target = PIECE_RED_1; target <= PIECE_PIRATE; target++) {
        say(state, INPUT_ENGAGE, attacker, target);
        table_of(state)->compared = true;
    }
}

static void roll_swords_for_all(void **state)
{
    for (unsigned i = 0; i < game_of(state)->combat_count; i++) {
        if (rules_combat_due(game_of(state), i)) {
            say(state, INPUT_ROLL_COMBAT, game_of(state)->combats[i].attacker,
                game_of(state)->combats[i].target);
        }
    }
}

/* Each player in turn attacks with all pieces, and red with the pirate ship as well. */
static void fight_all_against_all(void **state)
{
    when(state, "end-phase", "roll-move 1", "move pirate 1");
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        while (game_of(state)->phase != PHASE_COMBAT) {
            when(state, "end-phase");
        }
        for (enum piece piece = PIECE_RED_1; piece <= PIECE_PIRATE; piece++) {
            attack_all_with(state, piece);
        }
        roll_swords_for_all(state);
        when(state, "end-phase");
    }
}

TEST(C6_everybody_may_fight_everybody_and_who_leaves_ends_it_with_all)
{
    given(state, "scenario pirate-ship");
    fight_all_against_all(state);
    now(state, "combats 112", "turn red", "phase shooting");
    assert_null(rules_violation(game_of(state)));
    when(state, "end-phase", "end-phase", "roll-combat red-1 blue-1 flag");
    now(state, "combats 99", "blue-1 captured by red");
    assert_int_equal(table_of(state)->outcome.count, 2 + 13);
}

TEST(C6_nothing_of_an_ended_combat_is_left_in_the_game)
{
    static const struct combat none[COMBATS_MAX];

    given(state, "phase combat", "red-1 fights blue-1", "green-1 fights blue-1");
    when(state, "roll-combat red-1 blue-1 flag");
    now(state, "combats 0");
    assert_memory_equal(game_of(state)->combats, none, sizeof none);
}
