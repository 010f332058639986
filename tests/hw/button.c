/* Push buttons and the rope's button. One character is 10 ms; a contact is quiet after 30 ms. */
#include "rig.h"

enum { UNIT = 10 * MS };

static void a_push_button_tells_the_press_at_once(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "button.end", SECOND, UNIT, "#_######");
    rig_run(rig, SECOND + 50 * MS);
    rig_expect(rig, "pressed button.end at=1000000 settle=30000 bounces=2\n");
}

static void the_release_of_a_push_button_is_nothing(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "button.end", SECOND, UNIT, "########_#______########_");
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "pressed button.end at=1000000 settle=30000\n"
                    "pressed button.end at=1160000 settle=30000\n");
}

static void a_blip_presses_no_button(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "button.end", SECOND, UNIT, "##___#_##_");
    rig_draw(rig, "rope.button", SECOND, UNIT, "##___#_##_");
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "");
}

static void a_short_press_of_the_rope_button_is_told_when_it_is_over(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "rope.button", SECOND, UNIT, "#_########_#_____");
    rig_run(rig, SECOND + 149 * MS);
    rig_expect(rig, "");
    rig_run(rig, SECOND + 150 * MS);
    rig_expect(rig, "rope-pressed rope.button at=1000000 width=100000 bounces=2\n");
}

static void a_hold_is_told_after_a_second_and_its_release_is_nothing(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "rope.button", SECOND, true);
    rig_run(rig, 2 * SECOND - 1);
    rig_expect(rig, "");
    rig_run(rig, 2 * SECOND);
    rig_expect(rig, "rope-held rope.button at=1000000 width=1000000\n");
    rig_edge(rig, "rope.button", 3 * SECOND, false);
    rig_run(rig, 4 * SECOND);
    rig_expect(rig, "");
}

static void a_release_that_began_before_the_hold_is_a_press(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "rope.button", SECOND, true);
    rig_edge(rig, "rope.button", 2 * SECOND - 10 * MS, false);
    rig_edge(rig, "rope.button", 2 * SECOND - 5 * MS, true);
    rig_edge(rig, "rope.button", 2 * SECOND + 5 * MS, false);
    rig_run(rig, 4 * SECOND);
    rig_expect(rig, "rope-pressed rope.button at=1000000 width=990000\n");
}

static void a_blip_at_the_moment_of_the_hold_does_not_end_it(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "rope.button", SECOND, true);
    rig_edge(rig, "rope.button", 2 * SECOND - 5 * MS, false);
    rig_edge(rig, "rope.button", 2 * SECOND + 5 * MS, true);
    rig_run(rig, 2 * SECOND + 35 * MS);
    rig_expect(rig, "rope-held rope.button at=1000000 width=1000000\n");
}

static void an_edge_from_before_is_taken_as_of_now(void **state)
{
    struct rig *rig = *state;

    rig_edge(rig, "rope.button", SECOND, true);
    rig_run(rig, SECOND + 100 * MS);
    rig_edge(rig, "rope.button", SECOND - 500 * MS, false);
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "rope-pressed rope.button at=1000000\n");
}

static void a_press_says_what_the_rope_reads(void **state)
{
    struct rig *rig = *state;

    rig_draw(rig, "rope.a", SECOND, MS, "##__");
    rig_draw(rig, "rope.b", SECOND, MS, "_##_");
    rig_edge(rig, "rope.button", 2 * SECOND, true);
    rig_edge(rig, "rope.button", 2 * SECOND + 100 * MS, false);
    rig_run(rig, 3 * SECOND);
    rig_expect(rig, "rope-at rope.a at=1000000 knots=0.05\n"
                    "rope-at rope.a at=1003000 knots=0.2\n"
                    "rope-pressed rope.button at=2000000 milli=200 width=100000\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_push_button_tells_the_press_at_once),
        CASE(the_release_of_a_push_button_is_nothing),
        CASE(a_blip_presses_no_button),
        CASE(a_short_press_of_the_rope_button_is_told_when_it_is_over),
        CASE(a_hold_is_told_after_a_second_and_its_release_is_nothing),
        CASE(a_release_that_began_before_the_hold_is_a_press),
        CASE(a_blip_at_the_moment_of_the_hold_does_not_end_it),
        CASE(an_edge_from_before_is_taken_as_of_now),
        CASE(a_press_says_what_the_rope_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
