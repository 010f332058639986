/* What a watcher makes of the topics, in whatever order and shape they come. */
#include "tests/support/test.h"

#include "ctl/live.h"
#include "ctl/view.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct view view;

static bool hear(const char *topic, const char *payload)
{
    return view_hear(&view, topic, payload, strlen(payload));
}

static bool hear_event(const char *game, unsigned seq)
{
    char payload[200];

    snprintf(payload, sizeof payload,
             "{\"v\":1,\"game\":\"%s\",\"seq\":%u,\"event_type\":\"aimed\",\"message\":\"m\"}",
             game, seq);
    return hear("event/aimed", payload);
}

static int forget(void **state)
{
    (void)state;
    memset(&view, 0, sizeof view);
    return 0;
}

TEST_EACH(NULL, forget)

TEST(an_event_that_comes_again_is_dropped)
{
    assert_true(hear_event("g", 1));
    assert_false(hear_event("g", 1));
    assert_int_equal(view.event_count, 1);
}

TEST(missed_events_are_put_in_their_place)
{
    static const char history[] = "{\"ok\":true,\"events\":[{\"v\":1,\"game\":\"g\",\"seq\":2},"
                                  "{\"v\":1,\"game\":\"g\",\"seq\":3}]}";

    hear_event("g", 1);
    hear_event("g", 4);
    assert_true(view_hear_history(&view, history, strlen(history)));
    assert_int_equal(view.event_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(view.events[i].seq, i + 1);
    }
}

TEST(the_oldest_events_are_forgotten_first)
{
    for (unsigned seq = 1; seq <= VIEW_EVENTS_MAX + 5; seq++) {
        assert_true(hear_event("g", seq));
    }
    assert_int_equal(view.event_count, VIEW_EVENTS_MAX);
    assert_int_equal(view.events[0].seq, 6);
    assert_int_equal(view_last_event(&view)->seq, VIEW_EVENTS_MAX + 5);
    assert_false(hear_event("g", 2));
}

TEST(a_new_game_begins_a_new_list_of_events)
{
    hear_event("g", 7);
    assert_true(hear_event("h", 1));
    assert_int_equal(view.event_count, 1);
}

TEST(what_cannot_be_read_changes_nothing)
{
    static const char *const payloads[] = {"", "{", "[]", "null", "{\"v\":2}", "{\"v\":\"1\"}"};

    for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
        assert_false(hear("state", payloads[i]));
        assert_false(hear("event/aimed", payloads[i]));
        assert_false(hear("other", payloads[i]));
    }
    assert_false(view.has_state);
    assert_int_equal(view.event_count, 0);
}

TEST(a_state_of_wrong_kinds_reads_as_nothing)
{
    assert_true(hear("state",
                     "{\"v\":1,\"seq\":-1,\"player\":9,\"phase\":7,\"players\":[1,2,3,4,5,6],"
                     "\"pieces\":[],\"combats\":[{\"attacker\":\"nobody\"}],"
                     "\"winners\":[99,-1,\"x\"]}"));
    assert_int_equal(view.seq, 0);
    assert_int_equal(view.player, PLAYER_NONE);
    assert_int_equal(view.player_count, PLAYERS_MAX);
    assert_int_equal(view.winners, 0);
}

TEST(status_tells_whether_the_daemon_is_there)
{
    assert_int_equal(link_read_status("online", 6), DAEMON_ONLINE);
    assert_int_equal(link_read_status("offline", 7), DAEMON_OFFLINE);
    assert_int_equal(link_read_status("onl", 3), DAEMON_OFFLINE);
}
