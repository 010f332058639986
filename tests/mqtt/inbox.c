/* What was heard and waits to be taken, without a broker. */
#include "tests/support/test.h"

#include "mqtt/inbox.h"

#include <stdio.h>
#include <string.h>

static struct inbox inbox;

static int empty(void **state)
{
    (void)state;
    inbox_clear(&inbox);
    inbox = (struct inbox){0};
    return 0;
}

TEST_EACH(NULL, empty)

/* Takes a message and checks its topic. */
static void take_topic(const char *topic)
{
    struct bus_news *news = inbox_take(&inbox);

    assert_non_null(news);
    assert_string_equal(news->topic, topic);
    inbox_release(news);
}

TEST(of_a_huge_message_only_so_much_is_kept_that_it_can_be_refused)
{
    static char payload[10 * INBOX_PAYLOAD_MAX];

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

static void put(const char *sender, uint32_t number)
{
    struct bus_news command = command_of(sender, number);

    inbox_put(&inbox, &command);
}

static void put_query(const char *sender)
{
    struct bus_news query = command_of(sender, 0);

    inbox_put_query(&inbox, &query);
}

/* As if it had been heard before. */
static void know(const char *sender)
{
    put(sender, 0);
    inbox_release(inbox_take(&inbox));
}

/* Takes a message and checks whose it is; returns whether its sender is crowded. */
static bool take_of(const char *sender, uint32_t number)
{
    struct bus_news *news = inbox_take(&inbox);

    assert_non_null(news);
    assert_string_equal(news->response_topic, sender);
    assert_int_equal(news->token, number);
    bool is_crowded = news->is_crowded;
    inbox_release(news);
    return is_crowded;
}

/* Takes a query; returns whether it is of that sender. */
static bool takes_query_of(const char *sender)
{
    struct bus_news *query = inbox_take_query(&inbox);

    assert_non_null(query);
    bool is_of_sender = strcmp(query->response_topic, sender) == 0;
    inbox_release(query);
    return is_of_sender;
}

enum { FLOOD = 100000 };

TEST(a_flood_of_queries_does_not_delay_a_command)
{
    size_t kept = 0;

    for (unsigned i = 0; i < FLOOD; i++) {
        put_query("t/reply/flood");
    }
    assert_false(inbox_has_news(&inbox));
    put("t/reply/honest", 1);
    take_of("t/reply/honest", 1);
    while (inbox_has_query(&inbox)) {
        assert_true(takes_query_of("t/reply/flood"));
        kept++;
    }
    assert_in_range(kept, 2, INBOX_QUERY_BYTES_MAX / sizeof(struct bus_news));
}

/* Whoever it is: whatever the checksum of a name is, two senders do not share a lane. */
TEST(a_flood_of_commands_does_not_delay_any_other_sender)
{
    for (unsigned i = 0; i < 8 * INBOX_LANES; i++) {
        char sender[32];
        snprintf(sender, sizeof sender, "t/reply/honest-%u", i);
        know(sender);
        for (uint32_t j = 0; j < 2 * INBOX_CROWD; j++) {
            put("t/reply/flood", j);
        }
        put(sender, i);
        assert_false(take_of(sender, i));
        empty(NULL); /* nobody is known any more */
    }
}

TEST(a_flood_of_commands_delays_and_displaces_those_of_its_sender_only)
{
    uint32_t taken = 0;

    know("t/reply/flood");
    know("t/reply/honest");
    for (uint32_t i = 0; i < FLOOD; i++) {
        put("t/reply/flood", i);
    }
    for (uint32_t i = 0; i < 2; i++) {
        put("t/reply/honest", i);
    }
    assert_false(inbox_is_crowded(&inbox));
    assert_false(take_of("t/reply/honest", 0));
    assert_false(take_of("t/reply/honest", 1));
    assert_true(inbox_is_crowded(&inbox));
    while (take_of("t/reply/flood", taken)) {
        taken++;
    }
    for (unsigned i = 1; i < INBOX_CROWD; i++) {
        assert_false(take_of("t/reply/flood", ++taken));
    }
    assert_in_range(taken, INBOX_CROWD, INBOX_LANE_BYTES_MAX / sizeof(struct bus_news));
    assert_false(inbox_has_news(&inbox));
}

/* Each message under another name, which fills all lanes but those of known senders. */
static void flood_under_many_names(bool with_queries)
{
    for (uint32_t i = 0; i < FLOOD; i++) {
        char sender[32];
        snprintf(sender, sizeof sender, "t/reply/flood-%u", i);
        if (with_queries) {
            put_query(sender);
        } else {
            put(sender, i);
        }
    }
}

TEST(a_flood_under_many_names_does_not_delay_or_displace_who_was_heard_before_it)
{
    know("t/reply/honest");
    for (unsigned times = 0; times < 2; times++) {
        flood_under_many_names(false);
        put("t/reply/honest", 1);
        assert_false(take_of("t/reply/honest", 1));
        for (unsigned i = 0; i < 100; i++) {
            inbox_release(inbox_take(&inbox)); /* none of them becomes known */
        }
    }
}

TEST(a_flood_of_queries_under_many_names_leaves_who_was_heard_before_it_its_turn)
{
    bool is_taken = false;

    put_query("t/reply/honest");
    assert_true(takes_query_of("t/reply/honest"));
    flood_under_many_names(true);
    put_query("t/reply/honest");
    for (unsigned i = 0; i <= INBOX_STRANGERS && !is_taken; i++) {
        is_taken = takes_query_of("t/reply/honest");
    }
    assert_true(is_taken);
}

/* A reply to it is the first that is dropped. */
TEST(an_unknown_sender_counts_as_crowded)
{
    put("t/reply/new", 1);
    assert_true(take_of("t/reply/new", 1));
    put("t/reply/new", 1);
    assert_false(take_of("t/reply/new", 1));
}

TEST(the_known_sender_that_was_heard_longest_ago_gives_way)
{
    for (uint32_t i = 0; i < 2 * INBOX_KNOWN; i++) {
        char sender[32];
        snprintf(sender, sizeof sender, "t/reply/%u", i);
        put(sender, i);
        take_of(sender, i);
        put("t/reply/first", 1); /* it is heard again and again */
        take_of("t/reply/first", 1);
    }
    flood_under_many_names(false);
    put("t/reply/first", 1);
    take_of("t/reply/first", 1);
    put("t/reply/0", 1);
    struct bus_news *taken = inbox_take(&inbox);
    assert_string_not_equal(taken->response_topic, "t/reply/0");
    inbox_release(taken);
}

/* Two thirds of the edges are of line a: it would be crowded before line b. */
TEST(simulated_edges_of_several_lines_keep_their_order_however_many_wait)
{
    static const char *const topics[] = {"t/den/sim/rope/a", "t/den/sim/rope/b",
                                         "t/den/sim/rope/a"};

    for (unsigned i = 0; i < 4 * INBOX_CROWD; i++) {
        struct bus_news edge = {.kind = BUS_MESSAGE, .topic = topics[i % 3], .payload = "1"};
        inbox_put(&inbox, &edge);
    }
    for (unsigned i = 0; i < 4 * INBOX_CROWD; i++) {
        take_topic(topics[i % 3]);
    }
}

TEST(a_flood_of_commands_without_a_response_topic_does_not_delay_sensors)
{
    struct bus_news aim = {.kind = BUS_MESSAGE, .topic = "t/den/command/aim", .payload = ""};
    struct bus_news fall = {.kind = BUS_MESSAGE, .topic = "zigbee2mqtt/blue-1", .payload = ""};

    for (unsigned i = 0; i < FLOOD; i++) {
        inbox_put(&inbox, &aim);
    }
    inbox_put(&inbox, &fall);
    take_topic(fall.topic);
}

TEST(commands_of_several_senders_come_in_the_order_of_their_arrival)
{
    static const char *const senders[] = {"t/reply/anna", "t/reply/ben", "t/reply/cleo"};

    for (uint32_t i = 0; i < INBOX_CROWD; i++) {
        put(senders[i * i % 3], i);
    }
    for (uint32_t i = 0; i < INBOX_CROWD; i++) {
        take_of(senders[i * i % 3], i);
    }
}

TEST(queries_of_several_senders_are_taken_in_turn)
{
    unsigned of_anna = 0;

    for (unsigned i = 0; i < 12; i++) {
        put_query(i < 10 ? "t/reply/flood" : "t/reply/anna");
    }
    for (unsigned i = 0; i < 4; i++) {
        of_anna += takes_query_of("t/reply/anna");
    }
    assert_int_equal(of_anna, 2);
    inbox_clear(&inbox);
    assert_false(inbox_has_query(&inbox));
}

TEST(everything_is_bounded_and_acknowledgements_are_neither_lost_nor_delayed)
{
    static char payload[INBOX_PAYLOAD_MAX];
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
