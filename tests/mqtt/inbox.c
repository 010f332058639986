/* What was heard and waits to be taken, without a broker. */
#include "tests/support/test.h"

#include "mqtt/inbox.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

TEST(of_a_huge_message_only_so_much_is_kept_that_it_can_be_refused)
{
    static char payload[10 * INBOX_PAYLOAD_MAX];
    struct inbox inbox = {0};

    inbox_put(&inbox, &(struct bus_news){.kind = BUS_MESSAGE,
                                         .topic = "t/command/undo",
                                         .payload = payload,
                                         .size = sizeof payload});
    struct bus_news *news = inbox_take(&inbox);
    assert_int_equal(news->size, INBOX_PAYLOAD_MAX);
    inbox_release(news);
    assert_false(inbox_has_news(&inbox));
}

TEST(a_reply_address_that_is_too_long_is_none)
{
    static char topic[INBOX_TOPIC_MAX + 2];
    static const char correlation[CORRELATION_MAX + 1];
    struct inbox inbox = {0};
    struct bus_news message = {.kind = BUS_MESSAGE,
                               .topic = "t/command/undo",
                               .payload = "",
                               .response_topic = topic,
                               .correlation = correlation,
                               .correlation_size = CORRELATION_MAX};

    memset(topic, 'x', INBOX_TOPIC_MAX);
    inbox_put(&inbox, &message);
    message.correlation_size++;
    inbox_put(&inbox, &message);
    topic[INBOX_TOPIC_MAX] = 'x';
    message.correlation_size = 1;
    inbox_put(&inbox, &message);
    for (unsigned i = 0; i < 3; i++) {
        struct bus_news *news = inbox_take(&inbox);
        assert_int_equal(news->response_topic != NULL, i == 0);
        assert_int_equal(news->correlation_size, i == 0 ? CORRELATION_MAX : 0);
        inbox_release(news);
    }
}

TEST(a_message_with_a_topic_that_is_too_long_is_dropped)
{
    static char topic[INBOX_TOPIC_MAX + 2];
    struct inbox inbox = {0};

    memset(topic, 'x', INBOX_TOPIC_MAX + 1);
    inbox_put(&inbox, &(struct bus_news){.kind = BUS_MESSAGE, .topic = topic, .payload = ""});
    assert_false(inbox_has_news(&inbox));
}

/* A command with this number, whose reply goes to reply/SENDER. */
static struct bus_news command_of(const char *sender, uint32_t number)
{
    return (struct bus_news){.kind = BUS_MESSAGE,
                             .topic = "t/command/aim",
                             .payload = "{}",
                             .size = 2,
                             .response_topic = sender,
                             .token = number};
}

/* As if it had been heard before. */
static void know(struct inbox *inbox, const char *sender)
{
    struct bus_news command = command_of(sender, 0);

    inbox_put(inbox, &command);
    inbox_release(inbox_take(inbox));
}

/* Takes a message and checks whose it is; returns whether its sender is crowded. */
static bool take_of(struct inbox *inbox, const char *sender, uint32_t number)
{
    struct bus_news *news = inbox_take(inbox);

    assert_non_null(news);
    assert_string_equal(news->response_topic, sender);
    assert_int_equal(news->token, number);
    bool is_crowded = news->is_crowded;
    inbox_release(news);
    return is_crowded;
}

static void take_query_of(struct inbox *inbox, const char *sender)
{
    struct bus_news *query = inbox_take_query(inbox);

    assert_non_null(query);
    assert_string_equal(query->response_topic, sender);
    inbox_release(query);
}

enum { FLOOD = 100000 };

TEST(a_flood_of_queries_does_not_delay_a_command)
{
    struct bus_news query = command_of("t/reply/flood", 0);
    struct bus_news command = command_of("t/reply/honest", 1);
    struct inbox inbox = {0};
    size_t kept = 0;

    for (unsigned i = 0; i < FLOOD; i++) {
        inbox_put_query(&inbox, &query);
    }
    assert_false(inbox_has_news(&inbox));
    inbox_put(&inbox, &command);
    take_of(&inbox, "t/reply/honest", 1);
    while (inbox_has_query(&inbox)) {
        take_query_of(&inbox, "t/reply/flood");
        kept++;
    }
    assert_in_range(kept, 2, INBOX_QUERY_BYTES_MAX / sizeof query);
}

/* Whoever it is: whatever the checksum of a name is, two senders do not share a lane. */
TEST(a_flood_of_commands_does_not_delay_any_other_sender)
{
    for (unsigned i = 0; i < 8 * INBOX_LANES; i++) {
        char sender[32];
        struct inbox inbox = {0};
        snprintf(sender, sizeof sender, "t/reply/honest-%u", i);
        know(&inbox, sender);
        for (uint32_t j = 0; j < 2 * INBOX_CROWD; j++) {
            struct bus_news command = command_of("t/reply/flood", j);
            inbox_put(&inbox, &command);
        }
        struct bus_news command = command_of(sender, i);
        inbox_put(&inbox, &command);
        assert_false(take_of(&inbox, sender, i));
        inbox_clear(&inbox);
    }
}

TEST(a_flood_of_commands_delays_and_displaces_those_of_its_sender_only)
{
    struct inbox inbox = {0};
    uint32_t taken = 0;

    know(&inbox, "t/reply/flood");
    know(&inbox, "t/reply/honest");
    for (uint32_t i = 0; i < FLOOD; i++) {
        struct bus_news command = command_of("t/reply/flood", i);
        inbox_put(&inbox, &command);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct bus_news command = command_of("t/reply/honest", i);
        inbox_put(&inbox, &command);
    }
    assert_false(inbox_is_crowded(&inbox));
    assert_false(take_of(&inbox, "t/reply/honest", 0));
    assert_false(take_of(&inbox, "t/reply/honest", 1));
    assert_true(inbox_is_crowded(&inbox));
    while (take_of(&inbox, "t/reply/flood", taken)) {
        taken++;
    }
    for (unsigned i = 1; i < INBOX_CROWD; i++) {
        assert_false(take_of(&inbox, "t/reply/flood", ++taken));
    }
    assert_in_range(taken, INBOX_CROWD, INBOX_LANE_BYTES_MAX / sizeof(struct bus_news));
    assert_false(inbox_has_news(&inbox));
}

/* Each message under another name, which fills all lanes but those of known senders. */
static void flood_under_many_names(struct inbox *inbox, bool with_queries)
{
    for (uint32_t i = 0; i < FLOOD; i++) {
        char sender[32];
        snprintf(sender, sizeof sender, "t/reply/flood-%u", i);
        struct bus_news message = command_of(sender, i);
        if (with_queries) {
            inbox_put_query(inbox, &message);
        } else {
            inbox_put(inbox, &message);
        }
    }
}

TEST(a_flood_under_many_names_does_not_delay_or_displace_who_was_heard_before_it)
{
    struct bus_news command = command_of("t/reply/honest", 1);
    struct inbox inbox = {0};

    know(&inbox, "t/reply/honest");
    flood_under_many_names(&inbox, false);
    inbox_put(&inbox, &command);
    assert_false(take_of(&inbox, "t/reply/honest", 1));
    for (unsigned i = 0; i < 100; i++) {
        inbox_release(inbox_take(&inbox)); /* none of them becomes known */
    }
    flood_under_many_names(&inbox, false);
    inbox_put(&inbox, &command);
    assert_false(take_of(&inbox, "t/reply/honest", 1));
    inbox_clear(&inbox);
}

TEST(a_flood_of_queries_under_many_names_leaves_who_was_heard_before_it_its_turn)
{
    struct bus_news query = command_of("t/reply/honest", 1);
    struct inbox inbox = {0};
    bool is_taken = false;

    inbox_put_query(&inbox, &query);
    take_query_of(&inbox, "t/reply/honest");
    flood_under_many_names(&inbox, true);
    inbox_put_query(&inbox, &query);
    for (unsigned i = 0; i <= INBOX_STRANGERS && !is_taken; i++) {
        struct bus_news *taken = inbox_take_query(&inbox);
        is_taken = strcmp(taken->response_topic, "t/reply/honest") == 0;
        inbox_release(taken);
    }
    assert_true(is_taken);
    inbox_clear(&inbox);
}

/* A reply to it is the first that is dropped. */
TEST(an_unknown_sender_counts_as_crowded)
{
    struct bus_news command = command_of("t/reply/new", 1);
    struct inbox inbox = {0};

    inbox_put(&inbox, &command);
    assert_true(take_of(&inbox, "t/reply/new", 1));
    inbox_put(&inbox, &command);
    assert_false(take_of(&inbox, "t/reply/new", 1));
}

TEST(the_known_sender_that_was_heard_longest_ago_gives_way)
{
    struct bus_news first = command_of("t/reply/first", 1);
    struct inbox inbox = {0};

    for (uint32_t i = 0; i < 2 * INBOX_KNOWN; i++) {
        char sender[32];
        snprintf(sender, sizeof sender, "t/reply/%u", i);
        struct bus_news command = command_of(sender, i);
        inbox_put(&inbox, &command);
        take_of(&inbox, sender, i);
        inbox_put(&inbox, &first); /* it is heard again and again */
        take_of(&inbox, "t/reply/first", 1);
    }
    flood_under_many_names(&inbox, false);
    inbox_put(&inbox, &first);
    take_of(&inbox, "t/reply/first", 1);
    struct bus_news gone = command_of("t/reply/0", 1);
    inbox_put(&inbox, &gone);
    struct bus_news *taken = inbox_take(&inbox);
    assert_string_not_equal(taken->response_topic, "t/reply/0");
    inbox_release(taken);
    inbox_clear(&inbox);
}

/* Two thirds of the edges are of line a: it would be crowded before line b. */
TEST(simulated_edges_of_several_lines_keep_their_order_however_many_wait)
{
    static const char *const topics[] = {"t/den/sim/rope/a", "t/den/sim/rope/b",
                                         "t/den/sim/rope/a"};
    struct inbox inbox = {0};

    for (unsigned i = 0; i < 4 * INBOX_CROWD; i++) {
        struct bus_news edge = {.kind = BUS_MESSAGE, .topic = topics[i % 3], .payload = "1"};
        inbox_put(&inbox, &edge);
    }
    for (unsigned i = 0; i < 4 * INBOX_CROWD; i++) {
        struct bus_news *news = inbox_take(&inbox);
        assert_string_equal(news->topic, topics[i % 3]);
        inbox_release(news);
    }
}

TEST(a_flood_of_commands_without_a_response_topic_does_not_delay_sensors)
{
    struct bus_news aim = {.kind = BUS_MESSAGE, .topic = "t/den/command/aim", .payload = ""};
    struct bus_news fall = {.kind = BUS_MESSAGE, .topic = "zigbee2mqtt/blue-1", .payload = ""};
    struct inbox inbox = {0};

    for (unsigned i = 0; i < FLOOD; i++) {
        inbox_put(&inbox, &aim);
    }
    inbox_put(&inbox, &fall);
    struct bus_news *news = inbox_take(&inbox);
    assert_string_equal(news->topic, fall.topic);
    inbox_release(news);
    inbox_clear(&inbox);
}

TEST(commands_of_several_senders_come_in_the_order_of_their_arrival)
{
    static const char *const senders[] = {"t/reply/anna", "t/reply/ben", "t/reply/cleo"};
    struct inbox inbox = {0};

    for (uint32_t i = 0; i < INBOX_CROWD; i++) {
        struct bus_news command = command_of(senders[i * i % 3], i);
        inbox_put(&inbox, &command);
    }
    for (uint32_t i = 0; i < INBOX_CROWD; i++) {
        take_of(&inbox, senders[i * i % 3], i);
    }
}

TEST(queries_of_several_senders_are_taken_in_turn)
{
    static const char *const senders[] = {"t/reply/flood", "t/reply/anna"};
    struct inbox inbox = {0};
    unsigned of_anna = 0;

    for (unsigned i = 0; i < 12; i++) {
        struct bus_news query = command_of(senders[i >= 10], i);
        inbox_put_query(&inbox, &query);
    }
    for (unsigned i = 0; i < 4; i++) {
        struct bus_news *query = inbox_take_query(&inbox);
        of_anna += strcmp(query->response_topic, senders[1]) == 0;
        inbox_release(query);
    }
    assert_int_equal(of_anna, 2);
    inbox_clear(&inbox);
    assert_false(inbox_has_query(&inbox));
}

TEST(everything_is_bounded_and_acknowledgements_are_neither_lost_nor_delayed)
{
    static char payload[INBOX_PAYLOAD_MAX];
    struct inbox inbox = {0};
    size_t kept = 0;

    for (unsigned i = 0; i < 4 * INBOX_LANES * INBOX_LANE_BYTES_MAX / INBOX_PAYLOAD_MAX; i++) {
        char sender[32];
        snprintf(sender, sizeof sender, "t/reply/%u", i % 1000);
        struct bus_news message = command_of(sender, i);
        message.payload = payload;
        message.size = sizeof payload;
        inbox_put(&inbox, &message);
    }
    inbox_put(&inbox, &(struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = 7});
    struct bus_news *news = inbox_take(&inbox);
    assert_int_equal(news->kind, BUS_ACKNOWLEDGED);
    inbox_release(news);
    for (news = inbox_take(&inbox); news; news = inbox_take(&inbox)) {
        kept += news->size;
        inbox_release(news);
    }
    enum { ALL = INBOX_STRANGERS * INBOX_LANE_BYTES_MAX };
    assert_in_range(kept, ALL / 2, ALL);
}

TEST(news_comes_out_in_the_order_in_which_it_was_put_in)
{
    struct inbox inbox = {0};

    for (uint32_t token = 1; token <= 3; token++) {
        inbox_put(&inbox, &(struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = token});
    }
    for (uint32_t token = 1; token <= 2; token++) {
        struct bus_news *news = inbox_take(&inbox);
        assert_int_equal(news->token, token);
        inbox_release(news);
    }
    inbox_clear(&inbox);
    assert_null(inbox_take(&inbox));
}
