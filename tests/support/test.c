#include "test.h"

#include <assert.h>

enum { TESTS_MAX = 128 };

static struct CMUnitTest tests[TESTS_MAX];
static size_t count;
static struct CMUnitTest each; /* setup and teardown of each test, */
static struct CMUnitTest all;  /* and those of the program */

void test_add(const char *name, CMUnitTestFunction run)
{
    assert(count < TESTS_MAX);
    tests[count++] = (struct CMUnitTest){.name = name, .test_func = run};
}

void test_each(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    each = (struct CMUnitTest){.setup_func = setup, .teardown_func = teardown};
}

void test_all(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    all = (struct CMUnitTest){.setup_func = setup, .teardown_func = teardown};
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < count; i++) {
        tests[i].setup_func = each.setup_func;
        tests[i].teardown_func = each.teardown_func;
    }
    if (argc == 2) {
        cmocka_set_test_filter(argv[1]);
    }
    return _cmocka_run_group_tests(argv[0], tests, count, all.setup_func, all.teardown_func);
}
