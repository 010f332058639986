/* The ring between the sensor thread and the one that takes its facts. */
#include "rig.h"

#include "hw/queue.h"

#include <string.h>

static struct queue queue; /* large; emptied by each test */
static struct fact taken[QUEUE_SIZE];

static int empty_queue(void **state)
{
    (void)state;
    memset(&queue, 0, sizeof queue);
    return 0;
}

static bool push(enum fact_kind kind, unsigned sensor, uint64_t at_us)
{
    return queue_push(&queue,
                      &(struct fact){.kind = kind, .sensor = (uint16_t)sensor, .at_us = at_us});
}

TEST_EACH(empty_queue, NULL)

TEST(facts_come_out_in_order_a_few_at_a_time)
{
    uint64_t in = 0;
    uint64_t out = 0;

    for (unsigned round = 0; round < 1000; round++) {
        for (unsigned i = 0; i < 7; i++) {
            assert_true(push(FACT_TOPPLED, SENSOR_TILT + 1, in++));
        }
        assert_int_equal(queue_take(&queue, taken, 7), 7);
        for (unsigned i = 0; i < 7; i++) {
            assert_int_equal(taken[i].at_us, out++);
        }
    }
    assert_int_equal(queue_take(&queue, taken, 7), 0);
}

TEST(only_the_latest_reading_of_a_full_queue_is_kept)
{
    assert_true(push(FACT_BALL_LEFT, SENSOR_CANNON_BEAM, 1));
    for (uint64_t i = 0; i < 100000; i++) {
        assert_true(push(FACT_ROPE_AT, SENSOR_ROPE_A, i));
    }
    assert_true(push(FACT_ROPE_PRESSED, SENSOR_ROPE_BUTTON, 2));
    size_t count = queue_take(&queue, taken, QUEUE_SIZE);
    assert_int_equal(taken[0].kind, FACT_BALL_LEFT);
    assert_int_equal(taken[count - 2].kind, FACT_ROPE_AT);
    assert_int_equal(taken[count - 2].at_us, 99999);
    assert_int_equal(taken[count - 1].kind, FACT_ROPE_PRESSED);
}

TEST(readings_of_all_sensors_always_find_room)
{
    unsigned kept = 0;
    unsigned latest = 0;

    while (push(FACT_TOPPLED, SENSOR_TILT + 1, kept)) {
        kept++;
    }
    assert_true(kept >= 800);
    for (unsigned round = 0; round < 50; round++) {
        for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
            assert_true(push(FACT_SENSED, sensor, round));
            assert_true(push(FACT_HEALTH, sensor, round));
        }
        assert_true(push(FACT_ROPE_AT, SENSOR_ROPE_A, round));
    }
    size_t count = queue_take(&queue, taken, QUEUE_SIZE);
    for (unsigned i = 0; i < kept; i++) {
        assert_int_equal(taken[i].kind, FACT_TOPPLED);
        assert_int_equal(taken[i].at_us, i);
    }
    for (size_t i = kept; i < count; i++) {
        latest += taken[i].at_us == 49;
    }
    assert_int_equal(latest, 2 * (SENSOR_COUNT - 1) + 1);
}

TEST(a_game_fact_too_many_is_refused_and_fits_again_later)
{
    while (push(FACT_HIT, SENSOR_BEAM + 1, 0)) {
    }
    assert_false(push(FACT_BALL_LEFT, SENSOR_CANNON_BEAM, 1));
    assert_int_equal(queue_take(&queue, taken, 1), 1);
    assert_true(push(FACT_BALL_LEFT, SENSOR_CANNON_BEAM, 1));
}

TEST(a_kind_can_be_dropped_and_the_others_stay_in_order)
{
    push(FACT_TOPPLED, SENSOR_TILT + 1, 1);
    push(FACT_ROPE_AT, SENSOR_ROPE_A, 2);
    push(FACT_TOPPLED, SENSOR_TILT + 2, 3);
    push(FACT_ROPE_AT, SENSOR_ROPE_A, 4);
    queue_drop(&queue, FACT_ROPE_AT);
    assert_int_equal(queue_take(&queue, taken, QUEUE_SIZE), 2);
    assert_int_equal(taken[0].at_us, 1);
    assert_int_equal(taken[1].at_us, 3);
}
