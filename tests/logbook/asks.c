/* Queries of many senders until they are answered. */
#include "support/test.h"

#include "logbook/asks.h"

#include <stdio.h>
#include <string.h>

static struct asks asks;

static int empty(void **state)
{
    (void)state;
    memset(&asks, 0, sizeof asks);
    return 0;
}

TEST_EACH(empty, NULL)

static void put(const char *response)
{
    asks_put(&asks, ANSWER_QUERY, "games", response, &(struct bus_news){.payload = ""});
}

static unsigned count_of(const char *response)
{
    unsigned count = 0;

    while (asks.count > 0) {
        count += strcmp(asks_take(&asks)->response, response) == 0;
    }
    return count;
}

static void flood_under_many_names(void)
{
    for (unsigned i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "l/reply/flood-%u", i);
        put(name);
    }
}

TEST(a_flood_displaces_only_itself)
{
    for (unsigned i = 0; i < 1000; i++) {
        put("l/reply/flood");
    }
    put("l/reply/honest");
    assert_int_equal(count_of("l/reply/honest"), 1);
}

TEST(a_flood_under_many_names_leaves_room_for_who_was_heard_before_it)
{
    put("l/reply/honest");
    asks_take(&asks);
    flood_under_many_names();
    put("l/reply/stranger");
    put("l/reply/honest");
    assert_int_equal(asks.count, ASKS_STRANGERS + 1);
    asks_take(&asks); /* it does not become known: others wait */
    put("l/reply/flood-0");
    put("l/reply/stranger");
    assert_int_equal(asks.count, ASKS_STRANGERS + 1);
    assert_int_equal(count_of("l/reply/honest"), 1);
}
