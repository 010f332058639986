/* Referee: whatever was accepted can be taken back, step by step, and nothing is erased. */
#include "tests/support/table.h"

/* The line is accepted, and after an undo the game is as it was, but for the numbering. */
static void takes_back(void **state, const char *line)
{
    struct game before = table_of(state)->play.game;

    when(state, line, "undo");
    assert_int_equal(table_of(state)->refusal, 0);
    before.seq = table_of(state)->play.game.seq;
    assert_memory_equal(&before, &table_of(state)->play.game, sizeof before);
}

static void undo_takes_back_what_is_done_in_the_shooting_step(void **state)
{
    given(state, "green-1 fights blue-1");
    takes_back(state, "aim red-1");
    takes_back(state, "fire");
    takes_back(state, "ball-left 3.1");
    takes_back(state, "end-phase");
    when(state, "fire");
    takes_back(state, "topple blue-1");
    takes_back(state, "topple red-1");
    takes_back(state, "fire");
    takes_back(state, "end-phase");
}

static void undo_takes_back_what_is_done_in_the_moving_step(void **state)
{
    given(state, "phase moving", "blue-3 disturbed");
    takes_back(state, "roll-move 2");
    takes_back(state, "raise blue-3");
    takes_back(state, "topple blue-2");
    when(state, "roll-move 3");
    takes_back(state, "select red-1");
    takes_back(state, "move red-1 2");
    takes_back(state, "move knots=3");
    takes_back(state, "ball-left");
    takes_back(state, "end-phase");
}

static void undo_takes_back_what_is_done_in_the_combat_step(void **state)
{
    given(state, "phase combat", "red-1 fights blue-1", "blue-1 fights green-1",
          "red-2 fought blue-2");
    takes_back(state, "engage red-1 yellow-tower");
    takes_back(state, "roll-combat red-1 blue-1 flag");
    takes_back(state, "roll-combat red-1 blue-1 swords");
    when(state, "roll-combat red-1 blue-1 swords");
    takes_back(state, "end-phase");
}

static void undo_takes_back_what_is_done_in_the_repair_step(void **state)
{
    given(state, "advanced", "phase repair", "red-1 flat", "blue-1 flat", "die 2");
    takes_back(state, "raise red-1");
    takes_back(state, "raise blue-1");
    takes_back(state, "end-phase");
}

static void undo_takes_back_what_is_done_in_the_scenarios(void **state)
{
    given(state, "scenario treasure-island", "phase moving");
    takes_back(state, "take-chest red-1");
    given(state, "scenario merchant", "phase moving", "red-1 loaded at red");
    takes_back(state, "load-barrel red-2 blue");
    takes_back(state, "deliver-barrel red-1 blue");
    given(state, "scenario heavy-wind", "phase moving", "die 2");
    takes_back(state, "catch-wind red-1");
    takes_back(state, "move-wind");
    given(state, "scenario kraken", "phase moving", "die 2", "kraken holds blue-1");
    takes_back(state, "move kraken 2");
    when(state, "move kraken 1");
    takes_back(state, "entangle blue-2");
    given(state, "scenario pirate-ship", "phase combat", "pirate moved");
    takes_back(state, "engage pirate blue-1");
    given(state, "scenario sea-monster", "shot done");
    takes_back(state, "topple monster");
}

static void a_shot_is_taken_back_topple_by_topple_and_then_the_shot(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@300ms toppled blue-1", "@310ms toppled blue-2",
         "@3000ms window-over", "undo");
    then(state, "undone from=7 to=10", "deadline 3000ms");
    now(state, "phase shooting", "shot open", "blue-1 captured by red", "blue-2 standing",
        "score red 1");
    when(state, "undo");
    then(state, "undone from=5 to=6", "deadline 3000ms");
    now(state, "blue-1+blue-2 standing", "score red 0");
    when(state, "undo");
    then(state, "undone from=4 to=4");
    now(state, "shot none", "phase shooting");
    when(state, "undo");
    then(state, "refused nothing-to-undo");
}

static void what_ended_the_game_can_be_taken_back(void **state)
{
    given(state, "green-2+green-3+green-tower captured by red");
    when(state, "fire", "end-phase", "topple green-1");
    now(state, "phase over", "winners red");
    when(state, "undo");
    then(state, "undone from=7 to=10");
    now(state, "phase moving", "shot done", "green-1 standing", "green-1 undisturbed", "no winners",
        "score red 4");
}

static void a_game_that_ended_can_be_followed_by_another(void **state)
{
    given(state, "green-2+green-3+green-tower captured by red");
    when(state, "fire", "end-phase", "topple green-1", "new-game");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
    now(state, "green-1+green-tower standing", "score red 0");
    when(state, "undo");
    then(state, "refused nothing-to-undo");
}

static void the_numbering_goes_on_after_an_undo(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move red-1 1", "move red-2 1", "undo");
    then(state, "undone from=5 to=5");
    now(state, "seq 6", "left 2");
    when(state, "move red-3 2");
    then(state, "piece-moved piece=red-3 knots=2 cost=2 left=0 M4");
    now(state, "seq 7");
    when(state, "undo");
    then(state, "undone from=7 to=7");
    when(state, "undo");
    then(state, "undone from=4 to=4");
    now(state, "left 3", "seq 9");
}

static void what_a_sensor_saw_stays_seen(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@300ms toppled blue-1", "undo");
    then(state, "undone from=5 to=6", "deadline 3000ms");
    now(state, "blue-1 standing", "blue-1 disturbed");
    when(state, "@900ms raised blue-1");
    then(state, "piece-restored piece=blue-1 S7", "deadline 3000ms");
    now(state, "blue-1 undisturbed");
}

static void what_a_person_said_is_forgotten(void **state)
{
    given(state, "players 4");
    when(state, "fire", "topple blue-1", "undo");
    then(state, "undone from=5 to=6", "deadline 3000ms");
    now(state, "blue-1 standing", "blue-1 undisturbed");
}

/* The last line was accepted, and nothing has happened. */
static void then_only_remembered(void **state)
{
    assert_int_equal(table_of(state)->refusal, 0);
    assert_int_equal(table_of(state)->outcome.count, 0);
}

static void a_declared_fall_that_the_switch_confirmed_lies_after_an_undo(void **state)
{
    given(state, "players 4");
    when(state, "fire", "topple blue-1", "toppled blue-1");
    then_only_remembered(state);
    when(state, "undo");
    then(state, "undone from=5 to=6", "deadline 3000ms");
    now(state, "blue-1 standing", "blue-1 disturbed");
}

static void a_declared_rise_that_the_switch_confirmed_stands_after_an_undo(void **state)
{
    given(state, "players 4");
    when(state, "toppled blue-1", "raise blue-1", "raised blue-1");
    then_only_remembered(state);
    when(state, "undo");
    then(state, "undone from=5 to=5");
    now(state, "blue-1 undisturbed");
}

static void A3_a_repair_that_the_switch_confirmed_stands_after_an_undo(void **state)
{
    given(state, "advanced", "phase repair", "red-1 flat");
    when(state, "raise red-1", "raised red-1");
    then_only_remembered(state);
    when(state, "undo");
    then(state, "undone from=4 to=4");
    now(state, "red-1 flat", "red-1 disturbed");
}

static void what_fell_after_the_end_lies_after_an_undo(void **state)
{
    given(state, "green-2+green-3+green-tower captured by red", "shot done");
    when(state, "topple green-1", "toppled blue-1");
    then_only_remembered(state);
    when(state, "knocked green-1+red-1");
    then_only_remembered(state);
    when(state, "toppled blue-1");
    then(state, "refused no-game");
    when(state, "undo");
    then(state, "undone from=4 to=7");
    now(state, "phase shooting", "green-1+blue-1+red-1 disturbed");
}

static void a_word_that_a_switch_has_contradicted_is_not_restored(void **state)
{
    given(state, "phase moving");
    when(state, "topple blue-1", "raised blue-1", "undo");
    then(state, "undone from=5 to=5");
    now(state, "blue-1 undisturbed");
    when(state, "undo");
    then(state, "undone from=4 to=4");
    now(state, "blue-1 undisturbed");
}

static void an_earlier_word_counts_again_when_the_later_is_taken_back(void **state)
{
    given(state, "phase moving");
    when(state, "toppled blue-1", "raise blue-1", "topple blue-1", "undo");
    now(state, "blue-1 undisturbed");
    when(state, "undo");
    now(state, "blue-1 disturbed");
}

static void what_a_switch_confirms_is_no_step_of_an_undo(void **state)
{
    given(state, "phase moving");
    when(state, "topple blue-1", "toppled blue-1", "undo");
    then(state, "undone from=4 to=4");
    when(state, "undo");
    then(state, "refused nothing-to-undo");
}

static void a_broken_sensor_is_told_and_told_when_it_works_again(void **state)
{
    given(state, "phase combat");
    when(state, "sensor-fault blue-1.tilt chattering");
    then(state, "sensor-fault sensor=blue-1.tilt health=chattering");
    when(state, "sensor-ok blue-1.tilt");
    then(state, "sensor-ok sensor=blue-1.tilt");
}

static void a_full_memory_forgets_the_older_half_and_the_game_goes_on(void **state)
{
    given(state, "remembers 4", "phase moving", "house move_die=9", "die 9");
    when(state, "move red-1 1", "move red-1 1", "move red-1 1", "move red-1 1", "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=4 M4");
    when(state, "undo", "undo", "undo");
    then(state, "undone from=6 to=6");
    now(state, "left 7");
    when(state, "undo");
    then(state, "refused nothing-to-undo");
    when(state, "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=6 M4");
}

static void what_followed_from_a_forgotten_shot_stays(void **state)
{
    given(state, "remembers 4");
    when(state, "ball-left", "@200ms hit blue-1", "@210ms hit blue-2", "@3000ms window-over",
         "end-phase", "undo");
    then(state, "undone from=9 to=9");
    when(state, "undo");
    then(state, "refused nothing-to-undo");
    now(state, "phase moving", "shot done");
}

static void what_lay_on_its_side_is_not_forgotten_with_the_memory(void **state)
{
    given(state, "remembers 2");
    when(state, "toppled blue-1", "raise blue-1", "topple blue-2", "aim red-1", "aim red-2",
         "undo");
    then(state, "undone from=8 to=8");
    now(state, "blue-1 undisturbed", "blue-2 disturbed", "shooter red-1");
}

static void a_single_step_has_no_past_to_go_back_to(void **state)
{
    struct input undo = {.kind = INPUT_UNDO};
    struct outcome out;

    given(state, "players 4");
    when(state, "aim red-1");
    struct game game = table_of(state)->play.game;
    assert_int_equal(rules_step(&game, &undo, &out), REFUSED_NOTHING_TO_UNDO);
}

static void what_was_put_right_after_an_undo_stays_right_after_the_next(void **state)
{
    given(state, "players 4");
    when(state, "toppled blue-1", "undo", "raised blue-1", "aim red-1", "undo");
    then(state, "undone from=7 to=7");
    now(state, "blue-1 undisturbed", "no shooter");
}

static void an_undo_that_is_refused_sets_no_deadline(void **state)
{
    given(state, "remembers 2");
    when(state, "ball-left", "hit blue-1", "hit blue-2", "undo");
    then(state, "refused nothing-to-undo");
    now(state, "shot open");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_takes_back_what_is_done_in_the_shooting_step),
        cmocka_unit_test(undo_takes_back_what_is_done_in_the_moving_step),
        cmocka_unit_test(undo_takes_back_what_is_done_in_the_combat_step),
        cmocka_unit_test(undo_takes_back_what_is_done_in_the_repair_step),
        cmocka_unit_test(undo_takes_back_what_is_done_in_the_scenarios),
        cmocka_unit_test(a_shot_is_taken_back_topple_by_topple_and_then_the_shot),
        cmocka_unit_test(what_ended_the_game_can_be_taken_back),
        cmocka_unit_test(a_game_that_ended_can_be_followed_by_another),
        cmocka_unit_test(the_numbering_goes_on_after_an_undo),
        cmocka_unit_test(what_a_sensor_saw_stays_seen),
        cmocka_unit_test(what_a_person_said_is_forgotten),
        cmocka_unit_test(a_declared_fall_that_the_switch_confirmed_lies_after_an_undo),
        cmocka_unit_test(a_declared_rise_that_the_switch_confirmed_stands_after_an_undo),
        cmocka_unit_test(A3_a_repair_that_the_switch_confirmed_stands_after_an_undo),
        cmocka_unit_test(what_fell_after_the_end_lies_after_an_undo),
        cmocka_unit_test(a_word_that_a_switch_has_contradicted_is_not_restored),
        cmocka_unit_test(an_earlier_word_counts_again_when_the_later_is_taken_back),
        cmocka_unit_test(what_a_switch_confirms_is_no_step_of_an_undo),
        cmocka_unit_test(a_broken_sensor_is_told_and_told_when_it_works_again),
        cmocka_unit_test(a_full_memory_forgets_the_older_half_and_the_game_goes_on),
        cmocka_unit_test(what_followed_from_a_forgotten_shot_stays),
        cmocka_unit_test(what_lay_on_its_side_is_not_forgotten_with_the_memory),
        cmocka_unit_test(a_single_step_has_no_past_to_go_back_to),
        cmocka_unit_test(what_was_put_right_after_an_undo_stays_right_after_the_next),
        cmocka_unit_test(an_undo_that_is_refused_sets_no_deadline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
