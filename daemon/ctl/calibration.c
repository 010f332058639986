#include "calibration.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SLIP_PERCENT = 2,        /* between out and back, from which on it is reported */
    SPREAD_PERCENT = 5,      /* between the longest and the shortest pull */
    SPREAD_PERCENT_MAX = 25, /* beyond, the pulls had different lengths */
    ROUNDING_PERCENT = 1,
    SENTENCE_SIZE = 200,
};

/* Sums of all rounds, in the direction in which the encoder counts. */
struct sums {
    int64_t out;
    int64_t back; /* its sign is the other one */
    int64_t longest;
    int64_t shortest;
    bool in_turn; /* every pull out has the sign of the first one, and every way back the other */
};

static struct sums add_up(const struct calibration *calibration)
{
    struct sums sums = {.in_turn = true, .shortest = INT64_MAX};
    int64_t first = calibration->counts[1] - calibration->counts[0];

    for (size_t mark = 0; mark + 2 < CALIBRATION_MARKS; mark += 2) {
        const int64_t *counts = &calibration->counts[mark];
        int64_t out = counts[1] - counts[0];
        int64_t back = counts[2] - counts[1];
        int64_t length = llabs(out);
        sums.out += out;
        sums.back += back;
        sums.in_turn &=
            out != 0 && back != 0 && (out > 0) == (first > 0) && (back > 0) != (out > 0);
        sums.longest = length > sums.longest ? length : sums.longest;
        sums.shortest = length < sums.shortest ? length : sums.shortest;
    }
    return sums;
}

__attribute__((format(printf, 2, 3))) static void say(struct text *report, const char *format, ...)
{
    char sentence[SENTENCE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text_add(report, sentence);
    text_add(report, "\n");
}

static double percent(int64_t part, int64_t whole)
{
    return 100.0 * (double)llabs(part) / (double)llabs(whole);
}

/* Whether settings can be computed from it. */
static bool is_usable(const struct calibration *calibration, const struct sums *sums,
                      struct text *report)
{
    double a_knot = (double)llabs(sums->out) / CALIBRATION_ROUNDS / calibration->knots;

    if (sums->longest == 0) {
        say(report, "The rope did not move: look at rope.a and rope.b with shipahoyctl doctor.");
    } else if (!sums->in_turn) {
        say(report, "The rope was not pulled out and wound back in turn, or one of its lines does "
                    "not work: look at rope.a and rope.b with shipahoyctl doctor.");
    } else if (a_knot < 0.5 || a_knot > CALIBRATION_COUNTS_MAX) {
        say(report, "%.2f counts for a knot cannot be used: 1 to %d can.", a_knot,
            CALIBRATION_COUNTS_MAX);
    } else if (percent(sums->longest - sums->shortest, sums->longest) > SPREAD_PERCENT_MAX) {
        say(report, "The pulls were %lld to %lld counts long: too different to use.",
            (long long)sums->shortest, (long long)sums->longest);
    } else {
        return true;
    }
    return false;
}

static void report_doubts(const struct calibration *calibration, const struct sums *sums,
                          uint32_t counts_per_knot, struct text *report)
{
    int64_t slipped = llabs(sums->out) - llabs(sums->back);
    int64_t rounded = (int64_t)counts_per_knot * calibration->knots * CALIBRATION_ROUNDS;

    if (percent(slipped, sums->out) >= SLIP_PERCENT) {
        say(report, "The rope slips: %.1f %% %s counts on its way back. Press the wheel harder.",
            percent(slipped, sums->out), slipped > 0 ? "fewer" : "more");
    }
    if (percent(sums->longest - sums->shortest, sums->longest) >= SPREAD_PERCENT) {
        say(report, "The pulls differ by %.1f %%: were they all the same length?",
            percent(sums->longest - sums->shortest, sums->longest));
    }
    if (calibration->invalid) {
        say(report,
            "%u transition%s that no encoder makes: counts are lost. Pull more slowly, or "
            "look for a loose wire.",
            calibration->invalid, calibration->invalid == 1 ? "" : "s");
    }
    if (percent(rounded - llabs(sums->out), sums->out) >= ROUNDING_PERCENT) {
        say(report,
            "Rounded to whole counts that is %.1f %% off; an encoder with more counts "
            "measures better.",
            percent(rounded - llabs(sums->out), sums->out));
    }
}

void calibration_judge(const struct calibration *calibration, struct calibration_result *result)
{
    struct text report = text_begin(result->report, sizeof result->report);
    struct sums sums = add_up(calibration);
    int64_t knots = (int64_t)calibration->knots * CALIBRATION_ROUNDS;

    result->usable = is_usable(calibration, &sums, &report);
    result->counts_per_knot = 0;
    result->reverse = sums.out < 0;
    if (!result->usable) {
        return;
    }
    result->counts_per_knot = (uint32_t)((2 * llabs(sums.out) + knots) / (2 * knots));
    say(&report, "A knot is %.2f counts, and the encoder counts %s while the rope is pulled.",
        (double)llabs(sums.out) / (double)knots, result->reverse ? "down" : "up");
    report_doubts(calibration, &sums, result->counts_per_knot, &report);
}

void calibration_write(const struct calibration *calibration,
                       const struct calibration_result *result, struct text *text)
{
    text_add(text, "; Measured by shipahoyctl calibrate with ");
    text_add_number(text, CALIBRATION_ROUNDS);
    text_add(text, " pulls of ");
    text_add_number(text, calibration->knots);
    text_add(text, calibration->knots == 1 ? " knot.\n" : " knots.\n");
    text_add(text, "[rope]\ncounts_per_knot = ");
    text_add_number(text, result->counts_per_knot);
    text_add(text, result->reverse ? "\nreverse = yes\n" : "\nreverse = no\n");
}
