/* What the sensors see, from the fact to the event with its evidence. */
#include "stage.h"

#include <string.h>

static struct fact topple_at(enum piece piece, uint64_t at_us)
{
    uint16_t sensor = (uint16_t)(SENSOR_TILT + (unsigned)piece);

    return (struct fact){
        .kind = FACT_TOPPLED,
        .at_us = at_us,
        .piece = piece,
        .sensor = sensor,
        .evidence = {.at_us = at_us, .settle_us = 150000, .bounces = 7, .sensor = sensor},
    };
}

static void a_shot_is_told_with_its_speed_and_what_it_rests_on(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left speed_mps=4.125");
    then_said(&stage, "event/shot-fired 'speed_mps':4.125 "
                      "'evidence':{'sensor':'cannon.beam','at_us':1000000,'width_us':2500,");
    then_retained(&stage, "state", "'shot':'open'");
    stage_end(&stage);
}

static void the_state_of_several_facts_at_once_is_told_once(void **state)
{
    struct stage stage;
    unsigned states = 0;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    size_t before = fake_bus_count(stage.fake.bus);
    say(&stage, "ball-left", "hit blue-1", "toppled blue-1");
    then_retained(&stage, "state", "'status':'captured'");
    for (size_t i = before; i < fake_bus_count(stage.fake.bus); i++) {
        states += strcmp(fake_bus_message(stage.fake.bus, i)->topic, FAKE_BASE "state") == 0;
    }
    assert_int_equal(states, 1);
    stage_end(&stage);
}

static void the_answer_to_a_command_comes_after_the_state_of_the_facts_before_it(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "aim blue-1");
    then_said(&stage, "reply 'ok':false");
    then_has(fake_bus_retained(stage.fake.bus, FAKE_BASE "state"), "'shot':'open'");
    stage_end(&stage);
}

static void S3_every_piece_that_falls_in_the_window_counts_at_once(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left", "wait 500", "hit blue-1");
    then_said(&stage, "event/shot-hit 'sensor':'blue-1.beam'");
    say(&stage, "toppled blue-1");
    then_said(&stage, "event/piece-toppled 'piece':'blue-1' 'sensor':'blue-1.tilt'",
              "event/piece-captured 'piece':'blue-1' 'sensor':'blue-1.tilt'");
    say(&stage, "toppled blue-2");
    then_said(&stage, "event/piece-toppled 'piece':'blue-2'", "event/piece-captured");
    stage_end(&stage);
}

/* The tilt switch has to settle: what began in the window may be told when it is over. */
static void S3_a_tilt_that_began_in_the_window_counts_when_it_settles_after_it(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left");
    uint64_t shot_us = stage.fake.now_us;
    say(&stage, "wait 3100");
    then_nothing_said(&stage);
    struct fact fact = topple_at(PIECE_BLUE_1, shot_us + 2999999);
    fake_table_fact(&stage.fake, &fact);
    then_said(&stage, "event/piece-toppled 'rule':'S3' 'bounces':7",
              "event/piece-captured 'piece':'blue-1'");
    say(&stage, "wait 1000");
    then_said(&stage, "event/shot-over", "event/phase-started 'phase':'moving'");
    fact = topple_at(PIECE_BLUE_2, shot_us + 3000000);
    fake_table_fact(&stage.fake, &fact);
    then_said(&stage, "event/piece-toppled 'rule':'S3'", "event/piece-captured 'piece':'blue-2'");
    stage_end(&stage);
}

static void S7_a_tilt_that_began_after_the_window_is_a_disturbance(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left");
    struct fact fact = topple_at(PIECE_BLUE_1, stage.fake.now_us + 3000001);
    say(&stage, "wait 3100");
    fake_table_fact(&stage.fake, &fact);
    then_nothing_said(&stage);
    say(&stage, "wait 1000");
    then_said(&stage, "event/shot-over", "event/phase-started",
              "event/disturbance 'rule':'S7' 'pieces':['blue-1']");
    stage_end(&stage);
}

static void S7_pieces_that_fall_together_are_one_disturbance(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled red-1", "wait 200", "toppled blue-2", "toppled green-tower");
    then_nothing_said(&stage);
    say(&stage, "wait 400");
    then_said(&stage, "event/disturbance 'rule':'S7' 'pieces':['red-1','blue-2','green-tower'] "
                      "'sensor':'red-1.tilt'");
    assert_true(rules_disturbed(table_game(stage.fake.table), PIECE_RED_1));
    assert_false(rules_disturbed(table_game(stage.fake.table), PIECE_RED_2));
    stage_end(&stage);
}

static void S7_a_piece_that_falls_alone_is_one_too(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled red-1", "wait 399");
    then_nothing_said(&stage);
    say(&stage, "wait 1");
    then_said(&stage, "event/disturbance 'pieces':['red-1'] 'sensor':'red-1.tilt'");
    say(&stage, "toppled red-2", "wait 400");
    then_said(&stage, "event/disturbance 'pieces':['red-2']");
    stage_end(&stage);
}

static void S7_what_fell_is_told_before_the_next_command_or_ball(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled red-1", "toppled red-2", "aim red-3");
    then_said(&stage, "event/disturbance 'pieces':['red-1','red-2']", "event/aimed",
              "reply 'ok':true");
    say(&stage, "toppled blue-2", "ball-left");
    then_said(&stage, "event/disturbance 'pieces':['blue-2']", "event/shot-fired");
    stage_end(&stage);
}

static void S7_a_piece_that_only_rocks_is_no_part_of_the_disturbance(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled red-1", "toppled red-2", "raised red-1", "wait 400");
    then_said(&stage, "event/disturbance 'pieces':['red-2'] 'sensor':'red-2.tilt'");
    say(&stage, "toppled blue-1", "raised blue-1", "wait 1000");
    then_nothing_said(&stage);
    stage_end(&stage);
}

/* Neither is another piece that is put up meanwhile a reason to tell it in two parts. */
static void S7_other_facts_do_not_split_a_disturbance(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled blue-1", "wait 1000", "toppled red-1", "raised blue-1",
        "sensor-fault sensor=red-3.tilt health=chattering", "hit green-1", "toppled red-2");
    then_nothing_said(&stage);
    say(&stage, "wait 400");
    then_said(&stage, "event/disturbance 'pieces':['red-1','red-2']");
    stage_end(&stage);
}

/* If somebody wants the game in spite of it, its pieces have to be put right in the game. */
static void what_fell_in_the_lobby_is_told_when_the_game_has_begun(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled red-1", "anyway");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    say(&stage, "wait 1000");
    then_said(&stage, "event/disturbance 'pieces':['red-1']");
    then_retained(&stage, "state", "'red-1':{'owner':1,'status':'standing' 'disturbed':true");
    stage_end(&stage);
}

/* Also after a restart: what a switch confirms is on the disk. */
static void what_a_switch_confirms_is_no_event_and_outlives_a_restart(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "fire", "topple blue-1", "toppled blue-1");
    then_nothing_said(&stage);
    stage_restart(&stage);
    say(&stage, "undo");
    then_said(&stage, "event/undone", "reply 'ok':true");
    then_retained(&stage, "state", "'blue-1':{'owner':2,'status':'standing' 'disturbed':true");
    stage_end(&stage);
}

static void a_ball_outside_the_shooting_step_is_a_foul(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "end-phase", "ball-left");
    then_said(&stage, "event/foul 'rule':'S8' 'sensor':'cannon.beam'");
    stage_end(&stage);
}

static void the_health_of_a_sensor_is_an_event_and_shown(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "sensor-fault sensor=rope.a health=stuck");
    then_nothing_said(&stage);
    then_retained(&stage, "sensor/rope/a", "'health':'stuck'");
    then_retained(&stage, "info", "'rope.a'");
    say(&stage, "new-game", "sensor-fault sensor=cannon.beam health=chattering");
    then_said(&stage, "event/sensor-fault 'sensor':'cannon.beam' 'health':'chattering'");
    then_retained(&stage, "info", "'cannon.beam'");
    say(&stage, "sensor-ok sensor=cannon.beam");
    then_said(&stage, "event/sensor-ok 'sensor':'cannon.beam'");
    then_retained(&stage, "sensor/cannon/beam", "'health':'ok'");
    stage_end(&stage);
}

static void the_level_of_a_sensor_is_shown_and_kept(void **state)
{
    const struct fact sensed = {.kind = FACT_SENSED,
                                .at_us = 900000,
                                .sensor = SENSOR_CANNON_BEAM,
                                .level = 1,
                                .edges = 3,
                                .rate = 2,
                                .pulse_us = 2500};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_table_fact(&stage.fake, &sensed);
    then_retained(&stage, "sensor/cannon/beam",
                  "{'value':1,'health':'ok','edges':3,"
                  "'rate':2,'width_us':2500,"
                  "'at':'2023-11-14T22:13:19.900Z'}");
    size_t before = fake_bus_count(stage.fake.bus);
    fake_table_disconnect(&stage.fake);
    fake_table_connect(&stage.fake);
    assert_true(fake_bus_count(stage.fake.bus) > before);
    then_has(fake_bus_message(stage.fake.bus, fake_bus_count(stage.fake.bus) - 1)->topic,
             "sensor/cannon/beam");
    stage_end(&stage);
}

static void push_buttons_say_their_commands(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[button.end]\nline = GPIO5\ncommand = end-phase\n"
                        "[button.back]\nline = GPIO6\ncommand = undo\n");
    say(&stage, "new-game", "button 0");
    then_said(&stage, "event/phase-started 'phase':'moving' 'sensor':'button.end'",
              "reply {'id':null,'ok':true,'seq':4,'messages':[");
    say(&stage, "button 1");
    then_said(&stage, "event/undone 'from':4 'to':4 'sensor':'button.back'", "reply 'seq':5");
    say(&stage, "button 1");
    then_said(&stage, "reply 'ok':false 'error':'nothing-to-undo'");
    stage_end(&stage);
}

static void ME3_a_dock_delivers_the_barrel_of_the_chosen_ship(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "scenario = merchant\n"
                        "[house]\nbarrels = red:blue,blue:green,green:yellow,yellow:red\n");
    say(&stage, "new-game", "end-phase", "roll-move 3", "load-barrel red-1 red", "dock blue");
    then_nothing_said(&stage); /* no ship is chosen */
    say(&stage, "select red-1", "dock green");
    then_nothing_said(&stage); /* not its harbour */
    say(&stage, "dock blue");
    then_said(&stage, "event/barrel-delivered 'piece':'red-1' 'harbour':'blue' "
                      "'sensor':'harbour.blue.dock'");
    say(&stage, "dock blue");
    then_nothing_said(&stage);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shot_is_told_with_its_speed_and_what_it_rests_on),
        cmocka_unit_test(the_state_of_several_facts_at_once_is_told_once),
        cmocka_unit_test(the_answer_to_a_command_comes_after_the_state_of_the_facts_before_it),
        cmocka_unit_test(S3_every_piece_that_falls_in_the_window_counts_at_once),
        cmocka_unit_test(S3_a_tilt_that_began_in_the_window_counts_when_it_settles_after_it),
        cmocka_unit_test(S7_a_tilt_that_began_after_the_window_is_a_disturbance),
        cmocka_unit_test(S7_pieces_that_fall_together_are_one_disturbance),
        cmocka_unit_test(S7_a_piece_that_falls_alone_is_one_too),
        cmocka_unit_test(S7_what_fell_is_told_before_the_next_command_or_ball),
        cmocka_unit_test(S7_a_piece_that_only_rocks_is_no_part_of_the_disturbance),
        cmocka_unit_test(S7_other_facts_do_not_split_a_disturbance),
        cmocka_unit_test(what_fell_in_the_lobby_is_told_when_the_game_has_begun),
        cmocka_unit_test(what_a_switch_confirms_is_no_event_and_outlives_a_restart),
        cmocka_unit_test(a_ball_outside_the_shooting_step_is_a_foul),
        cmocka_unit_test(the_health_of_a_sensor_is_an_event_and_shown),
        cmocka_unit_test(the_level_of_a_sensor_is_shown_and_kept),
        cmocka_unit_test(push_buttons_say_their_commands),
        cmocka_unit_test(ME3_a_dock_delivers_the_barrel_of_the_chosen_ship),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
