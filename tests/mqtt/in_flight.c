/* What the broker has not acknowledged yet, counted without a broker. */
#include "mqtt/in_flight.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

/* Two of these fill the room for answers. */
static struct publication half_of_the_answers(void)
{
    return (struct publication){
        .topic = "t/reply",
        .size = IN_FLIGHT_REPLY_BYTES_MAX / 2 - IN_FLIGHT_OVERHEAD - strlen("t/reply"),
        .qos = 1,
    };
}

static void room_for_answers_is_measured_in_bytes_too_and_comes_back(void **state)
{
    static struct in_flight in_flight;
    struct publication half = half_of_the_answers();

    (void)state;
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

static void topic_and_correlation_data_take_room_too(void **state)
{
    static struct in_flight in_flight;
    struct publication half = half_of_the_answers();

    (void)state;
    in_flight_begin(&in_flight, &half, 1);
    half.topic = "t/reply/";
    assert_false(in_flight_has_room(&in_flight, &half));
    half.topic = "t/reply";
    half.correlation_size = 1;
    assert_false(in_flight_has_room(&in_flight, &half));
    half.correlation_size = 0;
    assert_true(in_flight_has_room(&in_flight, &half));
}

static void all_that_is_on_its_way_is_bounded_in_bytes(void **state)
{
    static struct in_flight in_flight;
    struct publication half = half_of_the_answers();
    int sent = 0;

    (void)state;
    half.retain = true;
    while (in_flight_has_room(&in_flight, &half)) {
        in_flight_begin(&in_flight, &half, ++sent);
    }
    assert_int_equal(sent, IN_FLIGHT_BYTES_MAX / (IN_FLIGHT_REPLY_BYTES_MAX / 2));
    in_flight_end(&in_flight, 1);
    assert_true(in_flight_has_room(&in_flight, &half));
}

static void an_acknowledgement_gives_its_token_back_once(void **state)
{
    static struct in_flight in_flight;

    (void)state;
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

static void answers_find_no_room_in_a_table_that_others_have_filled(void **state)
{
    enum { OTHERS = 300 }; /* more than are kept free of answers */
    const struct publication retained = {.topic = "t", .size = 2, .qos = 1, .retain = true};
    const struct publication answer = {.topic = "t", .size = 2, .qos = 1};
    static struct in_flight in_flight;

    (void)state;
    for (int mid = 1; mid <= OTHERS; mid++) {
        assert_true(in_flight_has_room(&in_flight, &retained));
        in_flight_begin(&in_flight, &retained, mid);
    }
    assert_int_equal(send_while_there_is_room(&in_flight, &answer), IN_FLIGHT_MAX - OTHERS);
    assert_false(in_flight_has_room(&in_flight, &retained));
    in_flight_end(&in_flight, 1);
    assert_true(in_flight_has_room(&in_flight, &answer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_for_answers_is_measured_in_bytes_too_and_comes_back),
        cmocka_unit_test(topic_and_correlation_data_take_room_too),
        cmocka_unit_test(all_that_is_on_its_way_is_bounded_in_bytes),
        cmocka_unit_test(an_acknowledgement_gives_its_token_back_once),
        cmocka_unit_test(answers_find_no_room_in_a_table_that_others_have_filled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
