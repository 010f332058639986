/* When a node sent a message, by our clock. */
#include "stage.h"
#include "table/nodes.h"

/* The clock of the node is slower than ours by 100 ppm, so that its messages seem to be late. */
TEST(the_clock_of_a_node_may_drift)
{
    static struct node_message message = {.boot = "a1f3", .number = 1};
    const uint64_t late_us = FAKE_SECOND_US / 2;
    struct node node = {0};
    uint64_t now_us = FAKE_SECOND_US;

    assert_int_equal(node_accept(&node, &message, now_us), NODE_BOOTED);
    message.number = 2;
    message.sent_us = 1000 * FAKE_SECOND_US - FAKE_SECOND_US / 10;
    now_us += 1000 * FAKE_SECOND_US;
    assert_int_equal(node_accept(&node, &message, now_us), NODE_NEXT);
    assert_int_equal(node_sent_us(&node, &message, now_us, late_us), now_us);
    message.number = 3;
    now_us += late_us / 2; /* which is how late this one is */
    assert_int_equal(node_accept(&node, &message, now_us), NODE_NEXT);
    assert_in_range(node_sent_us(&node, &message, now_us, late_us), now_us - late_us / 2,
                    now_us - late_us / 2 + 100);
}
