/* Sentences: what people read is about the right piece and says what to do. */
#include "tests/support/table.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_out_of_play_is_the_piece_that_is_named),
        cmocka_unit_test(G1_a_target_of_no_player_is_the_piece_that_is_named),
        cmocka_unit_test(A2_the_flat_side_is_named_in_either_order),
        cmocka_unit_test(ME4_the_carrier_is_named_in_either_order),
        cmocka_unit_test(ME5_a_barrel_that_is_won_goes_to_the_winner),
        cmocka_unit_test(ME5_a_barrel_that_nobody_wins_is_to_be_put_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
