/* S7 to S9: what falls without a shot, balls that should not fly, and the end of the window. */
#include "tests/support/table.h"

static void S7_a_topple_without_a_shot_is_a_disturbance(void **state)
{
    given(state, "players 4");
    when(state, "toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    now(state, "blue-1 standing", "blue-1 disturbed", "score red 0");
}

static void S7_it_is_one_in_every_step(void **state)
{
    given(state, "advanced", "phase moving");
    when(state, "toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
    when(state, "end-phase", "toppled blue-2");
    then(state, "disturbance pieces=blue-2 S7");
    when(state, "end-phase", "toppled blue-3");
    then(state, "disturbance pieces=blue-3 S7");
    now(state, "phase repair", "blue-1+blue-2+blue-3 standing");
}

static void S7_a_disturbed_piece_still_takes_part(void **state)
{
    given(state, "red-1 disturbed");
    when(state, "aim red-1");
    then(state, "aimed piece=red-1 S1");
}

static void S7_a_disturbed_piece_is_put_back_up(void **state)
{
    given(state, "blue-1 disturbed", "phase combat");
    when(state, "raised blue-1");
    then(state, "piece-restored piece=blue-1 S7");
    now(state, "blue-1 standing", "blue-1 undisturbed");
}

static void S7_a_standing_piece_cannot_be_raised(void **state)
{
    given(state, "players 4");
    when(state, "raise blue-1");
    then(state, "refused nothing-there");
}

static void S7_a_lying_piece_cannot_fall(void **state)
{
    given(state, "blue-1 disturbed");
    when(state, "toppled blue-1");
    then(state, "refused flat S7");
}

static void S7_a_knocked_table_is_one_disturbance(void **state)
{
    given(state, "blue-2 disturbed", "green-1 captured by red");
    when(state, "knocked red-1+blue-1+blue-2+green-1+yellow-tower");
    then(state, "disturbance pieces=red-1+blue-1+yellow-tower S7");
    now(state, "red-1+blue-1+blue-2+yellow-tower disturbed", "score red 1");
}

static void S7_a_knock_that_felled_nothing_is_no_news(void **state)
{
    given(state, "blue-2 disturbed");
    when(state, "knocked blue-2");
    then(state, "refused nothing-there S7");
}

static void S8_a_second_ball_is_a_foul(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@800ms ball-left 3.5");
    then(state, "foul speed_mps=3.5 S8", "deadline 3000ms");
    now(state, "shot open");
}

static void S8_a_second_shot_by_command_is_a_foul(void **state)
{
    given(state, "players 4");
    when(state, "fire", "@800ms fire");
    then(state, "foul S8", "deadline 3000ms");
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

static void S8_nobody_can_declare_a_shot_in_another_step(void **state)
{
    given(state, "phase moving");
    when(state, "fire");
    then(state, "refused not-in-phase G3");
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

static void S9_there_is_no_window_without_a_shot(void **state)
{
    given(state, "players 4");
    when(state, "@9000ms window-over");
    then(state, "refused not-in-phase S9");
}

static void S9_the_player_may_end_the_window_early(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@1000ms end-phase");
    then(state, "shot-over S4", "phase-started phase=moving G3");
    now(state, "shot done");
}

static void S9_a_tilt_that_began_before_the_early_end_counts(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@1000ms end-phase", "@950ms toppled blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3");
    now(state, "phase moving", "score red 1");
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

static void S9_a_late_end_of_the_step_does_not_prolong_the_window(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@8000ms end-phase", "@3500ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7");
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

static void S9_a_declared_topple_captures_late_in_the_basic_game(void **state)
{
    given(state, "phase combat", "shot done");
    when(state, "topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3");
}

static void S9_a_declared_topple_without_a_shot_is_a_disturbance(void **state)
{
    given(state, "phase combat");
    when(state, "topple blue-1");
    then(state, "disturbance pieces=blue-1 S7");
}

static void S9_a_declared_topple_in_the_next_turn_is_a_disturbance(void **state)
{
    given(state, "phase combat", "shot done");
    when(state, "end-phase", "topple green-1");
    then(state, "disturbance pieces=green-1 S7");
    now(state, "turn blue", "green-1 standing");
}

static void S9_a_disturbance_can_be_declared_to_be_the_shots_work(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000001us toppled blue-1", "@5000ms topple blue-1");
    then(state, "piece-toppled piece=blue-1 S3", "piece-captured piece=blue-1 by=1 how=shot S3",
         "deadline 3000ms");
}

static void S8_a_second_ball_in_the_windows_last_moment_is_a_foul_like_any(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "@3000ms ball-left", "@3000ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
}

static void S8_two_balls_at_once_capture_nothing_later(void **state)
{
    given(state, "players 4");
    when(state, "ball-left", "ball-left", "@1ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(S7_a_topple_without_a_shot_is_a_disturbance),
        cmocka_unit_test(S7_it_is_one_in_every_step),
        cmocka_unit_test(S7_a_disturbed_piece_still_takes_part),
        cmocka_unit_test(S7_a_disturbed_piece_is_put_back_up),
        cmocka_unit_test(S7_a_standing_piece_cannot_be_raised),
        cmocka_unit_test(S7_a_lying_piece_cannot_fall),
        cmocka_unit_test(S7_a_knocked_table_is_one_disturbance),
        cmocka_unit_test(S7_a_knock_that_felled_nothing_is_no_news),
        cmocka_unit_test(S8_a_second_ball_is_a_foul),
        cmocka_unit_test(S8_a_second_shot_by_command_is_a_foul),
        cmocka_unit_test(S8_what_falls_after_the_second_ball_captures_nothing),
        cmocka_unit_test(S8_what_began_to_fall_before_the_second_ball_counts),
        cmocka_unit_test(S8_a_third_ball_gives_nothing_back),
        cmocka_unit_test(S8_a_ball_outside_the_shooting_step_is_a_foul),
        cmocka_unit_test(S8_nobody_can_declare_a_shot_in_another_step),
        cmocka_unit_test(S9_the_step_ends_by_itself_when_the_window_is_over),
        cmocka_unit_test(S9_there_is_no_window_without_a_shot),
        cmocka_unit_test(S9_the_player_may_end_the_window_early),
        cmocka_unit_test(S9_a_tilt_that_began_before_the_early_end_counts),
        cmocka_unit_test(S9_a_tilt_that_began_after_the_early_end_does_not_count),
        cmocka_unit_test(S9_a_tilt_that_began_in_the_window_counts_when_it_settles_after_it),
        cmocka_unit_test(S9_a_late_end_of_the_step_does_not_prolong_the_window),
        cmocka_unit_test(S9_a_declared_topple_counts_at_any_time_in_the_turn),
        cmocka_unit_test(S9_a_declared_topple_captures_late_in_the_basic_game),
        cmocka_unit_test(S9_a_declared_topple_without_a_shot_is_a_disturbance),
        cmocka_unit_test(S9_a_declared_topple_in_the_next_turn_is_a_disturbance),
        cmocka_unit_test(S9_a_disturbance_can_be_declared_to_be_the_shots_work),
        cmocka_unit_test(S8_a_second_ball_in_the_windows_last_moment_is_a_foul_like_any),
        cmocka_unit_test(S8_two_balls_at_once_capture_nothing_later),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
