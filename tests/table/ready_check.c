/* What the sensors see, and what of it matters; pure, so that every case can be drawn. */
#include "table/ready_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { TEXT_SIZE = 1024 };

static struct observed observed;
static struct setup setup;

static int begin(void **state)
{
    (void)state;
    memset(&observed, 0, sizeof observed);
    rules_default_setup(&setup, 4);
    return 0;
}

static void see(enum fact_kind kind, unsigned sensor, uint8_t level)
{
    struct fact fact = {.kind = kind, .sensor = (uint16_t)sensor, .level = level};

    if (kind == FACT_TOPPLED || kind == FACT_RAISED) {
        fact.piece = (enum piece)(sensor - SENSOR_TILT);
    }
    observed_fact(&observed, &fact, 0);
}

static void pull(int32_t knots_milli)
{
    observed_fact(&observed, &(struct fact){.kind = FACT_ROPE_AT, .knots_milli = knots_milli}, 0);
}

static void fall_ill(unsigned sensor, enum health health)
{
    observed_fact(&observed,
                  &(struct fact){.kind = FACT_HEALTH, .sensor = (uint16_t)sensor, .health = health},
                  0);
}

static void assert_start(bool ready, const char *sentences)
{
    char text[TEXT_SIZE] = "";
    struct ready_check check;

    ready_check_start(&observed, &setup, &check);
    for (unsigned i = 0; i < check.count; i++) {
        size_t length = strlen(text);
        problem_message(&check.problems[i], "SENSOR", text + length, sizeof text - length);
        strcat(text, "\n");
    }
    assert_string_equal(text, sentences);
    assert_int_equal(check.ready, ready);
}

static void a_table_of_which_nothing_was_heard_is_ready(void **state)
{
    (void)state;
    assert_start(true, "");
}

static void a_level_that_has_not_settled_keeps_nobody_from_playing(void **state)
{
    (void)state;
    see(FACT_SENSED, SENSOR_TILT + PIECE_RED_1, 1);
    see(FACT_SENSED, SENSOR_CANNON_BEAM, 1);
    assert_start(true, "");
}

static void what_lies_and_what_is_in_a_beam_is_named_with_what_to_do(void **state)
{
    (void)state;
    see(FACT_TOPPLED, SENSOR_TILT + PIECE_RED_1, 0);
    see(FACT_BLOCKED, SENSOR_CANNON_BEAM, 1);
    see(FACT_BLOCKED, SENSOR_CANNON_BEAM2, 1);
    see(FACT_BLOCKED, SENSOR_BEAM + PIECE_BLUE_TOWER, 1);
    assert_start(false, "The cannon's beam is broken: take away what is in it.\n"
                        "The cannon's second beam is broken: take away what is in it.\n"
                        "red-1 lies on its side: stand it up.\n"
                        "The beam of blue-tower is broken: take away what is in it.\n");
    see(FACT_RAISED, SENSOR_TILT + PIECE_RED_1, 0);
    see(FACT_BLOCKED, SENSOR_CANNON_BEAM, 0);
    see(FACT_BLOCKED, SENSOR_CANNON_BEAM2, 0);
    see(FACT_BLOCKED, SENSOR_BEAM + PIECE_BLUE_TOWER, 0);
    assert_start(true, "");
}

static void pieces_that_do_not_play_are_listed_and_do_not_matter(void **state)
{
    (void)state;
    rules_default_setup(&setup, 3);
    see(FACT_TOPPLED, SENSOR_TILT + PIECE_YELLOW_1, 0);
    see(FACT_TOPPLED, SENSOR_TILT + PIECE_MONSTER, 0);
    assert_start(true, "yellow-1 lies on its side: stand it up.\n"
                       "monster lies on its side: stand it up.\n");
    setup.scenario = SCENARIO_SEA_MONSTER;
    assert_start(false, "yellow-1 lies on its side: stand it up.\n"
                        "monster lies on its side: stand it up.\n");
}

/* After a start the rope is out by nobody knows how much; where it was wound in to is zero. */
static void the_rope_is_in_where_it_was_wound_in_furthest(void **state)
{
    (void)state;
    pull(200);
    assert_start(true, "");
    pull(201);
    assert_start(false, "The rope is pulled out: wind it in.\n");
    pull(-3000);
    assert_start(true, "");
    pull(-2500);
    assert_start(false, "The rope is pulled out: wind it in.\n");
    observed_zero_rope(&observed);
    assert_start(true, "");
}

static void a_sensor_that_cannot_be_believed_is_told_in_place_of_what_it_says(void **state)
{
    (void)state;
    see(FACT_TOPPLED, SENSOR_TILT + PIECE_RED_1, 0);
    pull(2000);
    fall_ill(SENSOR_TILT + PIECE_RED_1, HEALTH_CHATTERING);
    fall_ill(SENSOR_ROPE_B, HEALTH_SILENT);
    assert_start(true, "SENSOR is silent: do not rely on it, look yourself.\n"
                       "SENSOR is chattering: do not rely on it, look yourself.\n");
}

static void a_refusal_names_five_problems_and_counts_the_rest(void **state)
{
    char text[TEXT_SIZE];
    struct ready_check check;

    (void)state;
    for (unsigned piece = PIECE_RED_1; piece <= PIECE_PIRATE; piece++) {
        see(FACT_TOPPLED, SENSOR_TILT + piece, 0);
    }
    ready_check_start(&observed, &setup, &check);
    ready_check_refusal(&check, &setup, text, sizeof text);
    assert_string_equal(text,
                        "Not ready: red-1 lies on its side; red-2 lies on its side; red-3 lies on "
                        "its side; red-tower lies on its side; blue-1 lies on its side; and 11 "
                        "more. Put it right, or say anyway=true.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_table_of_which_nothing_was_heard_is_ready, begin),
        cmocka_unit_test_setup(a_level_that_has_not_settled_keeps_nobody_from_playing, begin),
        cmocka_unit_test_setup(what_lies_and_what_is_in_a_beam_is_named_with_what_to_do, begin),
        cmocka_unit_test_setup(pieces_that_do_not_play_are_listed_and_do_not_matter, begin),
        cmocka_unit_test_setup(the_rope_is_in_where_it_was_wound_in_furthest, begin),
        cmocka_unit_test_setup(a_sensor_that_cannot_be_believed_is_told_in_place_of_what_it_says,
                               begin),
        cmocka_unit_test_setup(a_refusal_names_five_problems_and_counts_the_rest, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
