/* A beam and what flies through it. One character is 100 us; a pulse needs 200 us. */
#include "rig.h"

enum { UNIT = 100 };

static void a_pulse_is_a_ball_with_its_width(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "cannon.beam", 10 * MS, UNIT, "##########_");
    rig_run(rig, 20 * MS);
    rig_expect(rig, "ball-left cannon.beam at=10000 width=1000\n");
}

static void the_ball_is_told_when_it_has_left_not_before(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "cannon.beam", 10 * MS, UNIT, "##########_");
    rig_run(rig, 11199);
    rig_expect(rig, "");
    rig_run(rig, 11200);
    rig_expect(rig, "ball-left cannon.beam at=10000 width=1000\n");
}

static void glitches_are_not_balls(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "cannon.beam", 0, UNIT, "_#_____#_____#_");
    rig_run(rig, SECOND);
    rig_expect(rig, "");
}

static void a_burst_of_interference_is_not_a_ball_however_long(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < 19; i++) {
        rig_draw(rig, "cannon.beam", 1000 + i * 110, 10, "#_");
    }
    rig_run(rig, SECOND);
    rig_expect(rig, "");
}

static void a_pulse_of_exactly_the_least_width_counts_and_a_shorter_one_does_not(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "cannon.beam", 1000, true);
    rig_edge(rig, "cannon.beam", 1199, false);
    rig_edge(rig, "cannon.beam", 2000, true);
    rig_edge(rig, "cannon.beam", 2200, false);
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam at=2000 width=200\n");
}

static void a_ragged_pulse_is_one_ball_from_its_first_edge(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "cannon.beam", 5 * MS, UNIT, "#_#_##########_#__");
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam at=5000 width=1600 bounces=3\n");
}

static void one_ball_counts_once_within_the_refractory_time(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "cannon.beam", 10 * MS, MS, "####_______####_");
    rig_draw(rig, "cannon.beam", 213 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam", 414 * MS, MS, "####_");
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam at=10000 width=4000\n"
                    "ball-left cannon.beam at=414000 width=4000\n");
}

static void a_hand_in_the_beam_is_not_a_shot(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "cannon.beam", SECOND, true);
    rig_edge(rig, "cannon.beam", SECOND + BEAM_LONG_US + 1, false);
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "blocked cannon.beam at=1500001 level=1\n"
                    "blocked cannon.beam at=1500201 level=0\n");
    rig_edge(rig, "cannon.beam", 6 * SECOND, true);
    rig_edge(rig, "cannon.beam", 6 * SECOND + BEAM_LONG_US, false);
    rig_run(rig, 8 * SECOND);
    rig_expect(rig, "ball-left cannon.beam at=6000000 width=500000\n");
}

static void S4_a_beam_of_a_target_tells_a_hit(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "blue-tower.beam", SECOND, UNIT, "####_#####_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "hit blue-tower.beam at=1000000 width=1000 bounces=1\n");
}

static void a_lost_edge_does_not_make_a_second_ball(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "cannon.beam", 1000, true);
    rig_edge(rig, "cannon.beam", 2000, true);
    rig_edge(rig, "cannon.beam", 3000, false);
    rig_edge(rig, "cannon.beam", 3500, false);
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam at=1000 width=2000\n");
}

static void no_pulse_of_a_millisecond_is_missed(void **state)
{
    struct rig *rig = *state;

    for (uint64_t width_us = 1000; width_us <= 20000; width_us += 7) {
        rig_restart(rig, &rig->settings);
        rig_edge(rig, "cannon.beam", 12345, true);
        rig_edge(rig, "cannon.beam", 12345 + width_us, false);
        rig_run(rig, 100 * MS);
        assert_memory_equal(rig->text, "ball-left", 9);
    }
}

static void given_two_beams(struct rig *rig)
{
    struct filter_settings settings = rig->settings;

    settings.two_beams = true;
    rig_restart(rig, &settings);
}

static void two_beams_give_the_speed(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig); /* 20 mm apart, 4 ms: 5 m/s */
    rig_draw(rig, "cannon.beam", 10 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam2", 14 * MS, MS, "####_");
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=14000 speed=5000 width=4000\n");
}

static void two_beams_may_be_broken_at_the_same_time(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", 10 * MS, MS, "##########_");
    rig_draw(rig, "cannon.beam2", 10 * MS, MS, "____##########_");
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=14000 speed=5000 width=10000\n");
}

static void a_ball_that_is_put_in_has_not_left(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam2", 10 * MS, MS, "######_");
    rig_draw(rig, "cannon.beam", 14 * MS, MS, "######_");
    rig_run(rig, SECOND);
    rig_expect(rig, "");
}

static void a_ball_that_bounces_back_after_leaving_counts_once(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", 10 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam2", 14 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam2", 300 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam", 304 * MS, MS, "####_");
    rig_run(rig, SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=14000 speed=5000 width=4000\n");
}

/* S2: a ball that only one of two beams sees. */
static void S2_a_pulse_on_the_inner_beam_alone_is_a_shot_without_a_speed(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", SECOND, MS, "####_");
    rig_run(rig, SECOND + BEAM_LONG_US);
    rig_expect(rig, "");
    rig_run(rig, SECOND + BEAM_LONG_US + 1);
    rig_expect(rig, "ball-left cannon.beam at=1000000 width=4000 beams=1\n");
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "");
}

static void S2_a_pulse_on_the_outer_beam_alone_is_a_shot_without_a_speed(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_run(rig, SECOND + 4 * MS + BEAM_LONG_US);
    rig_expect(rig, "");
    rig_run(rig, SECOND + 4 * MS + BEAM_LONG_US + 1);
    rig_expect(rig, "ball-left cannon.beam2 at=1000000 width=4000 beams=1\n");
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "");
}

static void S2_a_pulse_on_one_beam_that_is_too_long_for_a_ball_is_no_shot(void **state)
{
    static const char *const beams[] = {"cannon.beam", "cannon.beam2"};
    struct rig *rig = *state;

    for (size_t i = 0; i < 2; i++) {
        given_two_beams(rig);
        rig_edge(rig, beams[i], SECOND, true);
        rig_edge(rig, beams[i], SECOND + MUZZLE_BALL_US + 1, false);
        rig_run(rig, 3 * SECOND);
        rig_expect(rig, "");
        rig_edge(rig, beams[i], 4 * SECOND, true);
        rig_edge(rig, beams[i], 4 * SECOND + MUZZLE_BALL_US, false);
        rig_run(rig, 6 * SECOND);
        rig_expect(rig, i ? "ball-left cannon.beam2 at=4000000 width=100000 beams=1\n"
                          : "ball-left cannon.beam at=4000000 width=100000 beams=1\n");
    }
}

static void S2_the_inner_beam_within_500_ms_after_the_outer_one_is_loading(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_draw(rig, "cannon.beam", SECOND + 4 * MS + BEAM_LONG_US, MS, "####_");
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "");
}

static void S2_the_inner_beam_later_than_that_is_another_ball(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_draw(rig, "cannon.beam", SECOND + 5 * MS + BEAM_LONG_US, MS, "####_");
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=1000000 width=4000 beams=1\n"
                    "ball-left cannon.beam at=1505000 width=4000 beams=1\n");
}

/* Fingers hold the ball in the outer beam for as long as they like. */
static void S2_a_ball_that_is_put_in_slowly_has_not_left(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_edge(rig, "cannon.beam2", SECOND, true);
    rig_draw(rig, "cannon.beam", 3 * SECOND, MS, "####_");
    rig_edge(rig, "cannon.beam2", 4 * SECOND, false);
    rig_draw(rig, "cannon.beam", 4 * SECOND + 300 * MS, MS, "####_");
    rig_run(rig, 6 * SECOND);
    rig_expect(rig, "blocked cannon.beam2 at=1500001 level=1\n"
                    "blocked cannon.beam2 at=4000200 level=0\n");
}

static void S2_a_ball_that_rested_in_the_inner_beam_is_a_shot(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_edge(rig, "cannon.beam", SECOND, true);
    rig_edge(rig, "cannon.beam", 3 * SECOND, false);
    rig_draw(rig, "cannon.beam2", 3 * SECOND - 2 * MS, MS, "####_");
    rig_run(rig, 6 * SECOND);
    rig_expect(rig, "blocked cannon.beam at=1500001 level=1\n"
                    "blocked cannon.beam at=3000200 level=0\n"
                    "ball-left cannon.beam2 at=2998000 width=4000 beams=1\n");
}

static void S2_a_glitch_of_one_beam_is_neither_a_passage_nor_loading(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", SECOND - 10 * MS, UNIT, "#_");
    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_draw(rig, "cannon.beam", SECOND + 100 * MS, UNIT, "#_");
    rig_draw(rig, "cannon.beam2", 3 * SECOND, UNIT, "#_");
    rig_draw(rig, "cannon.beam", 3 * SECOND + 10 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam2", 3 * SECOND + 100 * MS, UNIT, "#_");
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=1000000 width=4000 beams=1\n"
                    "ball-left cannon.beam at=3010000 width=4000 beams=1\n");
}

static void S2_a_ball_that_passes_one_beam_twice_within_500_ms_is_one_shot(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", SECOND, MS, "####_");
    rig_draw(rig, "cannon.beam", SECOND + 300 * MS, MS, "####_");
    rig_draw(rig, "cannon.beam2", 3 * SECOND, MS, "####_");
    rig_draw(rig, "cannon.beam2", 3 * SECOND + 300 * MS, MS, "####_");
    rig_run(rig, 6 * SECOND);
    rig_expect(rig, "ball-left cannon.beam at=1000000 width=4000 beams=1\n"
                    "ball-left cannon.beam2 at=3000000 width=4000 beams=1\n");
}

static void S2_a_slow_ball_still_in_the_outer_beam_when_500_ms_are_over_has_a_speed(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", SECOND, MS, "####_");
    rig_edge(rig, "cannon.beam2", SECOND + 400 * MS, true);
    rig_edge(rig, "cannon.beam2", SECOND + 600 * MS, false);
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=1400000 speed=50 width=200000\n");
}

static void S2_a_ball_that_gets_stuck_in_the_outer_beam_is_a_shot(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam", SECOND, MS, "####_");
    rig_edge(rig, "cannon.beam2", SECOND + 10 * MS, true);
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "blocked cannon.beam2 at=1510001 level=1\n"
                    "ball-left cannon.beam at=1000000 width=4000 beams=1\n");
}

/* S3: what the ball does comes after the ball, although its own decision has to wait. */
static void S2_a_hit_and_a_fall_wait_for_the_decision_about_the_ball(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_draw(rig, "blue-1.beam", SECOND + 50 * MS, MS, "####_");
    rig_edge(rig, "blue-1.tilt", SECOND + 60 * MS, true);
    rig_run(rig, SECOND + 500 * MS);
    rig_expect(rig, "");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=1000000 width=4000 beams=1\n"
                    "hit blue-1.beam at=1050000 width=4000\n"
                    "toppled blue-1.tilt at=1060000 settle=150000\n");
}

static void S2_what_falls_while_a_ball_is_put_in_is_told_after_all(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_edge(rig, "blue-1.tilt", SECOND + 60 * MS, true);
    rig_draw(rig, "cannon.beam", SECOND + 300 * MS, MS, "####_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "toppled blue-1.tilt at=1060000 settle=150000\n");
}

static void the_inner_beam_may_stay_broken_after_the_ball_has_left(void **state)
{
    struct rig *rig = *state;

    given_two_beams(rig);
    rig_edge(rig, "cannon.beam", SECOND, true);
    rig_draw(rig, "cannon.beam2", SECOND + 10 * MS, MS, "####_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "ball-left cannon.beam2 at=1010000 speed=2000 width=4000\n"
                    "blocked cannon.beam at=1500001 level=1\n");
}

/* The beam comes back for a moment now and then, as a hand in it trembles. */
static void what_stays_in_a_beam_is_told_once_until_the_beam_is_clear(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "red-1.beam", SECOND, true);
    rig_draw(rig, "red-1.beam", 2 * SECOND, UNIT, "_#_#");
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "blocked red-1.beam at=1500001 level=1\n");
    rig_edge(rig, "red-1.beam", 3 * SECOND, false);
    rig_run(rig, 4 * SECOND);
    rig_expect(rig, "blocked red-1.beam at=3000200 level=0\n");
}

static void a_second_beam_that_is_not_fitted_says_nothing(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "cannon.beam2", SECOND, MS, "####_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_pulse_is_a_ball_with_its_width),
        CASE(the_ball_is_told_when_it_has_left_not_before),
        CASE(glitches_are_not_balls),
        CASE(a_burst_of_interference_is_not_a_ball_however_long),
        CASE(a_pulse_of_exactly_the_least_width_counts_and_a_shorter_one_does_not),
        CASE(a_ragged_pulse_is_one_ball_from_its_first_edge),
        CASE(one_ball_counts_once_within_the_refractory_time),
        CASE(a_hand_in_the_beam_is_not_a_shot),
        CASE(S4_a_beam_of_a_target_tells_a_hit),
        CASE(a_lost_edge_does_not_make_a_second_ball),
        CASE(no_pulse_of_a_millisecond_is_missed),
        CASE(two_beams_give_the_speed),
        CASE(two_beams_may_be_broken_at_the_same_time),
        CASE(a_ball_that_is_put_in_has_not_left),
        CASE(a_ball_that_bounces_back_after_leaving_counts_once),
        CASE(S2_a_pulse_on_the_inner_beam_alone_is_a_shot_without_a_speed),
        CASE(S2_a_pulse_on_the_outer_beam_alone_is_a_shot_without_a_speed),
        CASE(S2_a_pulse_on_one_beam_that_is_too_long_for_a_ball_is_no_shot),
        CASE(S2_the_inner_beam_within_500_ms_after_the_outer_one_is_loading),
        CASE(S2_the_inner_beam_later_than_that_is_another_ball),
        CASE(S2_a_ball_that_is_put_in_slowly_has_not_left),
        CASE(S2_a_ball_that_rested_in_the_inner_beam_is_a_shot),
        CASE(S2_a_glitch_of_one_beam_is_neither_a_passage_nor_loading),
        CASE(S2_a_ball_that_passes_one_beam_twice_within_500_ms_is_one_shot),
        CASE(S2_a_slow_ball_still_in_the_outer_beam_when_500_ms_are_over_has_a_speed),
        CASE(S2_a_ball_that_gets_stuck_in_the_outer_beam_is_a_shot),
        CASE(S2_a_hit_and_a_fall_wait_for_the_decision_about_the_ball),
        CASE(S2_what_falls_while_a_ball_is_put_in_is_told_after_all),
        CASE(the_inner_beam_may_stay_broken_after_the_ball_has_left),
        CASE(what_stays_in_a_beam_is_told_once_until_the_beam_is_clear),
        CASE(a_second_beam_that_is_not_fitted_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
