/* Which tables are asked, and when. The clock is the test's, and so is every reply. */
#include "logbook/feeds.h"

#include "support/test.h"
#include "trial.h"

#include <stdio.h>
#include <string.h>

enum { TABLE_SIZE = 16, ID_SIZE = 64, ANSWER_MS = 10000 };

/* The queries that have been sent and not been answered. */
struct asked {
    char table[BOOK_TABLE_SIZE];
    char verb[TABLE_SIZE];
    char id[ID_SIZE];
};

static struct asked asked[2 * FEEDS_MAX];
static unsigned asked_count;
static int64_t clock_ms;
static struct feeds *feeds;

static void take_query(void *self, const char *table, const char *verb, const char *payload)
{
    (void)self;
    json_t *query = json_loads(payload, 0, NULL);
    struct asked *next = &asked[asked_count++];
    snprintf(next->table, sizeof next->table, "%s", table);
    snprintf(next->verb, sizeof next->verb, "%s", verb);
    snprintf(next->id, sizeof next->id, "%s", json_string_value(json_object_get(query, "id")));
    json_decref(query);
}

static int64_t tell_time(void *self)
{
    (void)self;
    return clock_ms;
}

static void refuse_failure(void *self, int error)
{
    (void)self;
    fail_msg("error %d: %s", error, book_problem(&book));
}

static int begin(void **state)
{
    struct feeds_ports ports = {NULL, &book, take_query, tell_time, refuse_failure};

    asked_count = 0;
    clock_ms = 0;
    return trial_begin(state) || feeds_open(&feeds, &ports);
}

static int end(void **state)
{
    feeds_close(feeds);
    return trial_end(state);
}

TEST_EACH(begin, end)

static void turn_on(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char table[TABLE_SIZE];
        snprintf(table, sizeof table, "t%u", i);
        feeds_status(feeds, table, true);
    }
}

/* The table has no games, and no more events. */
static void answer_last(void)
{
    char reply[2 * ID_SIZE];
    const struct asked *last = &asked[--asked_count];

    snprintf(reply, sizeof reply, "{\"id\":\"%s\",\"ok\":true,\"games\":[],\"more\":false}",
             last->id);
    feeds_reply(feeds, last->table, reply, strlen(reply));
}

TEST(a_club_of_256_tables_is_read_and_no_table_more)
{
    unsigned answered = 0;

    turn_on(FEEDS_MAX + 10);
    for (feeds_tick(feeds); asked_count > 0; feeds_tick(feeds)) {
        assert_true(asked_count <= FEEDS_ASKED_MAX);
        answer_last();
        answered++;
    }
    assert_int_equal(answered, FEEDS_MAX);
}

TEST(tables_that_do_not_answer_do_not_keep_others_from_being_read)
{
    bool was_asked[FEEDS_MAX] = {0};

    turn_on(FEEDS_MAX);
    for (unsigned round = 0; round < FEEDS_MAX / FEEDS_ASKED_MAX; round++) {
        feeds_tick(feeds);
        assert_int_equal(asked_count, FEEDS_ASKED_MAX);
        for (; asked_count > 0; asked_count--) {
            unsigned number = 0;
            assert_int_equal(sscanf(asked[asked_count - 1].table, "t%u", &number), 1);
            was_asked[number] = true;
        }
        clock_ms += ANSWER_MS;
    }
    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        assert_true(was_asked[i]);
    }
}

/* A table that has answered. */
static void begin_table(void)
{
    turn_on(1);
    feeds_tick(feeds);
    answer_last();
}

static void say_event(const char *game, unsigned seq)
{
    char event[256];

    snprintf(event, sizeof event,
             "{\"game\":\"%s\",\"seq\":%u,\"turn\":1,\"event_type\":\"aimed\","
             "\"at\":\"2026-05-03T18:42:11.042Z\"}",
             game, seq);
    feeds_event(feeds, "t0", event, strlen(event));
}

/* Lets the time pass until a query is sent, and compares its verb. */
static void expect_query(const char *verb)
{
    for (int64_t wait_ms = feeds_tick(feeds); asked_count == 0; wait_ms = feeds_tick(feeds)) {
        assert_true(wait_ms < ANSWER_MS);
        clock_ms += wait_ms;
    }
    assert_int_equal(asked_count, 1);
    assert_string_equal(asked[0].verb, verb);
}

TEST(events_during_a_query_get_their_states_later)
{
    begin_table();
    say_event("g", 1);
    expect_query("history");
    say_event("g", 2);
    clock_ms += 250;
    feeds_tick(feeds);
    answer_last();
    expect_query("history");
}

TEST(the_states_of_a_game_that_was_abandoned_are_read)
{
    begin_table();
    say_event("g", 1);
    say_event("h", 1);
    expect_query("games");
}

TEST(events_that_follow_each_other_are_stored_together)
{
    struct book_progress progress;

    begin_table();
    for (unsigned seq = 1; seq <= 3; seq++) {
        say_event("g", seq);
        assert_int_equal(feeds_tick(feeds), 250 - clock_ms);
        assert_int_equal(book_find(&book, "t0", "g", &progress), 0);
        assert_int_equal(progress.seq, 0);
        clock_ms += 100;
    }
    feeds_tick(feeds);
    assert_int_equal(book_find(&book, "t0", "g", &progress), 0);
    assert_int_equal(progress.seq, 3);
}

TEST(it_sleeps_while_all_places_are_taken)
{
    turn_on(FEEDS_MAX);
    feeds_tick(feeds);
    clock_ms += 1;
    assert_int_equal(feeds_tick(feeds), ANSWER_MS - 1);
}
