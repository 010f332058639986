/* Formulas of score sheets. */
#include "tests/support/test.h"

#include "sheet/formula.h"

#include <string.h>

/* A counter a is 7 and was 9, b is 3; the flag yes is set. */
static int find(const void *self, enum formula_kind kind, const char *name)
{
    (void)self;
    if (kind == FORMULA_FLAG) {
        return strcmp(name, "yes") == 0 ? 0 : -1;
    }
    return strcmp(name, "a") == 0 ? 0 : strcmp(name, "b-1") == 0 ? 1 : -1;
}

static int64_t value(const void *self, enum formula_kind kind, int32_t index)
{
    (void)self;
    switch (kind) {
    case FORMULA_COUNTER:
        return index == 0 ? 7 : 3;
    case FORMULA_HIGHEST:
        return 9;
    case FORMULA_FLAG:
        return 1;
    default:
        return 2;
    }
}

TEST(a_formula_has_the_value_that_it_has_in_mathematics)
{
    static const struct {
        const char *source;
        int64_t expected;
    } cases[] = {
        {"12", 12},
        {"a + b-1 * 2", 13},
        {"(a + b-1) * 2", 20},
        {"a - b-1 - 1", 3},
        {"-a + 1", -6},
        {"- - 3", 3},
        {"highest(a) * round", 18},
        {"a = 7", 1},
        {"a != 7", 0},
        {"a<7", 0},
        {"a<=7", 1},
        {"a > 6", 1},
        {"a>=8", 0},
        {"not yes or a = 7", 1},
        {"not (yes or a = 7)", 0},
        {"a = 1 or yes and players = 2", 1},
        {"not not yes", 1},
        {"1000000 * 1000000", INT32_MAX},
        {"-1000000 * 1000000", INT32_MIN},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula formula;
        char problem_text[200];
        struct text problem = text_begin(problem_text, sizeof problem_text);
        if (!formula_read(cases[i].source, find, NULL, &formula, &problem)) {
            fail_msg("%s: %s", cases[i].source, problem_text);
        }
        if (formula_evaluate(&formula, value, NULL) != cases[i].expected) {
            fail_msg("%s is not %ld", cases[i].source, (long)cases[i].expected);
        }
    }
}

TEST(a_formula_that_is_none_is_refused_with_what_is_wrong)
{
    static const struct {
        const char *source;
        const char *problem;
    } cases[] = {
        {"", "expected a number, or the name of a counter or flag, at the end"},
        {"a +", "expected a number, or the name of a counter or flag, at the end"},
        {"c", "expected a number, or the name of a counter or flag, instead of c"},
        {"a b-1", "expected an operator instead of b-1"},
        {"(a", "expected ) at the end"},
        {"a)", "expected an operator instead of )"},
        {"highest a", "expected ( and the name of a counter instead of a"},
        {"highest(yes)", "expected the name of a counter instead of yes"},
        {"highest(a", "expected ) at the end"},
        {"a & b-1", "expected an operator instead of &"},
        {"1000001", "expected a number up to 1000000 instead of 1000001"},
        {"a)", "expected an operator instead of )"},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula formula;
        char problem_text[200];
        struct text problem = text_begin(problem_text, sizeof problem_text);
        assert_false(formula_read(cases[i].source, find, NULL, &formula, &problem));
        assert_string_equal(problem_text, cases[i].problem);
        assert_int_equal(formula_evaluate(&formula, value, NULL), 0);
    }
}

TEST(a_formula_that_is_too_long_is_refused)
{
    char source[1024] = "1";
    struct formula formula;
    char problem_text[200];
    struct text problem = text_begin(problem_text, sizeof problem_text);

    for (unsigned i = 0; i < FORMULA_STEPS_MAX; i++) {
        strcat(source, "+1");
    }
    assert_false(formula_read(source, find, NULL, &formula, &problem));
    assert_string_equal(problem_text, "expected a shorter formula instead of 1");
}

TEST(a_formula_with_too_many_brackets_is_refused)
{
    char source[1024] = "";
    struct formula formula;
    char problem_text[200];
    struct text problem = text_begin(problem_text, sizeof problem_text);

    for (unsigned i = 0; i <= FORMULA_STEPS_MAX; i++) {
        strcat(source, "(");
    }
    assert_false(formula_read(source, find, NULL, &formula, &problem));
    assert_string_equal(problem_text, "expected a shorter formula at the end");
}
