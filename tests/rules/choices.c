/*
 * What the list of possible commands says beyond "accepted" and "refused", which the random player
 * compares with every command.
 */
#include "rules/choices.h"
#include "tests/support/table.h"

static const struct choices *list(void **state, uint32_t fallen)
{
    static struct choices choices;
    const struct table *table = *state;

    choices_list(&table->play, fallen, &choices);
    return &choices;
}

static const struct choice *find(const struct choices *choices, enum input_kind verb)
{
    for (unsigned i = 0; i < choices->count; i++) {
        if (choices->list[i].verb == verb) {
            return &choices->list[i];
        }
    }
    return NULL;
}

TEST(an_empty_table_has_no_choices)
{
    const struct play lobby = {0};
    struct choices choices;

    choices_list(&lobby, 0, &choices);
    assert_int_equal(choices.count, 0);
}

TEST(undo_is_listed_with_what_it_would_take_back)
{
    given(state, "phase moving");
    when(state, "roll-move 3");
    assert_non_null(find(list(state, 0), INPUT_UNDO));
    assert_string_equal(list(state, 0)->undo, "Player 1 rolled a 3.");
    when(state, "end-phase", "end-phase");
    assert_string_equal(list(state, 0)->undo, "Player 1 ended the combat step.");
}

TEST(with_daemon_dice_no_values_are_listed)
{
    struct table *table;

    given(state, "phase combat", "red-1 fights blue-1");
    assert_int_equal(find(list(state, 0), INPUT_ROLL_COMBAT)->values,
                     bit(FACE_FLAG) | bit(FACE_SWORDS));
    table = *state;
    table->play.game.setup.dice = DICE_DAEMON;
    assert_non_null(find(list(state, 0), INPUT_ROLL_COMBAT));
    assert_int_equal(find(list(state, 0), INPUT_ROLL_COMBAT)->values, 0);
}

TEST(A4_a_flat_target_is_listed_without_values)
{
    given(state, "advanced", "phase combat", "red-1 fights blue-1", "blue-1 flat");
    assert_non_null(find(list(state, 0), INPUT_ROLL_COMBAT));
    assert_int_equal(find(list(state, 0), INPUT_ROLL_COMBAT)->values, 0);
}

TEST(a_piece_that_only_its_sensor_saw_fall_can_be_raised)
{
    given(state, "phase moving");
    assert_null(find(list(state, 0), INPUT_RAISE));
    assert_int_equal(find(list(state, bit(PIECE_BLUE_2)), INPUT_RAISE)->pieces, bit(PIECE_BLUE_2));
    assert_true(find(list(state, bit(PIECE_BLUE_2)), INPUT_TOPPLE)->pieces & bit(PIECE_BLUE_2));
}

TEST(HW1_the_knots_of_a_ship_include_its_own)
{
    const struct choices *choices;

    given(state, "scenario heavy-wind", "phase moving", "die 2");
    when(state, "catch-wind red-2");
    choices = list(state, 0);
    for (unsigned i = 0; i < choices->count; i++) {
        const struct choice *choice = &choices->list[i];
        if (choice->verb == INPUT_MOVE) {
            assert_int_equal(choice->knots, choice->piece == PIECE_RED_2 ? 3 : 2);
        }
    }
}
