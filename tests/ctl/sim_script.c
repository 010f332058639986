/* What `shipahoyctl sim` sends: the edges of real sensors, with their durations and bounces. */
#include "ctl/sim_script.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 3 };

static struct sim_script script;

/* Writes the script of a line of words; what it returned. */
static int say_lying(const char *line, const struct hw_config *hw, uint32_t lying)
{
    struct sim_scene scene = {.hw = hw, .lying = lying};
    char copy[128];
    char *words[WORDS_MAX];
    char *rest = copy;
    int count = 0;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; count < WORDS_MAX && (word = strsep(&rest, " "));) {
        words[count++] = word;
    }
    return sim_script_write(&script, words, count, &scene);
}

static int say(const char *line, const struct hw_config *hw)
{
    return say_lying(line, hw, 0);
}

static int forget(void **state)
{
    (void)state;
    sim_script_free(&script);
    return 0;
}

static const struct sim_edge *last_edge(void)
{
    assert_true(script.count > 0);
    return &script.edges[script.count - 1];
}

/* All edges are of one sensor, and each changes its level. */
static void assert_levels_alternate(const char *sensor, unsigned first)
{
    for (size_t i = 0; i < script.count; i++) {
        assert_string_equal(script.edges[i].sensor, sensor);
        assert_int_equal(script.edges[i].level, (first + i) % 2);
    }
}

/* The count that a quadrature decoder comes to; both lines must be low at the end. */
static int decode_rope(void)
{
    static const int order[2][2] = {{0, 3}, {1, 2}}; /* [a][b]: place in the cycle 00 10 11 01 */
    int levels[2] = {0, 0};
    int count = 0;

    for (size_t i = 0; i < script.count; i++) {
        int before = order[levels[0]][levels[1]];
        int line = strcmp(script.edges[i].sensor, "rope.b") == 0;
        assert_int_not_equal(levels[line], script.edges[i].level);
        levels[line] = script.edges[i].level;
        int step = (order[levels[0]][levels[1]] - before + 4) % 4;
        assert_true(step == 1 || step == 3);
        count += step == 1 ? 1 : -1;
    }
    assert_int_equal(levels[0] + levels[1], 0);
    return count;
}

static void a_ball_breaks_the_beam_for_four_milliseconds(void **state)
{
    (void)state;
    assert_int_equal(say("fire", &(struct hw_config){0}), 0);
    assert_levels_alternate("cannon.beam", 1);
    assert_int_equal(last_edge()->level, 0);
    assert_int_equal(last_edge()->delay_us, 4000);
}

static void a_second_beam_is_broken_after_the_gap(void **state)
{
    struct hw_config hw = {.beam_gap_um = 40000};
    uint32_t at_us = 0;

    (void)state;
    hw.lines[SENSOR_CANNON_BEAM2].fitted = true;
    assert_int_equal(say("fire", &hw), 0);
    for (size_t i = 0; i <= script.count / 2; i++) {
        at_us += script.edges[i].delay_us;
    }
    assert_string_equal(script.edges[script.count / 2].sensor, "cannon.beam2");
    assert_int_equal(at_us, 10000); /* 40 mm at 4 m/s */
}

static void a_falling_piece_chatters_and_stays_down(void **state)
{
    (void)state;
    assert_int_equal(say("topple blue-2", &(struct hw_config){0}), 0);
    assert_levels_alternate("blue-2.tilt", 1);
    assert_true(script.count > 3);
    assert_int_equal(last_edge()->level, 1);
}

static void a_raised_piece_chatters_and_stays_up(void **state)
{
    (void)state;
    assert_int_equal(
        say_lying("raise red-tower", &(struct hw_config){0}, UINT32_C(1) << PIECE_RED_TOWER), 0);
    assert_levels_alternate("red-tower.tilt", 0);
    assert_int_equal(last_edge()->level, 0);
}

static void a_pull_counts_as_many_knots_as_were_said(void **state)
{
    (void)state;
    assert_int_equal(say("pull 1.6", &(struct hw_config){.counts_per_knot = 20}), 0);
    assert_int_equal(decode_rope(), 32);
}

static void a_negative_pull_winds_back(void **state)
{
    (void)state;
    assert_int_equal(say("pull -2", &(struct hw_config){.counts_per_knot = 20}), 0);
    assert_int_equal(decode_rope(), -40);
}

static void a_reversed_encoder_counts_the_other_way(void **state)
{
    struct hw_config hw = {.counts_per_knot = 20, .rope_reverse = true};

    (void)state;
    assert_int_equal(say("pull 2", &hw), 0);
    assert_int_equal(decode_rope(), -40);
}

static void a_pull_ends_with_both_lines_low_and_says_how_far_it_went(void **state)
{
    (void)state;
    assert_int_equal(say("pull 1", &(struct hw_config){.counts_per_knot = 30}), 0);
    assert_int_equal(decode_rope() % 4, 0);
    assert_string_equal(script.sentence, "The rope is pulled out 1.07 knots.");
}

static void a_press_is_shorter_and_a_hold_longer_than_a_second(void **state)
{
    uint32_t longest_us[2] = {0, 0};
    const char *words[2] = {"press", "hold"};

    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        assert_int_equal(say(words[way], &(struct hw_config){0}), 0);
        assert_levels_alternate("rope.button", 1);
        for (size_t i = 0; i < script.count; i++) {
            if (script.edges[i].delay_us > longest_us[way]) {
                longest_us[way] = script.edges[i].delay_us;
            }
        }
        sim_script_free(&script);
    }
    assert_true(longest_us[0] >= 50000 && longest_us[0] < 1000000);
    assert_true(longest_us[1] > 1000000);
}

static void docks_and_buttons_go_by_their_names(void **state)
{
    (void)state;
    assert_int_equal(say("dock green", &(struct hw_config){0}), 0);
    assert_string_equal(last_edge()->sensor, "harbour.green.dock");
    assert_int_equal(last_edge()->level, 1);
    sim_script_free(&script);
    assert_int_equal(say("button end", &(struct hw_config){0}), 0);
    assert_string_equal(last_edge()->sensor, "button.end");
    assert_int_equal(last_edge()->level, 0);
}

static void an_edge_is_sent_as_it_is(void **state)
{
    (void)state;
    assert_int_equal(say("edge red-1.beam 1", &(struct hw_config){0}), 0);
    assert_int_equal(script.count, 1);
    assert_string_equal(last_edge()->sensor, "red-1.beam");
}

static void what_cannot_happen_is_refused_with_a_sentence(void **state)
{
    static const char *const lines[] = {
        "sink red-1", "topple", "topple purple-1", "pull far",          "pull nan", "pull 1e9",
        "fire twice", "dock",   "dock purple",     "edge red-1.tilt 2", "edge x",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(say(lines[i], &(struct hw_config){.counts_per_knot = 20}), -EINVAL);
        assert_int_equal(script.count, 0);
        assert_true(strlen(script.sentence) > 0);
    }
}

static void a_piece_that_is_as_wanted_already_does_not_move(void **state)
{
    (void)state;
    assert_int_equal(
        say_lying("topple blue-1", &(struct hw_config){0}, UINT32_C(1) << PIECE_BLUE_1), 0);
    assert_string_equal(script.sentence, "blue-1 lies already.");
    assert_int_equal(script.count, 0);
    assert_int_equal(say("raise blue-1", &(struct hw_config){0}), 0);
    assert_string_equal(script.sentence, "blue-1 stands already.");
    assert_int_equal(script.count, 0);
}

static void raise_all_stands_up_what_lies(void **state)
{
    uint32_t lying = UINT32_C(1) << PIECE_BLUE_1 | UINT32_C(1) << PIECE_PIRATE;

    (void)state;
    assert_int_equal(say_lying("raise all", &(struct hw_config){0}, lying), 0);
    assert_string_equal(script.sentence, "Stood up: blue-1, pirate.");
    assert_string_equal(script.edges[0].sensor, "blue-1.tilt");
    assert_string_equal(last_edge()->sensor, "pirate.tilt");
    assert_int_equal(last_edge()->level, 0);
    sim_script_free(&script);
    assert_int_equal(say("raise all", &(struct hw_config){0}), 0);
    assert_string_equal(script.sentence, "All pieces stand already.");
}

static void a_typing_error_is_answered_with_what_can_happen(void **state)
{
    (void)state;
    assert_int_equal(say("fier", &(struct hw_config){0}), -EINVAL);
    assert_string_equal(script.sentence, "fier: unknown; use one of: fire topple raise pull "
                                         "press hold dock undock button edge");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_ball_breaks_the_beam_for_four_milliseconds, forget),
        cmocka_unit_test_teardown(a_second_beam_is_broken_after_the_gap, forget),
        cmocka_unit_test_teardown(a_falling_piece_chatters_and_stays_down, forget),
        cmocka_unit_test_teardown(a_raised_piece_chatters_and_stays_up, forget),
        cmocka_unit_test_teardown(a_piece_that_is_as_wanted_already_does_not_move, forget),
        cmocka_unit_test_teardown(raise_all_stands_up_what_lies, forget),
        cmocka_unit_test_teardown(a_typing_error_is_answered_with_what_can_happen, forget),
        cmocka_unit_test_teardown(a_pull_counts_as_many_knots_as_were_said, forget),
        cmocka_unit_test_teardown(a_negative_pull_winds_back, forget),
        cmocka_unit_test_teardown(a_reversed_encoder_counts_the_other_way, forget),
        cmocka_unit_test_teardown(a_pull_ends_with_both_lines_low_and_says_how_far_it_went, forget),
        cmocka_unit_test_teardown(a_press_is_shorter_and_a_hold_longer_than_a_second, forget),
        cmocka_unit_test_teardown(docks_and_buttons_go_by_their_names, forget),
        cmocka_unit_test_teardown(an_edge_is_sent_as_it_is, forget),
        cmocka_unit_test_teardown(what_cannot_happen_is_refused_with_a_sentence, forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
