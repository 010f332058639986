/* What the broker has not acknowledged yet, counted without a broker. */
#include "tests/support/test.h"

#include "mqtt/in_flight.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Two of these fill the room for answers. */
static struct publication half_of_the_answers(void)
{
    return (struct publication){
        .topic = "t/reply",
        .size = IN_FLIGHT_REPLY_BYTES_MAX / 2 - IN_FLIGHT_OVERHEAD - strlen("t/reply"),
        .qos = 1,
    };
}

TEST(room_for_answers_is_measured_in_bytes_too_and_comes_back)
{
    static struct in_flight in_flight;
    struct publication half = half_of_the_answers();

    in_flight_begin(&in_flight, &half, 1);
    assert_true(in_flight_has_room(&in_flight, &half));
    in_flight_begin(&in_flight, &half, 2);
    assert_false(in_flight_has_room(&in_flight, &half));
    half.retain = true;
    assert_true(in_flight_has_room(&in_flight, &half));
    half.retain = false;
    assert_int_equal(in_flight_end(&in_flight, 1), 0);
    assert_true(in_flight_has_room(&in_flight, &half));
}

TEST(topic_and_correlation_data_take_room_too)
{
    static struct in_flight in_flight;
    struct publication half = half_of_the_answers();

    in_flight_begin(&in_flight, &half, 1);
    half.topic = "t/reply/";
    assert_false(in_flight_has_room(&in_flight, &half));
    half.topic = "t/reply";
    half.correlation_size = 1;
    assert_false(in_flight_has_room(&in_flight, &half));
    half.correlation_size = 0;
    assert_true(in_flight_has_room(&in_flight, &half));
}

TEST(all_that_is_on_its_way_is_bounded_in_bytes)
{
    static struct in_flight in_flight;
    struct publication half = half_of_the_answers();
    int sent = 0;

    half.retain = true;
    while (in_flight_has_room(&in_flight, &half)) {
        in_flight_begin(&in_flight, &half, ++sent);
    }
    assert_int_equal(sent, IN_FLIGHT_BYTES_MAX / (IN_FLIGHT_REPLY_BYTES_MAX / 2));
    in_flight_end(&in_flight, 1);
    assert_true(in_flight_has_room(&in_flight, &half));
}

TEST(replies_to_a_flood_leave_room_for_others)
{
    static struct in_flight in_flight;
    struct publication reply = {.topic = "t/reply", .size = 2, .qos = 1, .is_crowded = true};
    int sent = 0;

    while (in_flight_has_room(&in_flight, &reply)) {
        in_flight_begin(&in_flight, &reply, ++sent);
    }
    assert_int_equal(sent, IN_FLIGHT_CROWDED_MAX);
    reply.is_crowded = false;
    assert_true(in_flight_has_room(&in_flight, &reply));
}

TEST(an_acknowledgement_gives_its_token_back_once)
{
    static struct in_flight in_flight;

    in_flight_begin(&in_flight,
                    &(struct publication){.topic = "t", .size = 2, .qos = 1, .token = 7}, 3);
    assert_int_equal(in_flight_end(&in_flight, 4), 0);
    assert_int_equal(in_flight_end(&in_flight, 3), 7);
    assert_int_equal(in_flight_end(&in_flight, 3), 0);
}

/* Sends while there is room, and not more than a full table takes. How many it has sent. */
static unsigned send_while_there_is_room(struct in_flight *in_flight, const struct publication *it)
{
    unsigned sent = 0;

    while (sent <= IN_FLIGHT_MAX && in_flight_has_room(in_flight, it)) {
        in_flight_begin(in_flight, it, (int)in_flight->count + 1);
        sent++;
    }
    return sent;
}

TEST(answers_find_no_room_in_a_table_that_others_have_filled)
{
    enum { OTHERS = 300 }; /* more than are kept free of answers */
    const struct publication retained = {.topic = "t", .size = 2, .qos = 1, .retain = true};
    const struct publication answer = {.topic = "t", .size = 2, .qos = 1};
    static struct in_flight in_flight;

    for (int mid = 1; mid <= OTHERS; mid++) {
        assert_true(in_flight_has_room(&in_flight, &retained));
        in_flight_begin(&in_flight, &retained, mid);
    }
    assert_int_equal(send_while_there_is_room(&in_flight, &answer), IN_FLIGHT_MAX - OTHERS);
    assert_false(in_flight_has_room(&in_flight, &retained));
    in_flight_end(&in_flight, 1);
    assert_true(in_flight_has_room(&in_flight, &answer));
}
