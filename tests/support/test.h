/*
 * A test in C: its name, which is the claim, and its code. A program runs its tests in the order in
 * which they are written, or those that match the pattern of its argument; main is in test.c.
 *
 *     TEST(a_full_queue_drops_what_is_outdated)
 *     {
 *         ...
 *     }
 */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST(claim)                                                                                \
    static void claim(void **state);                                                               \
    TEST_AT_START(add_##claim, test_add(#claim, claim))                                            \
    static void claim(__attribute__((unused)) void **state)

/*
 * A test of something that is begun before it and ended after it: `around` is called with the test,
 * a function with that parameter.
 */
#define TEST_OF(parameter, claim, around)                                                          \
    static void claim(parameter);                                                                  \
    static void run_##claim(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        around(claim);                                                                             \
    }                                                                                              \
    TEST_AT_START(add_##claim, test_add(#claim, run_##claim))                                      \
    static void claim(parameter)

/* A test with what the setup of TEST_EACH has made, `struct fixture *fixture` for example. */
#define TEST_WITH(parameter, claim)                                                                \
    static void claim(parameter);                                                                  \
    static void run_##claim(void **state)                                                          \
    {                                                                                              \
        claim(*state);                                                                             \
    }                                                                                              \
    TEST_AT_START(add_##claim, test_add(#claim, run_##claim))                                      \
    static void claim(parameter)

/* The setup and teardown of each test of the program, and those of the whole program; or NULL. */
#define TEST_EACH(setup, teardown) TEST_AT_START(fixture_of_each, test_each((setup), (teardown)))
#define TEST_ALL(setup, teardown) TEST_AT_START(fixture_of_all, test_all((setup), (teardown)))

#define TEST_AT_START(name, call)                                                                  \
    __attribute__((constructor)) static void name(void)                                            \
    {                                                                                              \
        call;                                                                                      \
    }

void test_add(const char *name, CMUnitTestFunction run);
void test_each(CMFixtureFunction setup, CMFixtureFunction teardown);
void test_all(CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
