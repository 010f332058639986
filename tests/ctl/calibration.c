/* Calibrating the rope: settings computed from pulls, and the report. */
#include "tests/support/test.h"

#include "ctl/calibration.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define UP "A knot is 20.00 counts, and the encoder counts up while the rope is pulled.\n"
#define NOT_IN_TURN                                                                                \
    "The rope was not pulled out and wound back in turn, or one of its lines does not work: look " \
    "at rope.a and rope.b with shipahoyctl doctor.\n"

/* Each result: the knots of a pull and the counts at each mark, and what follows. */
static const struct {
    struct calibration calibration;
    uint32_t counts_per_knot; /* 0: unusable */
    bool reverse;
    const char *report;
} results[] = {
    {{.knots = 5, .counts = {7, 107, 7, 107, 7, 107, 7}}, 20, false, UP},
    {{.knots = 2, .counts = {0, -46, 0, -46, 0, -46, 0}},
     23,
     true,
     "A knot is 23.00 counts, and the encoder counts down while the rope is pulled.\n"},
    {{.knots = 5, .counts = {0, 100, 0, 101, 1, 100, 0}}, 20, false, UP},
    {{.knots = 5, .counts = {0, 100, 5, 105, 10, 110, 15}},
     20,
     false,
     UP "The rope slips: 5.0 % fewer counts on its way back. Press the wheel harder.\n"},
    {{.knots = 5, .counts = {0, 100, 0, 90, 0, 110, 0}, .invalid = 2},
     20,
     false,
     UP "The pulls differ by 18.2 %: were they all the same length?\n"
        "2 transitions that no encoder makes: counts are lost. Pull more slowly, or look for a "
        "loose wire.\n"},
    {{.knots = 2, .counts = {0, 9, 0, 9, 0, 9, 0}},
     5,
     false,
     "A knot is 4.50 counts, and the encoder counts up while the rope is pulled.\n"
     "Rounded to whole counts that is 11.1 % off; an encoder with more counts measures better.\n"},
    {{.knots = 5},
     0,
     false,
     "The rope did not move: look at rope.a and rope.b with shipahoyctl doctor.\n"},
    {{.knots = 5, .counts = {0, 100, 200, 300, 400, 500, 600}}, 0, false, NOT_IN_TURN},
    {{.knots = 5, .counts = {0, 100, 0, -100, 0, 100, 0}}, 0, false, NOT_IN_TURN},
    {{.knots = 5, .counts = {0, 1, 1, 1, 0, 1, 0}}, 0, false, NOT_IN_TURN},
    {{.knots = 5, .counts = {0, 100, 0, 50, 0, 100, 0}},
     0,
     false,
     "The pulls were 50 to 100 counts long: too different to use.\n"},
    {{.knots = 100, .counts = {0, 4, 0, 4, 0, 4, 0}},
     0,
     false,
     "0.04 counts for a knot cannot be used: 1 to 100000 can.\n"},
    {{.knots = 1, .counts = {0, 200000, 0, 200000, 0, 200000, 0}},
     0,
     false,
     "200000.00 counts for a knot cannot be used: 1 to 100000 can.\n"},
};

TEST(pulls_give_counts_direction_and_a_report)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        struct calibration_result result;
        calibration_judge(&results[i].calibration, &result);
        assert_string_equal(result.report, results[i].report);
        assert_int_equal(result.usable, results[i].counts_per_knot > 0);
        assert_int_equal(result.counts_per_knot, results[i].counts_per_knot);
        assert_int_equal(result.reverse && result.usable, results[i].reverse);
    }
}

TEST(the_overlay_is_what_a_file_of_the_configuration_has)
{
    struct calibration calibration = {.knots = 5};
    struct calibration_result result = {.usable = true, .counts_per_knot = 23, .reverse = true};
    char overlay[CALIBRATION_TEXT_SIZE];
    struct text text = text_begin(overlay, sizeof overlay);

    calibration_write(&calibration, &result, &text);
    assert_string_equal(overlay, "; Measured by shipahoyctl calibrate with 3 pulls of 5 knots.\n"
                                 "[rope]\n"
                                 "counts_per_knot = 23\n"
                                 "reverse = yes\n");
}
