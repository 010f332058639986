/* Sentences: what people read is about the right piece and says what to do. */
#include "rules/say.h"
#include "tests/support/table.h"

#include <string.h>

static void a_target_out_of_play_is_the_piece_that_is_named(void **state)
{
    given(state, "phase combat", "blue-1 captured by red", "red-2 captured by blue");
    when(state, "engage red-1 blue-1");
    says(state, "blue-1 is out of play.");
    when(state, "engage red-2 blue-2");
    says(state, "red-2 is out of play.");
}

static void G1_a_target_of_no_player_is_the_piece_that_is_named(void **state)
{
    given(state, "players 3", "phase combat");
    when(state, "engage red-1 yellow-1");
    says(state, "yellow-1 does not take part in this game.");
    when(state, "engage yellow-2 red-1");
    says(state, "yellow-2 does not take part in this game.");
}

static void A2_the_flat_side_is_named_in_either_order(void **state)
{
    given(state, "advanced", "phase combat", "red-1 flat", "red-1 fights blue-1");
    when(state, "roll-combat red-1 blue-1 flag");
    says(state, "red-1 lies flat: it can neither shoot nor attack.");
    when(state, "roll-combat blue-1 red-1 flag");
    says(state, "red-1 lies flat: it can neither shoot nor attack.");
}

static void ME4_the_carrier_is_named_in_either_order(void **state)
{
    given(state, "scenario merchant", "phase combat", "red-1 loaded at red", "blue-1 fights red-1");
    when(state, "roll-combat blue-1 red-1 flag");
    says(state, "red-1 carries a barrel: it cannot shoot or attack.");
}

static void ME5_a_barrel_that_is_won_goes_to_the_winner(void **state)
{
    given(state, "scenario merchant", "phase combat", "blue-1 loaded at green",
          "red-1 fights blue-1");
    when(state, "roll-combat red-1 blue-1 flag");
    says(state, "red-1 against blue-1: flag.", "blue-1 surrenders to red-1: a trophy for Player 1.",
         "The close combat of red-1 and blue-1 is over.",
         "The barrel for yellow goes from blue-1 to red-1.");
}

static void ME5_a_barrel_that_nobody_wins_is_to_be_put_back(void **state)
{
    given(state, "scenario merchant", "blue-1 loaded at green");
    when(state, "fire", "topple blue-1");
    says(state, "blue-1 topples.", "Player 1 captures blue-1.",
         "blue-1 loses the barrel for yellow: put it back at green.");
}

static void undo_says(void **state, const char *line, const char *sentence)
{
    when(state, line, "undo");
    says(state, sentence);
}

static void an_undo_says_what_it_took_back(void **state)
{
    given(state, "phase moving", "die 3");
    undo_says(state, "select red-1", "Taken back: Player 1 chose red-1.");
    undo_says(state, "move red-1 1", "Taken back: Player 1 moved red-1 by 1 knot.");
    undo_says(state, "move knots=1.5", "Taken back: Player 1 moved a ship by 1.5 knots.");
    undo_says(state, "end-phase", "Taken back: Player 1 ended the moving step.");
    undo_says(state, "knocked blue-1+blue-2", "Taken back: blue-1 and blue-2 fell.");
    given(state, "phase combat", "red-1 fights blue-1");
    undo_says(state, "roll-combat red-1 blue-1 swords",
              "Taken back: red-1 against blue-1: swords.");
    undo_says(state, "engage red-2 blue-2", "Taken back: red-2 attacked blue-2.");
}

static void an_undo_has_a_sentence_for_every_command_and_fact(void **state)
{
    static const struct game game = {0};

    (void)state;
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        enum source source = rules_input_source(kind);
        struct event event = {.kind = EVENT_UNDONE, .undone = kind};
        char sentence[SENTENCE_SIZE];
        if ((source == SOURCE_COMMAND && kind != INPUT_NEW_GAME && kind != INPUT_UNDO) ||
            source == SOURCE_FACT) {
            say_event(&game, &event, sentence, sizeof sentence);
            assert_memory_equal(sentence, "Taken back: ", strlen("Taken back: "));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_out_of_play_is_the_piece_that_is_named),
        cmocka_unit_test(G1_a_target_of_no_player_is_the_piece_that_is_named),
        cmocka_unit_test(A2_the_flat_side_is_named_in_either_order),
        cmocka_unit_test(ME4_the_carrier_is_named_in_either_order),
        cmocka_unit_test(ME5_a_barrel_that_is_won_goes_to_the_winner),
        cmocka_unit_test(ME5_a_barrel_that_nobody_wins_is_to_be_put_back),
        cmocka_unit_test(an_undo_says_what_it_took_back),
        cmocka_unit_test(an_undo_has_a_sentence_for_every_command_and_fact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
