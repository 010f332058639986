/* Calibrating the rope: settings computed from pulls, and the report. */
#include "ctl/calibration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MEASURED(...) .counts = {__VA_ARGS__}

static struct calibration_result judge(struct calibration calibration)
{
    struct calibration_result result;

    calibration_judge(&calibration, &result);
    return result;
}

static void assert_measured(struct calibration calibration, uint32_t counts_per_knot, bool reverse,
                            const char *report)
{
    struct calibration_result result = judge(calibration);

    assert_string_equal(result.report, report);
    assert_true(result.usable);
    assert_int_equal(result.counts_per_knot, counts_per_knot);
    assert_int_equal(result.reverse, reverse);
}

static void assert_unusable(struct calibration calibration, const char *report)
{
    struct calibration_result result = judge(calibration);

    assert_string_equal(result.report, report);
    assert_false(result.usable);
}

static void even_pulls_give_counts_and_direction(void **state)
{
    (void)state;
    assert_measured(
        (struct calibration){.knots = 5, MEASURED(7, 107, 7, 107, 7, 107, 7)}, 20, false,
        "A knot is 20.00 counts, and the encoder counts up while the rope is pulled.\n");
    assert_measured(
        (struct calibration){.knots = 2, MEASURED(0, -46, 0, -46, 0, -46, 0)}, 23, true,
        "A knot is 23.00 counts, and the encoder counts down while the rope is pulled.\n");
}

static void the_average_of_all_pulls_counts(void **state)
{
    (void)state;
    assert_measured(
        (struct calibration){.knots = 5, MEASURED(0, 100, 0, 101, 1, 100, 0)}, 20, false,
        "A knot is 20.00 counts, and the encoder counts up while the rope is pulled.\n");
}

static void slip_is_what_is_missing_on_the_way_back(void **state)
{
    (void)state;
    assert_measured(
        (struct calibration){.knots = 5, MEASURED(0, 100, 5, 105, 10, 110, 15)}, 20, false,
        "A knot is 20.00 counts, and the encoder counts up while the rope is pulled.\n"
        "The rope slips: 5.0 % fewer counts on its way back. Press the wheel harder.\n");
}

static void lost_counts_and_uneven_pulls_are_reported(void **state)
{
    (void)state;
    assert_measured(
        (struct calibration){.knots = 5, MEASURED(0, 100, 0, 90, 0, 110, 0), .invalid = 2}, 20,
        false,
        "A knot is 20.00 counts, and the encoder counts up while the rope is pulled.\n"
        "The pulls differ by 18.2 %: were they all the same length?\n"
        "2 transitions that no encoder makes: counts are lost. Pull more slowly, or "
        "look for a loose wire.\n");
}

static void a_coarse_encoder_is_reported(void **state)
{
    (void)state;
    assert_measured((struct calibration){.knots = 2, MEASURED(0, 9, 0, 9, 0, 9, 0)}, 5, false,
                    "A knot is 4.50 counts, and the encoder counts up while the rope is pulled.\n"
                    "Rounded to whole counts that is 11.1 % off; an encoder with more counts "
                    "measures better.\n");
}

static void a_rope_that_did_not_move_gives_nothing(void **state)
{
    (void)state;
    assert_unusable((struct calibration){.knots = 5},
                    "The rope did not move: look at rope.a and rope.b with shipahoyctl doctor.\n");
}

static void pulls_that_do_not_alternate_give_nothing(void **state)
{
    static const char report[] =
        "The rope was not pulled out and wound back in turn, or one of its lines does not work: "
        "look at rope.a and rope.b with shipahoyctl doctor.\n";

    (void)state;
    assert_unusable((struct calibration){.knots = 5, MEASURED(0, 100, 200, 300, 400, 500, 600)},
                    report);
    assert_unusable((struct calibration){.knots = 5, MEASURED(0, 100, 0, -100, 0, 100, 0)}, report);
    assert_unusable((struct calibration){.knots = 5, MEASURED(0, 1, 1, 1, 0, 1, 0)}, report);
}

static void pulls_of_different_lengths_give_nothing(void **state)
{
    (void)state;
    assert_unusable((struct calibration){.knots = 5, MEASURED(0, 100, 0, 50, 0, 100, 0)},
                    "The pulls were 50 to 100 counts long: too different to use.\n");
}

static void counts_that_the_configuration_would_not_take_give_nothing(void **state)
{
    (void)state;
    assert_unusable((struct calibration){.knots = 100, MEASURED(0, 4, 0, 4, 0, 4, 0)},
                    "0.04 counts for a knot cannot be used: 1 to 100000 can.\n");
    assert_unusable((struct calibration){.knots = 1, MEASURED(0, 200000, 0, 200000, 0, 200000, 0)},
                    "200000.00 counts for a knot cannot be used: 1 to 100000 can.\n");
}

static void the_overlay_is_what_a_file_of_the_configuration_has(void **state)
{
    struct calibration calibration = {.knots = 5};
    struct calibration_result result = {.usable = true, .counts_per_knot = 23, .reverse = true};
    char overlay[CALIBRATION_TEXT_SIZE];
    struct text text = text_begin(overlay, sizeof overlay);

    (void)state;
    calibration_write(&calibration, &result, &text);
    assert_string_equal(overlay, "; Measured by shipahoyctl calibrate with 3 pulls of 5 knots.\n"
                                 "[rope]\n"
                                 "counts_per_knot = 23\n"
                                 "reverse = yes\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_pulls_give_counts_and_direction),
        cmocka_unit_test(the_average_of_all_pulls_counts),
        cmocka_unit_test(slip_is_what_is_missing_on_the_way_back),
        cmocka_unit_test(lost_counts_and_uneven_pulls_are_reported),
        cmocka_unit_test(a_coarse_encoder_is_reported),
        cmocka_unit_test(a_rope_that_did_not_move_gives_nothing),
        cmocka_unit_test(pulls_that_do_not_alternate_give_nothing),
        cmocka_unit_test(pulls_of_different_lengths_give_nothing),
        cmocka_unit_test(counts_that_the_configuration_would_not_take_give_nothing),
        cmocka_unit_test(the_overlay_is_what_a_file_of_the_configuration_has),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
