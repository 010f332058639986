/* Health of sensors, and the readings for their topics. */
#include "rig.h"

#include <string.h>

static void a_beam_that_stays_broken_is_stuck_until_it_has_been_clear_for_a_while(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "cannon.beam", SECOND, true);
    rig_run(rig, 31 * SECOND - 1);
    rig_expect(rig, "blocked cannon.beam at=1500001 level=1\n");
    rig_run(rig, 50 * SECOND);
    rig_expect(rig, "health cannon.beam at=31000000 stuck\n");
    rig_edge(rig, "cannon.beam", 60 * SECOND, false);
    rig_run(rig, 100 * SECOND);
    rig_expect(rig, "blocked cannon.beam at=60000200 level=0\n"
                    "health cannon.beam at=65000000 ok\n");
}

static void a_button_that_stays_down_is_stuck(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "button.end", SECOND, true);
    rig_run(rig, 100 * SECOND);
    rig_expect(rig, "pressed button.end at=1000000 settle=30000\n"
                    "health button.end at=31000000 stuck\n");
}

static void a_piece_that_lies_and_a_ship_in_its_dock_are_not_stuck(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "red-1.tilt", SECOND, true);
    rig_edge(rig, "harbour.blue.dock", SECOND, true);
    rig_edge(rig, "rope.a", SECOND, true);
    rig_run(rig, 1000 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "toppled red-1.tilt at=1000000 settle=150000\n"
                    "docked harbour.blue.dock at=1000000 level=1 settle=150000\n");
}

static void stuck_can_be_switched_off(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.stuck_s = 0;
    rig_restart(rig, &settings);
    rig_edge(rig, "cannon.beam", SECOND, true);
    rig_run(rig, 1000 * SECOND);
    rig_expect(rig, "blocked cannon.beam at=1500001 level=1\n");
}

/* An edge every 5 ms, as a lamp on the mains makes them: 200 a second. */
static void a_beam_that_flickers_is_chattering_until_it_stops(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < 400; i++) {
        rig_edge(rig, "red-tower.beam", SECOND + i * 5 * MS, i % 2 == 0);
    }
    rig_run(rig, 20 * SECOND);
    rig_expect(rig, "hit red-tower.beam at=1000000 width=5000\n"
                    "hit red-tower.beam at=1210000 width=5000\n"
                    "hit red-tower.beam at=1420000 width=5000\n"
                    "health red-tower.beam at=1500000 chattering\n"
                    "hit red-tower.beam at=1630000 width=5000\n"
                    "hit red-tower.beam at=1840000 width=5000\n"
                    "hit red-tower.beam at=2050000 width=5000\n"
                    "hit red-tower.beam at=2260000 width=5000\n"
                    "hit red-tower.beam at=2470000 width=5000\n"
                    "hit red-tower.beam at=2680000 width=5000\n"
                    "hit red-tower.beam at=2890000 width=5000\n"
                    "health red-tower.beam at=7995000 ok\n");
}

static void an_encoder_may_make_any_number_of_edges(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < 5000; i++) {
        rig_edge(rig, "rope.a", SECOND + i * 100, i % 2 == 0);
    }
    rig_run(rig, 20 * SECOND);
    assert_int_equal(rig->filters.health[SENSOR_ROPE_A].state, HEALTH_OK);
    assert_int_equal(rig->filters.health[SENSOR_ROPE_A].edges, 5000);
}

static void a_reading_is_told_when_it_has_settled(void **state)
{
    struct rig *rig = *state;

    rig->hears_sensed = true;
    rig_draw(rig, "harbour.red.dock", SECOND, MS, "#_#_#");
    rig_run(rig, SECOND + 100 * MS);
    rig_expect(rig, "sensed harbour.red.dock at=1004000 level=1 edges=5\n");
}

static void readings_come_at_most_twice_a_second_also_without_rest(void **state)
{
    struct rig *rig = *state;

    rig->hears_sensed = true;
    for (unsigned i = 0; i < 100; i++) {
        rig_edge(rig, "harbour.red.dock", SECOND + i * 20 * MS, i % 2 == 0);
    }
    rig_run(rig, 4 * SECOND);
    rig_expect(rig, "sensed harbour.red.dock at=1480000 level=1 edges=25\n"
                    "sensed harbour.red.dock at=1980000 level=0 edges=50\n"
                    "sensed harbour.red.dock at=2480000 level=1 edges=75\n"
                    "sensed harbour.red.dock at=2980000 level=0 edges=100\n");
}

static void a_table_at_rest_has_no_deadline(void **state)
{
    struct rig *rig = *state;

    assert_true(filters_next_deadline_us(&rig->filters) == NEVER_US);
    rig_edge(rig, "red-1.tilt", SECOND, true);
    rig_edge(rig, "rope.a", SECOND, true);
    rig_run(rig, 10 * SECOND);
    assert_true(filters_next_deadline_us(&rig->filters) == NEVER_US);
}

static void a_sensor_that_does_not_exist_changes_nothing(void **state)
{
    struct rig *rig = *state;
    struct edge strange[] = {
        {SECOND, SENSOR_NONE, 1}, {SECOND, SENSOR_COUNT, 1}, {SECOND, UINT16_MAX, 1}};

    for (unsigned i = 0; i < 3; i++) {
        filters_edge(&rig->filters, &strange[i], &rig->facts);
    }
    assert_int_equal(rig->facts.count, 0);
    assert_true(filters_next_deadline_us(&rig->filters) == NEVER_US);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

static void report_status(struct rig *rig, unsigned sensor, enum line_status_kind kind,
                          uint64_t at_us)
{
    struct line_status status = {(uint16_t)sensor, kind};

    filters_line_status(&rig->filters, &status, at_us, &rig->facts);
    rig_note(rig);
}

static void a_sensor_whose_chip_has_gone_is_silent_until_it_is_back(void **state)
{
    struct rig *rig = *state;

    report_status(rig, SENSOR_CANNON_BEAM, LINE_GONE, 2 * SECOND);
    rig_run(rig, 100 * SECOND);
    rig_expect(rig, "health cannon.beam at=2000000 silent\n");
    report_status(rig, SENSOR_CANNON_BEAM, LINE_BACK, 100 * SECOND);
    rig_expect(rig, "health cannon.beam at=100000000 ok\n");
}

static void a_line_that_loses_edges_now_and_then_is_healthy_and_more_often_is_not(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < HEALTH_IMPOSSIBLE_MAX; i++) {
        report_status(rig, SENSOR_ROPE_A, LINE_LOSSY, SECOND + i);
    }
    rig_expect(rig, "rope-at rope.a knots=0 invalid=1\n");
    report_status(rig, SENSOR_ROPE_A, LINE_LOSSY, SECOND + 10);
    rig_run(rig, 100 * SECOND);
    rig_expect(rig, "health rope.a at=1000010 impossible\n"
                    "rope-at rope.a knots=0 invalid=4\n"
                    "health rope.a at=6000010 ok\n");
}

static void draw_passages(struct rig *rig, const char *beam, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++) {
        rig_draw(rig, beam, (i + 1) * SECOND, MS, "####_");
    }
}

static void a_beam_that_sees_nothing_while_the_other_is_passed_three_times_is_silent(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.two_beams = true;
    rig_restart(rig, &settings);
    draw_passages(rig, "cannon.beam", 0, 2);
    rig_run(rig, 3 * SECOND - 1);
    rig_expect(rig, "ball-left cannon.beam at=1000000 width=4000 beams=1\n"
                    "ball-left cannon.beam at=2000000 width=4000 beams=1\n");
    draw_passages(rig, "cannon.beam", 2, 1);
    rig_run(rig, 20 * SECOND);
    rig_expect(rig, "health cannon.beam2 at=3004200 silent\n"
                    "ball-left cannon.beam at=3000000 width=4000 beams=1\n");
    draw_passages(rig, "cannon.beam", 24, 1);
    rig_run(rig, 25 * SECOND + 5 * MS);
    rig_expect(rig, "ball-left cannon.beam at=25000000 width=4000 beams=1\n");
    rig_edge(rig, "cannon.beam2", 30 * SECOND, true);
    rig_run(rig, 30 * SECOND);
    rig_expect(rig, "health cannon.beam2 at=30000000 ok\n");
}

static void the_ball_that_wakes_a_silent_beam_is_told_once(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.two_beams = true;
    rig_restart(rig, &settings);
    draw_passages(rig, "cannon.beam", 0, 3);
    rig_run(rig, 4 * SECOND);
    assert_non_null(strstr(rig->text, "health cannon.beam2 at=3004200 silent\n"));
    rig_expect(rig, rig->text);
    rig_draw(rig, "cannon.beam", 5 * SECOND, MS, "####_");
    rig_draw(rig, "cannon.beam2", 5 * SECOND + 6 * MS, MS, "####_");
    rig_run(rig, 20 * SECOND);
    rig_expect(rig, "ball-left cannon.beam at=5000000 width=4000 beams=1\n"
                    "health cannon.beam2 at=5006000 ok\n");
}

static void the_first_beam_can_be_silent_as_well(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.two_beams = true;
    rig_restart(rig, &settings);
    draw_passages(rig, "cannon.beam2", 0, 3);
    rig_run(rig, 20 * SECOND);
    assert_non_null(strstr(rig->text, "health cannon.beam at=3004200 silent\n"));
}

static void beside_a_beam_that_is_not_well_the_other_one_decides_alone(void **state)
{
    static const struct {
        const char *ill;
        const char *well;
        const char *facts;
    } muzzles[] = {
        {"cannon.beam2", "cannon.beam",
         "blocked cannon.beam2 at=1500001 level=1\n"
         "health cannon.beam2 at=31000000 stuck\n"
         "ball-left cannon.beam at=40000000 width=4000 beams=1\n"},
        {"cannon.beam", "cannon.beam2",
         "blocked cannon.beam at=1500001 level=1\n"
         "health cannon.beam at=31000000 stuck\n"
         "ball-left cannon.beam2 at=40000000 width=4000 beams=1\n"},
    };
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.two_beams = true;
    settings.stuck_s = 30;
    for (size_t i = 0; i < sizeof muzzles / sizeof muzzles[0]; i++) {
        rig_restart(rig, &settings);
        rig_edge(rig, muzzles[i].ill, SECOND, true);
        rig_draw(rig, muzzles[i].well, 40 * SECOND, MS, "####_");
        rig_run(rig, 50 * SECOND);
        rig_expect(rig, muzzles[i].facts);
    }
}

static void beams_that_are_passed_in_turn_are_well(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.two_beams = true;
    rig_restart(rig, &settings);
    for (unsigned i = 0; i < 10; i++) {
        draw_passages(rig, i % 3 ? "cannon.beam" : "cannon.beam2", i, 1);
    }
    rig_run(rig, 20 * SECOND);
    assert_null(strstr(rig->text, "health"));
}

static void a_line_of_the_rope_that_says_nothing_while_the_other_goes_on_is_silent(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < ROPE_ALONE_MAX; i++) {
        rig_edge(rig, "rope.a", SECOND + i * 40 * MS, i % 2 == 0);
    }
    rig_run(rig, 3 * SECOND);
    assert_non_null(strstr(rig->text, "health rope.b at=2240000 silent\n"));
    rig_expect(rig, rig->text);
    rig_edge(rig, "rope.b", 4 * SECOND, true);
    rig_run(rig, 4 * SECOND);
    assert_non_null(strstr(rig->text, "health rope.b at=4000000 ok\n"));
}

/* A worn contact, or a table that trembles just where the encoder changes. */
static void a_line_of_the_rope_that_bounces_leaves_the_other_well(void **state)
{
    struct rig *rig = *state;

    for (unsigned i = 0; i < 10 * ROPE_ALONE_MAX; i++) {
        rig_edge(rig, "rope.a", SECOND + i * MS, i % 2 == 0);
    }
    rig_run(rig, 10 * SECOND);
    assert_null(strstr(rig->text, "silent"));
}

static void a_look_tells_how_the_pieces_are_when_every_switch_has_been_judged(void **state)
{
    struct rig *rig = *state;

    filters_look(&rig->filters, 1U << PIECE_RED_1 | 1U << PIECE_BLUE_2 | 1U << PIECE_MONSTER, 1);
    rig_edge(rig, "blue-2.tilt", 100, true);
    rig_edge(rig, "yellow-1.tilt", 100, true);
    rig_run(rig, 1500001);
    rig_expect(rig, "toppled blue-2.tilt at=100 settle=150000\n"
                    "toppled yellow-1.tilt at=100 settle=150000\n");
    rig_run(rig, 100 * SECOND);
    rig_expect(rig, "looked all at=1500002 asked=red-1+blue-2+monster lying=blue-2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_beam_that_stays_broken_is_stuck_until_it_has_been_clear_for_a_while),
        CASE(a_button_that_stays_down_is_stuck),
        CASE(a_piece_that_lies_and_a_ship_in_its_dock_are_not_stuck),
        CASE(stuck_can_be_switched_off),
        CASE(a_beam_that_flickers_is_chattering_until_it_stops),
        CASE(an_encoder_may_make_any_number_of_edges),
        CASE(a_reading_is_told_when_it_has_settled),
        CASE(readings_come_at_most_twice_a_second_also_without_rest),
        CASE(a_table_at_rest_has_no_deadline),
        CASE(a_sensor_that_does_not_exist_changes_nothing),
        CASE(a_sensor_whose_chip_has_gone_is_silent_until_it_is_back),
        CASE(a_line_that_loses_edges_now_and_then_is_healthy_and_more_often_is_not),
        CASE(a_beam_that_sees_nothing_while_the_other_is_passed_three_times_is_silent),
        CASE(the_ball_that_wakes_a_silent_beam_is_told_once),
        CASE(the_first_beam_can_be_silent_as_well),
        CASE(beside_a_beam_that_is_not_well_the_other_one_decides_alone),
        CASE(beams_that_are_passed_in_turn_are_well),
        CASE(a_line_of_the_rope_that_says_nothing_while_the_other_goes_on_is_silent),
        CASE(a_line_of_the_rope_that_bounces_leaves_the_other_well),
        CASE(a_look_tells_how_the_pieces_are_when_every_switch_has_been_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
