/* What the sensors find after a start, what people say of it, and sensors that are not believed. */
#include "stage.h"
#include "tests/support/fake_log.h"

#include <stdio.h>

#define SET(piece) (UINT32_C(1) << PIECE_##piece)

static void look(struct stage *stage, uint32_t pieces, uint32_t lying)
{
    fake_table_fact(&stage->fake, &(struct fact){.kind = FACT_LOOKED,
                                                 .at_us = stage->fake.now_us,
                                                 .pieces = pieces,
                                                 .lying = lying});
}

/* A table with real sensors, which have not been looked at yet. */
static void begin_unseen(struct stage *stage, const char *game)
{
    char ini[512];

    snprintf(ini, sizeof ini,
             "[game]\nfirst = 1\n%s[piece.blue-1]\ntilt = GPIO5\n[piece.blue-2]\ntilt = GPIO6\n",
             game);
    fake_table_begin(&stage->fake, ini);
    stage->fake.config.hw.backend = BACKEND_GPIOD;
    assert_int_equal(fake_table_start(&stage->fake), 0);
    fake_table_connect(&stage->fake);
}

static void begin(struct stage *stage, const char *game)
{
    begin_unseen(stage, game);
    look(stage, SET(BLUE_1) | SET(BLUE_2), 0);
}

/* The power goes, and comes back; what is said from then on is compared. */
static void cut_power(struct stage *stage)
{
    fake_table_cut(&stage->fake, LOSE_ALL, 0);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    fake_table_connect(&stage->fake);
    stage->seen = fake_bus_count(stage->fake.bus);
}

static void a_piece_that_fell_while_the_power_was_off_is_told(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "");
    say(&stage, "new-game");
    cut_power(&stage);
    say(&stage, "toppled blue-2", "wait 2000");
    then_said(&stage, "event/disturbance 'rule':'S7' 'pieces':['blue-2']");
    then_retained(&stage, "ready", "'check':'resume','ready':false 'piece':'blue-2' stands: raise");
    assert_true(fake_log_has("blue-2 lies on its side, the game says it stands: stand it up"));
    look(&stage, SET(BLUE_1) | SET(BLUE_2), SET(BLUE_2));
    then_nothing_said(&stage);
    say(&stage, "raised blue-2");
    then_said(&stage, "event/piece-restored 'piece':'blue-2'");
    then_retained(&stage, "ready", "'ready':true 'problems':[]");
    stage_end(&stage);
}

static void a_disturbed_piece_that_was_put_up_meanwhile_is_well_again(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "");
    say(&stage, "new-game", "toppled blue-2", "wait 1000");
    cut_power(&stage);
    then_retained(&stage, "ready", "'check':'resume','ready':false");
    look(&stage, SET(BLUE_1) | SET(BLUE_2), 0);
    then_said(&stage, "event/piece-restored 'piece':'blue-2' 'sensor':'blue-2.tilt'");
    then_retained(&stage, "ready", "'ready':true");
    stage_end(&stage);
}

static void A3_a_flat_piece_that_was_raised_meanwhile_must_be_laid_down(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "rules = advanced\n");
    say(&stage, "new-game", "ball-left", "toppled blue-2", "window-over");
    cut_power(&stage);
    look(&stage, SET(BLUE_1) | SET(BLUE_2), 0);
    then_said(&stage, "event/disturbance 'rule':'A3' 'pieces':['blue-2']");
    then_retained(&stage, "ready", "'ready':false 'piece':'blue-2' flat: topple");
    stage_end(&stage);
}

static void a_trophy_may_stand_or_lie(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "");
    say(&stage, "new-game", "ball-left", "toppled blue-2", "window-over");
    cut_power(&stage);
    look(&stage, SET(BLUE_1) | SET(BLUE_2), 0);
    then_nothing_said(&stage);
    then_retained(&stage, "ready", "'ready':true 'problems':[]");
    stage_end(&stage);
}

/* Whatever its broken switch finds at a start, people have said how it is. */
static void the_word_of_a_person_counts_after_a_start_until_the_sensor_changes(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "rules = advanced\n");
    say(&stage, "new-game", "toppled blue-1", "wait 1000", "raise blue-1", "fire", "topple blue-2",
        "window-over");
    cut_power(&stage);
    say(&stage, "toppled blue-1", "wait 2000");
    look(&stage, SET(BLUE_1) | SET(BLUE_2), SET(BLUE_1));
    then_nothing_said(&stage);
    then_retained(&stage, "ready", "'ready':true 'problems':[]");
    say(&stage, "raised blue-1", "toppled blue-1", "wait 1000");
    then_said(&stage, "event/disturbance 'pieces':['blue-1']");
    stage_end(&stage);
}

static void a_word_that_was_taken_back_counts_no_more(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "");
    say(&stage, "new-game", "toppled blue-1", "wait 1000", "raise blue-1", "undo");
    cut_power(&stage);
    look(&stage, SET(BLUE_1), 0);
    then_said(&stage, "event/piece-restored 'piece':'blue-1'");
    stage_end(&stage);
}

static void autostart_waits_until_the_sensors_have_looked(void **state)
{
    struct stage stage;

    (void)state;
    begin_unseen(&stage, "autostart = yes\n");
    then_retained(&stage, "state", "'phase':'lobby'");
    then_retained(&stage, "ready", "'autostart':true");
    look(&stage, SET(BLUE_1), SET(BLUE_1));
    then_retained(&stage, "ready", "'ready':false,'autostart':true");
    assert_true(fake_log_has("autostart: Not ready: blue-1 lies on its side."));
    say(&stage, "raised blue-1");
    then_retained(&stage, "state", "'phase':'shooting'");
    then_retained(&stage, "ready", "'ready':true,'autostart':false");
    stage_end(&stage);
}

/*
 * Quarantine
 */

static void what_a_sensor_says_that_is_not_well_does_not_touch_the_game(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[button.end]\nline = GPIO5\ncommand = end-phase\n");
    say(&stage, "new-game", "sensor-fault sensor=cannon.beam health=chattering", "ball-left");
    then_nothing_said(&stage);
    say(&stage, "sensor-fault sensor=blue-1.tilt health=chattering", "toppled blue-1", "wait 1000",
        "raised blue-1");
    then_nothing_said(&stage);
    say(&stage, "sensor-fault sensor=button.end health=stuck", "button 0");
    then_nothing_said(&stage);
    say(&stage, "fire");
    then_said(&stage, "event/shot-fired", "reply 'ok':true");
    then_retained(&stage, "info", "'faults':['cannon.beam','blue-1.tilt','button.end']");
    stage_end(&stage);
}

static void a_sensor_that_is_well_again_tells_how_its_piece_stands(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "sensor-fault sensor=blue-1.tilt health=chattering", "toppled blue-1",
        "wait 1000", "sensor-ok sensor=blue-1.tilt");
    fake_table_fact(&stage.fake, &(struct fact){.kind = FACT_LOOKED,
                                                .at_us = stage.fake.now_us,
                                                .sensor = SENSOR_TILT + PIECE_BLUE_1,
                                                .pieces = SET(BLUE_1),
                                                .lying = SET(BLUE_1)});
    say(&stage, "wait 1000");
    then_said(&stage, "event/disturbance 'pieces':['blue-1'] 'sensor':'blue-1.tilt'");
    stage_end(&stage);
}

static void the_word_of_a_person_counts_more_than_a_switch_that_is_not_well(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "rules = advanced\n");
    say(&stage, "new-game", "fire", "sensor-fault sensor=blue-1.tilt health=chattering",
        "topple blue-1", "window-over", "toppled blue-1", "raised blue-1",
        "sensor-ok sensor=blue-1.tilt");
    stage.seen = fake_bus_count(stage.fake.bus);
    fake_table_fact(&stage.fake, &(struct fact){.kind = FACT_LOOKED,
                                                .at_us = stage.fake.now_us,
                                                .sensor = SENSOR_TILT + PIECE_BLUE_1,
                                                .pieces = SET(BLUE_1)});
    then_nothing_said(&stage);
    then_retained(&stage, "state", "'blue-1':{'owner':2,'status':'flat'");
    stage_end(&stage);
}

static void a_rope_that_is_not_well_measures_no_move(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "end-phase", "roll-move 2", "select red-1",
        "sensor-fault sensor=rope.b health=silent", "rope 3.5");
    then_nothing_said(&stage);
    then_retained(&stage, "rope", "'knots':3.5");
    say(&stage, "press");
    then_said(&stage, "reply 'error':'missing-field' 'rule':'M5'");
    say(&stage, "move red-1 1");
    then_said(&stage, "event/piece-moved 'cost':1", "reply 'ok':true");
    stage_end(&stage);
}

/* Three falls of one piece that people told and its switch did not, while another switch spoke. */
static void a_switch_that_misses_three_falls_is_suspected(void **state)
{
    const struct fact neighbour = {
        .kind = FACT_SENSED, .sensor = SENSOR_TILT + PIECE_BLUE_2, .edges = 7};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[piece.blue-1]\ntilt = GPIO5\n");
    fake_table_fact(&stage.fake, &neighbour);
    say(&stage, "new-game", "topple blue-1", "raise blue-1", "topple blue-1", "raise blue-1");
    assert_int_equal(stage.fake.suspected, SENSOR_NONE);
    say(&stage, "topple blue-1");
    assert_int_equal(stage.fake.suspected, SENSOR_TILT + PIECE_BLUE_1);
    stage_end(&stage);
}

static void a_switch_that_speaks_now_and_then_is_not_suspected(void **state)
{
    const struct fact edge = {
        .kind = FACT_SENSED, .sensor = SENSOR_TILT + PIECE_BLUE_1, .edges = 1};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[piece.blue-1]\ntilt = GPIO5\n");
    say(&stage, "new-game", "topple blue-1", "raise blue-1", "topple blue-1", "raise blue-1");
    fake_table_fact(&stage.fake, &edge);
    say(&stage, "topple blue-1", "raise blue-1", "topple blue-1");
    assert_int_equal(stage.fake.suspected, SENSOR_NONE);
    stage_end(&stage);
}

static void pieces_without_a_switch_are_told_by_people_as_often_as_they_like(void **state)
{
    const struct fact neighbour = {
        .kind = FACT_SENSED, .sensor = SENSOR_TILT + PIECE_BLUE_2, .edges = 7};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_table_fact(&stage.fake, &neighbour);
    say(&stage, "new-game");
    for (unsigned i = 0; i < 5; i++) {
        say(&stage, "topple blue-1", "raise blue-1");
    }
    assert_int_equal(stage.fake.suspected, SENSOR_NONE);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_that_fell_while_the_power_was_off_is_told),
        cmocka_unit_test(a_disturbed_piece_that_was_put_up_meanwhile_is_well_again),
        cmocka_unit_test(A3_a_flat_piece_that_was_raised_meanwhile_must_be_laid_down),
        cmocka_unit_test(a_trophy_may_stand_or_lie),
        cmocka_unit_test(the_word_of_a_person_counts_after_a_start_until_the_sensor_changes),
        cmocka_unit_test(a_word_that_was_taken_back_counts_no_more),
        cmocka_unit_test(autostart_waits_until_the_sensors_have_looked),
        cmocka_unit_test(what_a_sensor_says_that_is_not_well_does_not_touch_the_game),
        cmocka_unit_test(a_sensor_that_is_well_again_tells_how_its_piece_stands),
        cmocka_unit_test(the_word_of_a_person_counts_more_than_a_switch_that_is_not_well),
        cmocka_unit_test(a_rope_that_is_not_well_measures_no_move),
        cmocka_unit_test(a_switch_that_misses_three_falls_is_suspected),
        cmocka_unit_test(a_switch_that_speaks_now_and_then_is_not_suspected),
        cmocka_unit_test(pieces_without_a_switch_are_told_by_people_as_often_as_they_like),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
