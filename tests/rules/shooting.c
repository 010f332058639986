/* S: the shot, its window, what falls without a shot, and balls that should not fly. */
#include "tests/support/table.h"

static void S1_ships_and_towers_may_be_aimed_from(void **state)
{
    given(state, "players 4");
    when(state, "aim red-tower");
    then(state, "aimed piece=red-tower S1");
    when(state, "aim red-2");
    then(state, "aimed piece=red-2 S1");
    now(state, "shooter red-2");
}

static void S1_a_piece_in_close_combat_cannot_shoot(void **state)
{
    given(state, "red-1 fights blue-1", "green-1 fights red-tower");
    when(state, "aim red-1");
    then(state, "refused in-combat C4");
    when(state, "aim red-tower");
    then(state, "refused in-combat C4");
    now(state, "no shooter");
}

static void S1_nobody_shoots_from_a_strange_piece(void **state)
{
    given(state, "teams");
    when(state, "aim blue-1");
    then(state, "refused not-yours S1");
    when(state, "aim green-1");
    then(state, "refused not-yours S1");
}

static void S1_a_shot_is_refused_when_no_piece_may_shoot(void **state)
{
    given(state, "red-1+red-2+red-3 captured by blue", "red-tower fights green-1");
    when(state, "fire");
    then(state, "refused in-combat C4");
    now(state, "shot none");
}

static void S1_a_ball_that_nobody_could_shoot_is_a_foul(void **state)
{
    given(state, "red-1+red-2+red-3 captured by blue", "red-tower fights green-1");
    when(state, "ball-left");
    then(state, "foul S1");
    when(state, "@500ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    now(state, "shot none", "blue-1 standing", "score red 0", "phase shooting");
}

static void S2_the_beam_makes_the_shot_valid(void **state)
{
    given(state, "players 4");
    when(state, "aim red-1", "@1500ms ball-left 4.25");
    then(state, "shot-fired shooter=red-1 speed_mps=4.25 S2", "deadline 4500ms");
    now(state, "shot open", "phase shooting");
}

static void S2_until_the_ball_leaves_the_player_may_try_again(void **state)
{
    given(state, "players 4");
    when(state, "aim red-1", "@9000ms aim red-1", "@20000ms aim red-2");
    then(state, "aimed piece=red-2 S1");
    now(state, "shot none", "phase shooting");
    when(state, "ball-left");
    then(state, "shot-fired shooter=red-2 S2", "deadline 23000ms");
}

static void S2_there_is_no_aiming_after_the_shot(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "aim red-1");
    then(state, "refused not-in-phase S2");
}

static void S3_a_toppled_enemy_is_a_trophy_of_the_shooter(void **state)
{
    given(state, "players 4");
    when(state, "aim red-1", "ball-left", "@400ms toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3",
         "piece-captured piece=blue-1 with=red-1 by=1 how=shot S3", "deadline 3000ms");
    now(state, "blue-1 captured by red", "score red 1", "ships blue 2");
}

static void S3_one_ball_may_topple_several_and_all_count(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@300ms toppled blue-1", "@310ms toppled blue-2",
         "@900ms toppled green-tower");
    then(state, "piece-toppled piece=green-tower S3",
         "piece-captured piece=green-tower by=1 how=shot S3", "deadline 3000ms");
    now(state, "blue-1+blue-2+green-tower captured by red", "score red 4");
}

static void S3_a_tilt_at_the_very_start_of_the_window_counts(void **state)
{
    given(state, "players 4");
    when(state, "@1000ms ball-left", "@1000ms toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "deadline 4000ms");
}

static void S3_a_tilt_before_the_ball_left_does_not_count(void **state)
{
    given(state, "players 4");
    when(state, "@1000ms ball-left", "@999999us toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 4000ms");
    now(state, "blue-1 standing", "blue-1 disturbed");
}

static void S3_a_tilt_at_the_very_end_of_the_window_counts(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000ms toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "deadline 3000ms");
}

static void S3_a_tilt_a_microsecond_after_the_window_does_not_count(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000001us toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
    now(state, "score red 0");
}

static void S4_a_miss_ends_the_shooting(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000ms window-over");
    then(state, "shot-over S4", "phase-started phase=moving G3");
    now(state, "shot done");
}

static void S4_there_is_no_hit_without_a_shot(void **state)
{
    given(state, "players 4");
    when(state, "hit blue-1");
    then(state, "refused not-in-phase S4");
    when(state, "end-phase", "hit blue-1");
    then(state, "refused not-in-phase G3");
}

static void S4_a_hit_without_a_topple_ends_the_shooting(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@200ms hit blue-1");
    then(state, "shot-hit piece=blue-1 S4", "deadline 3000ms");
    when(state, "@3000ms window-over");
    then(state, "shot-over pieces=blue-1 S4", "phase-started phase=moving G3");
    now(state, "blue-1 standing", "score red 0");
}

static void S5_an_own_piece_is_put_back(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@300ms toppled red-2");
    then(state, "disturbance pieces=red-2 S5", "deadline 3000ms");
    now(state, "red-2 standing", "red-2 disturbed", "score red 0", "ships red 3");
    when(state, "@900ms raised red-2");
    then(state, "piece-restored piece=red-2 S7", "deadline 3000ms");
    now(state, "red-2 undisturbed");
}

static void S5_a_piece_that_lies_must_be_put_back_before_it_falls_again(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@300ms toppled red-2", "@400ms topple red-2");
    then(state, "refused flat S7");
}

static void S6_a_shaken_tower_is_to_be_put_back_in_place(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@200ms hit blue-tower", "@3000ms window-over");
    then(state, "shot-over pieces=blue-tower S6", "phase-started phase=moving G3");
    says(state, "The shot is over, and blue-tower took a hit. Shifted towers go back, ships stay.",
         "Player 1: moving.");
}

static void S6_shifted_ships_stay(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@200ms hit blue-1", "@250ms hit blue-tower", "@3000ms window-over");
    then(state, "shot-over pieces=blue-1+blue-tower S6", "phase-started phase=moving G3");
    says(state,
         "The shot is over, and blue-1 and blue-tower took a hit. Shifted towers go back, ships "
         "stay.",
         "Player 1: moving.");
}

static void S7_a_topple_without_a_shot_is_a_disturbance(void **state)
{
    given(state, "players 4");
    when(state, "toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    now(state, "blue-1 standing", "blue-1 disturbed", "score red 0");
}

static void S7_a_disturbed_piece_still_takes_part(void **state)
{
    given(state, "red-1 disturbed");
    when(state, "aim red-1");
    then(state, "aimed piece=red-1 S1");
}

static void S7_a_knocked_table_is_one_disturbance(void **state)
{
    given(state, "blue-2 disturbed", "green-1 captured by red");
    when(state, "knocked red-1+blue-1+blue-2+green-1+yellow-tower");
    then(state, "disturbance pieces=red-1+blue-1+yellow-tower S7");
    now(state, "red-1+blue-1+blue-2+yellow-tower disturbed", "score red 1");
}

static void S8_a_second_ball_is_a_foul(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@800ms ball-left 3.5");
    then(state, "foul speed_mps=3.5 S8", "deadline 3000ms");
    now(state, "shot open");
}

static void S8_what_falls_after_the_second_ball_captures_nothing(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@800ms ball-left", "@800ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
    when(state, "@900ms toppled blue-2");
    then(state, "disturbance pieces=blue-2 S7", "deadline 3000ms");
    now(state, "score red 0");
}

static void S8_what_began_to_fall_before_the_second_ball_counts(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@800ms ball-left", "@799999us toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "deadline 3000ms");
}

static void S8_a_third_ball_gives_nothing_back(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@800ms ball-left", "@1600ms ball-left", "@1500ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
}

static void S8_a_ball_outside_the_shooting_step_is_a_foul(void **state)
{
    given(state, "advanced", "phase moving");
    when(state, "ball-left");
    then(state, "foul S8");
    when(state, "toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    when(state, "end-phase", "ball-left");
    then(state, "foul S8");
    when(state, "end-phase", "ball-left");
    then(state, "foul S8");
    now(state, "phase repair", "shot none", "score red 0");
}

static void S8_a_second_ball_in_the_windows_last_moment_is_a_foul_like_any(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000ms ball-left", "@3000ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
}

/* With two beams a ball may be reported half a second late, and what it toppled after it. */
static void S8_a_second_ball_that_is_reported_after_the_shot_captures_nothing(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3250ms window-over", "@2900ms ball-left", "@2950ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    when(state, "@2899ms toppled blue-2");
    then(state, "piece-toppled piece=blue-2 S3", "piece-captured piece=blue-2 by=1 how=shot S3");
}

static void S9_the_step_ends_by_itself_when_the_window_is_over(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@2999999us window-over");
    then(state, "refused not-in-phase S9");
    now(state, "phase shooting", "shot open");
    when(state, "@3000ms window-over");
    then(state, "shot-over S4", "phase-started phase=moving G3");
    when(state, "@3001ms window-over");
    then(state, "refused not-in-phase G3");
}

static void S9_the_player_may_end_the_window_early(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@1000ms end-phase");
    then(state, "shot-over S4", "phase-started phase=moving G3");
    now(state, "shot done");
}

static void S9_a_tilt_that_began_after_the_early_end_does_not_count(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@1000ms end-phase", "@1000001us toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    now(state, "blue-1 standing", "score red 0");
}

static void S9_a_tilt_that_began_in_the_window_counts_when_it_settles_after_it(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000ms window-over", "@2950ms toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3");
    now(state, "phase moving");
}

static void S9_a_declared_topple_counts_at_any_time_in_the_turn(void **state)
{
    given(state, "advanced", "players 4");
    when(state, "@10ms aim red-1", "ball-left", "@3010ms window-over", "@60000ms topple blue-1");
    then(state, "piece-toppled piece=blue-1 A1");
    when(state, "end-phase", "topple blue-2");
    then(state, "piece-toppled piece=blue-2 A1");
    when(state, "end-phase", "topple blue-tower");
    then(state, "piece-toppled piece=blue-tower A1");
    now(state, "phase repair", "blue-1+blue-2+blue-tower flat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(S1_ships_and_towers_may_be_aimed_from),
        cmocka_unit_test(S1_a_piece_in_close_combat_cannot_shoot),
        cmocka_unit_test(S1_nobody_shoots_from_a_strange_piece),
        REFUSAL(S1_the_monster_never_shoots, "aim monster", "refused not-yours S1",
                "scenario sea-monster"),
        cmocka_unit_test(S1_a_shot_is_refused_when_no_piece_may_shoot),
        cmocka_unit_test(S1_a_ball_that_nobody_could_shoot_is_a_foul),
        cmocka_unit_test(S2_the_beam_makes_the_shot_valid),
        cmocka_unit_test(S2_until_the_ball_leaves_the_player_may_try_again),
        cmocka_unit_test(S2_there_is_no_aiming_after_the_shot),
        cmocka_unit_test(S3_a_toppled_enemy_is_a_trophy_of_the_shooter),
        cmocka_unit_test(S3_one_ball_may_topple_several_and_all_count),
        cmocka_unit_test(S3_a_tilt_at_the_very_start_of_the_window_counts),
        cmocka_unit_test(S3_a_tilt_before_the_ball_left_does_not_count),
        cmocka_unit_test(S3_a_tilt_at_the_very_end_of_the_window_counts),
        cmocka_unit_test(S3_a_tilt_a_microsecond_after_the_window_does_not_count),
        cmocka_unit_test(S4_a_miss_ends_the_shooting),
        cmocka_unit_test(S4_there_is_no_hit_without_a_shot),
        cmocka_unit_test(S4_a_hit_without_a_topple_ends_the_shooting),
        cmocka_unit_test(S5_an_own_piece_is_put_back),
        cmocka_unit_test(S5_a_piece_that_lies_must_be_put_back_before_it_falls_again),
        cmocka_unit_test(S6_a_shaken_tower_is_to_be_put_back_in_place),
        cmocka_unit_test(S6_shifted_ships_stay),
        cmocka_unit_test(S7_a_topple_without_a_shot_is_a_disturbance),
        cmocka_unit_test(S7_a_disturbed_piece_still_takes_part),
        REFUSAL(S7_a_lying_piece_cannot_fall, "toppled blue-1", "refused flat S7",
                "blue-1 disturbed"),
        cmocka_unit_test(S7_a_knocked_table_is_one_disturbance),
        REFUSAL(S7_a_knock_that_felled_nothing_is_no_news, "knocked blue-2",
                "refused nothing-there S7", "blue-2 disturbed"),
        cmocka_unit_test(S8_a_second_ball_is_a_foul),
        cmocka_unit_test(S8_what_falls_after_the_second_ball_captures_nothing),
        cmocka_unit_test(S8_what_began_to_fall_before_the_second_ball_counts),
        cmocka_unit_test(S8_a_third_ball_gives_nothing_back),
        cmocka_unit_test(S8_a_ball_outside_the_shooting_step_is_a_foul),
        cmocka_unit_test(S8_a_second_ball_in_the_windows_last_moment_is_a_foul_like_any),
        cmocka_unit_test(S8_a_second_ball_that_is_reported_after_the_shot_captures_nothing),
        cmocka_unit_test(S9_the_step_ends_by_itself_when_the_window_is_over),
        REFUSAL(S9_there_is_no_window_without_a_shot, "@9000ms window-over",
                "refused not-in-phase S9", "players 4"),
        cmocka_unit_test(S9_the_player_may_end_the_window_early),
        cmocka_unit_test(S9_a_tilt_that_began_after_the_early_end_does_not_count),
        cmocka_unit_test(S9_a_tilt_that_began_in_the_window_counts_when_it_settles_after_it),
        cmocka_unit_test(S9_a_declared_topple_counts_at_any_time_in_the_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
