/* What was heard and waits to be taken, without a broker. */
#include "mqtt/inbox.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static void of_a_huge_message_only_so_much_is_kept_that_it_can_be_refused(void **state)
{
    static char payload[10 * INBOX_PAYLOAD_MAX];
    struct inbox inbox = {0};

    (void)state;
    inbox_put(&inbox, &(struct bus_news){.kind = BUS_MESSAGE,
                                         .topic = "t/command/undo",
                                         .payload = payload,
                                         .size = sizeof payload});
    struct bus_news *news = inbox_take(&inbox);
    assert_int_equal(news->size, INBOX_PAYLOAD_MAX);
    inbox_release(news);
    assert_true(inbox_is_empty(&inbox));
}

static void news_comes_out_in_the_order_in_which_it_was_put_in(void **state)
{
    struct inbox inbox = {0};

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_huge_message_only_so_much_is_kept_that_it_can_be_refused),
        cmocka_unit_test(news_comes_out_in_the_order_in_which_it_was_put_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
