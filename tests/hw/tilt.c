/* A tilt switch and a dock. One character is 10 ms; a switch settles in 150 ms. */
#include "rig.h"

enum { UNIT = 10 * MS };

static void S3_a_piece_that_stays_down_has_toppled_when_the_tilt_began(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "blue-2.tilt", SECOND, UNIT, "#");
    rig_run(rig, SECOND + 150 * MS - 1);
    rig_expect(rig, "");
    rig_run(rig, SECOND + 150 * MS);
    rig_expect(rig, "toppled blue-2.tilt at=1000000 settle=150000\n");
}

static void S3_chatter_is_counted_and_the_first_edge_is_the_beginning(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "blue-2.tilt", SECOND, UNIT, "#_#__##_###");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "toppled blue-2.tilt at=1000000 settle=150000 bounces=6\n");
}

static void a_wobble_is_not_a_topple(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "red-1.tilt", SECOND, UNIT, "###_##__##############_#_");
    rig_run(rig, 5 * SECOND);
    rig_expect(rig, "");
}

static void a_piece_is_raised_when_it_stands_quietly(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "pirate.tilt", SECOND, UNIT, "################_#_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "toppled pirate.tilt at=1000000 settle=150000\n"
                    "raised pirate.tilt at=1160000 settle=150000 bounces=2\n");
}

/* Never quiet for 150 ms: tilted for more than half of the time. */
static void chatter(struct rig *rig, const char *pattern, uint64_t from_us, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        rig_draw(rig, "monster.tilt", from_us + i * 100 * MS, UNIT, pattern);
    }
}

static void a_switch_that_never_rests_is_judged_by_its_prevailing_level(void **state)
{
    struct rig *rig = *state;

    chatter(rig, "#######___", SECOND, 30);
    rig_run(rig, 4 * SECOND);
    rig_expect(rig, "toppled monster.tilt at=1000000 settle=1500000 bounces=29\n"
                    "health monster.tilt at=2500000 chattering\n");
}

static void a_standing_piece_with_a_loose_switch_does_not_topple(void **state)
{
    struct rig *rig = *state;

    chatter(rig, "###_______", SECOND, 30);
    rig_run(rig, 4 * SECOND);
    rig_expect(rig, "health monster.tilt at=2500000 chattering\n");
}

static void a_switch_that_comes_to_rest_is_believed_again(void **state)
{
    struct rig *rig = *state;

    chatter(rig, "###_______", SECOND, 30);
    rig_draw(rig, "monster.tilt", 4 * SECOND, UNIT, "#");
    rig_run(rig, 20 * SECOND);
    rig_expect(rig, "health monster.tilt at=2500000 chattering\n"
                    "toppled monster.tilt at=4000000 settle=150000 bounces=60\n"
                    "health monster.tilt at=9000000 ok\n"
                    "looked monster.tilt at=9000000 asked=monster lying=monster\n");
}

static void a_lost_edge_leaves_the_last_level(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "red-1.tilt", SECOND, true);
    rig_edge(rig, "red-1.tilt", SECOND + MS, true);
    rig_edge(rig, "red-2.tilt", SECOND, false);
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "toppled red-1.tilt at=1000000 settle=150000 bounces=1\n");
}

static void S7_pieces_of_a_bumped_table_topple_each_with_its_own_time(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "red-1.tilt", SECOND, UNIT, "___#");
    rig_draw(rig, "blue-1.tilt", SECOND, UNIT, "#");
    rig_draw(rig, "green-tower.tilt", SECOND, UNIT, "_##_#");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "toppled blue-1.tilt at=1000000 settle=150000\n"
                    "toppled red-1.tilt at=1030000 settle=150000\n"
                    "toppled green-tower.tilt at=1010000 settle=150000 bounces=2\n");
}

/* Tilted for a tenth of the time, and right now. */
static void a_shorter_settle_time_while_a_switch_rattles_makes_no_fall(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    settings.tilt_settle_ms = 5000;
    rig_restart(rig, &settings);
    chatter(rig, "#_________", SECOND, 19);
    rig_edge(rig, "monster.tilt", 2 * SECOND + 900 * MS, true);
    rig_run(rig, 2 * SECOND + 900 * MS);
    settings.tilt_settle_ms = 150;
    filters_apply(&rig->filters, &settings);
    rig_run(rig, 2 * SECOND + 905 * MS);
    rig_expect(rig, "health monster.tilt at=2500000 chattering\n");
}

static void other_settings_apply_to_what_is_going_on(void **state)
{
    struct rig *rig = *state;
    struct filter_settings settings = rig->settings;

    rig_draw(rig, "red-1.tilt", SECOND, UNIT, "#");
    rig_run(rig, SECOND + 50 * MS);
    settings.tilt_settle_ms = 60;
    filters_apply(&rig->filters, &settings);
    rig_run(rig, SECOND + 60 * MS);
    rig_expect(rig, "toppled red-1.tilt at=1000000 settle=60000\n");
}

static void a_dock_tells_both_levels_when_settled(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "harbour.red.dock", SECOND, UNIT, "#_####################_#_");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "docked harbour.red.dock at=1000000 level=1 settle=150000 bounces=2\n"
                    "docked harbour.red.dock at=1220000 level=0 settle=150000 bounces=2\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(S3_a_piece_that_stays_down_has_toppled_when_the_tilt_began),
        CASE(S3_chatter_is_counted_and_the_first_edge_is_the_beginning),
        CASE(a_wobble_is_not_a_topple),
        CASE(a_piece_is_raised_when_it_stands_quietly),
        CASE(a_switch_that_never_rests_is_judged_by_its_prevailing_level),
        CASE(a_standing_piece_with_a_loose_switch_does_not_topple),
        CASE(a_switch_that_comes_to_rest_is_believed_again),
        CASE(a_lost_edge_leaves_the_last_level),
        CASE(S7_pieces_of_a_bumped_table_topple_each_with_its_own_time),
        CASE(a_shorter_settle_time_while_a_switch_rattles_makes_no_fall),
        CASE(other_settings_apply_to_what_is_going_on),
        CASE(a_dock_tells_both_levels_when_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
