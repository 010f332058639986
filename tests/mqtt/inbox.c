/* What was heard and waits to be taken, without a broker. */
#include "mqtt/inbox.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static void a_reply_address_that_is_too_long_is_none(void **state)
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

    (void)state;
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

static void a_message_with_a_topic_that_is_too_long_is_dropped(void **state)
{
    static char topic[INBOX_TOPIC_MAX + 2];
    struct inbox inbox = {0};

    (void)state;
    memset(topic, 'x', INBOX_TOPIC_MAX + 1);
    inbox_put(&inbox, &(struct bus_news){.kind = BUS_MESSAGE, .topic = topic, .payload = ""});
    assert_true(inbox_is_empty(&inbox));
}

/* Whatever came before it, an acknowledgement is never dropped. */
static void all_messages_together_are_bounded_and_acknowledgements_are_not_lost(void **state)
{
    static char payload[INBOX_PAYLOAD_MAX];
    struct inbox inbox = {0};
    size_t kept = 0;

    (void)state;
    for (unsigned i = 0; i < 2 * INBOX_BYTES_MAX / INBOX_PAYLOAD_MAX; i++) {
        inbox_put(&inbox, &(struct bus_news){.kind = BUS_MESSAGE,
                                             .topic = "t/command/undo",
                                             .payload = payload,
                                             .size = sizeof payload});
    }
    inbox_put(&inbox, &(struct bus_news){.kind = BUS_ACKNOWLEDGED, .token = 7});
    struct bus_news *news = inbox_take(&inbox);
    for (; news->kind == BUS_MESSAGE; news = inbox_take(&inbox)) {
        kept += news->size;
        inbox_release(news);
    }
    assert_in_range(kept, INBOX_BYTES_MAX / 2, INBOX_BYTES_MAX);
    assert_int_equal(news->token, 7);
    inbox_release(news);
    assert_int_equal(inbox.bytes, 0);
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
        cmocka_unit_test(a_reply_address_that_is_too_long_is_none),
        cmocka_unit_test(a_message_with_a_topic_that_is_too_long_is_dropped),
        cmocka_unit_test(all_messages_together_are_bounded_and_acknowledgements_are_not_lost),
        cmocka_unit_test(news_comes_out_in_the_order_in_which_it_was_put_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
