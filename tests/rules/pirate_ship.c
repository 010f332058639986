/* PS: the pirate ship. */
#include "tests/support/table.h"

static void PS1_points_may_be_spent_on_the_pirate(void **state)
{
    given(state, "scenario pirate-ship", "phase moving", "die 3");
    when(state, "move pirate 2");
    then(state, "piece-moved piece=pirate knots=2 cost=2 left=1 PS1");
    when(state, "move red-1 1");
    then(state, "piece-moved piece=red-1 knots=1 cost=1 left=0 M4");
}

static void PS1_rope_measures_the_pirate(void **state)
{
    given(state, "scenario pirate-ship", "phase moving", "die 2");
    when(state, "select pirate");
    then(state, "piece-selected piece=pirate left=2 M4");
}

static void PS2_pirate_attacks_in_the_turn_it_was_moved(void **state)
{
    given(state, "scenario pirate-ship", "phase moving", "die 3");
    when(state, "move pirate 1", "end-phase", "engage pirate blue-tower");
    then(state, "combat-started attacker=pirate target=blue-tower C1");
    when(state, "roll-combat pirate blue-tower swords");
    then(state, "combat-rolled attacker=pirate target=blue-tower value=swords C2");
}

static void PS2_move_of_the_player_before_does_not_count(void **state)
{
    given(state, "scenario pirate-ship", "phase moving", "die 3");
    when(state, "move pirate 1", "end-phase", "end-phase", "end-phase", "end-phase",
         "engage pirate red-1");
    then(state, "refused not-yours PS2");
    now(state, "turn blue");
}

static void PS2_who_began_the_combat_rolls_for_the_pirate_later(void **state)
{
    given(state, "scenario pirate-ship", "pirate fights blue-1 for red", "phase combat");
    when(state, "end-phase");
    then(state, "refused combat-due C5");
    when(state, "roll-combat pirate blue-1 swords");
    then(state, "combat-rolled attacker=pirate target=blue-1 value=swords C2");
    when(state, "roll-combat pirate blue-1 flag");
    then(state, "refused already-rolled C8");
}

static void PS2_pirate_shoots_when_it_is_named(void **state)
{
    given(state, "scenario pirate-ship", "red-1+red-2+red-3 captured by blue",
          "red-tower fights green-1");
    when(state, "fire");
    then(state, "refused in-combat C4");
    when(state, "aim pirate");
    then(state, "aimed piece=pirate S1");
    when(state, "fire");
    then(state, "shot-fired shooter=pirate S2", "deadline 3000ms");
}

static void PS3_what_falls_to_the_pirates_shot_is_lost_for_all(void **state)
{
    given(state, "scenario pirate-ship");
    when(state, "aim pirate", "ball-left", "@100ms toppled blue-tower");
    then(state, "piece-toppled piece=blue-tower S3", "piece-lost piece=blue-tower with=pirate PS3",
         "deadline 3000ms");
    now(state, "blue-tower lost", "score red 0");
    when(state, "end-phase", "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-lost piece=blue-1 with=pirate PS3");
}

static void PS3_pirates_shot_damages_in_the_advanced_game(void **state)
{
    given(state, "advanced", "scenario pirate-ship");
    when(state, "aim pirate", "ball-left", "toppled blue-1");
    then(state, "piece-toppled piece=blue-1 A1", "deadline 3000ms");
    now(state, "blue-1 flat");
}

static void PS3_own_side_is_put_back_after_the_pirates_shot(void **state)
{
    given(state, "teams", "scenario pirate-ship");
    when(state, "aim pirate", "ball-left", "toppled red-1");
    then(state, "disturbance pieces=red-1 S5", "deadline 3000ms");
    when(state, "toppled green-1");
    then(state, "disturbance pieces=green-1 S5", "deadline 3000ms");
    now(state, "red-1+green-1 standing");
}

static void PS3_pirate_that_topples_itself_is_put_back(void **state)
{
    given(state, "scenario pirate-ship");
    when(state, "aim pirate", "ball-left", "toppled pirate");
    then(state, "disturbance pieces=pirate PS3", "deadline 3000ms");
    now(state, "pirate standing", "pirate disturbed");
    given(state, "advanced", "scenario pirate-ship");
    when(state, "aim pirate", "fire", "end-phase", "topple pirate");
    then(state, "disturbance pieces=pirate PS3");
    now(state, "pirate standing");
}

static void PS3_pieces_lost_to_the_pirates_shot_end_the_game(void **state)
{
    given(state, "scenario pirate-ship", "green-2+green-3+green-tower captured by red");
    when(state, "aim pirate", "ball-left", "toppled green-1", "@3000ms window-over");
    then(state, "shot-over S4", "player-out out=3 E1",
         "game-over ranking=1:4,2:0=4:0,3:0 winners=1 E3");
}

static void PS3_what_surrenders_to_the_pirate_is_lost_for_all(void **state)
{
    given(state, "scenario pirate-ship", "pirate fights blue-tower for red", "phase combat");
    when(state, "roll-combat pirate blue-tower flag");
    then(state, "combat-rolled attacker=pirate target=blue-tower value=flag C2",
         "piece-lost piece=blue-tower with=pirate PS3",
         "combat-ended attacker=pirate target=blue-tower C6");
    now(state, "blue-tower lost", "score red 0", "towers blue 0");
}

static void PS4_pirate_falls_to_a_shot_like_a_ship(void **state)
{
    given(state, "scenario pirate-ship");
    when(state, "ball-left", "toppled pirate");
    then(state, "piece-toppled piece=pirate S3", "piece-captured piece=pirate by=1 how=shot PS4",
         "deadline 3000ms");
    now(state, "pirate captured by red", "score red 1");
}

static void PS4_house_decides_what_the_pirate_is_worth(void **state)
{
    given(state, "scenario pirate-ship", "house pirate_points=4");
    when(state, "ball-left", "toppled pirate");
    then(state, "piece-toppled piece=pirate S3", "piece-captured piece=pirate by=1 how=shot PS4",
         "deadline 3000ms");
    now(state, "score red 4");
}

static void PS4_target_of_a_flat_pirate_captures_it_without_a_roll(void **state)
{
    given(state, "advanced", "scenario pirate-ship", "pirate fights blue-1 for red", "pirate flat",
          "turn blue", "phase combat");
    when(state, "roll-combat blue-1 pirate");
    then(state, "piece-captured piece=pirate with=blue-1 by=2 how=combat A4",
         "combat-ended attacker=pirate target=blue-1 C6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PS1_points_may_be_spent_on_the_pirate),
        REFUSAL(PS1_pirate_goes_no_further_than_the_points, "move pirate 2",
                "refused not-enough-points M5", "scenario pirate-ship", "phase moving", "die 1"),
        cmocka_unit_test(PS1_rope_measures_the_pirate),
        cmocka_unit_test(PS2_pirate_attacks_in_the_turn_it_was_moved),
        REFUSAL(PS2_pirate_that_was_not_moved_does_not_attack, "engage pirate blue-1",
                "refused not-yours PS2", "scenario pirate-ship", "phase combat"),
        cmocka_unit_test(PS2_move_of_the_player_before_does_not_count),
        cmocka_unit_test(PS2_who_began_the_combat_rolls_for_the_pirate_later),
        REFUSAL(PS2_fighting_pirate_cannot_be_moved, "move pirate 1", "refused in-combat M2",
                "scenario pirate-ship", "pirate fights blue-1 for red", "phase moving", "die 3"),
        cmocka_unit_test(PS2_pirate_shoots_when_it_is_named),
        cmocka_unit_test(PS3_what_falls_to_the_pirates_shot_is_lost_for_all),
        cmocka_unit_test(PS3_pirates_shot_damages_in_the_advanced_game),
        cmocka_unit_test(PS3_own_side_is_put_back_after_the_pirates_shot),
        cmocka_unit_test(PS3_pirate_that_topples_itself_is_put_back),
        cmocka_unit_test(PS3_pieces_lost_to_the_pirates_shot_end_the_game),
        cmocka_unit_test(PS3_what_surrenders_to_the_pirate_is_lost_for_all),
        cmocka_unit_test(PS4_pirate_falls_to_a_shot_like_a_ship),
        REFUSAL(PS4_captured_pirate_is_out_of_play, "move pirate 1", "refused out-of-play",
                "scenario pirate-ship", "pirate captured by blue", "phase moving", "die 3"),
        cmocka_unit_test(PS4_house_decides_what_the_pirate_is_worth),
        cmocka_unit_test(PS4_target_of_a_flat_pirate_captures_it_without_a_roll),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
