/* How a connection to the broker begins and ends. */
#include "trial.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum {
    TIMER_MS = 10000, /* between two looks of the client whether the broker is still there */
    V3_1_1 = 4,
    V5 = 5,
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The client comes and wants this version of MQTT. */
static void take_peer_with(struct trial *trial, uint8_t version)
{
    enum { AT_VERSION = 6 };
    uint8_t body[PACKET_SIZE];

    trial_take_peer(trial, body);
    assert_int_equal(body[AT_VERSION], version);
}

/* The client comes with this version, and the connection is closed without an answer. */
static void close_on(struct trial *trial, uint8_t version)
{
    take_peer_with(trial, version);
    close(trial->peer);
}

static void refuse_version_5(struct trial *trial)
{
    static const uint8_t unacceptable[] = {0x20, 2, 0, 1};

    take_peer_with(trial, V5);
    trial_send(trial, unacceptable, sizeof unacceptable);
    close(trial->peer);
}

static void let_in_with_3_1_1(struct trial *trial)
{
    static const uint8_t accepted[] = {0x20, 2, 0, 0};

    take_peer_with(trial, V3_1_1);
    trial_send(trial, accepted, sizeof accepted);
    then_heard(trial, BUS_CONNECTED, "MQTT 3.1.1");
}

static void let_in_with_5(struct trial *trial)
{
    static const uint8_t accepted[] = {0x20, 3, 0, 0, 0};

    take_peer_with(trial, V5);
    trial_send(trial, accepted, sizeof accepted);
    then_heard(trial, BUS_CONNECTED, "MQTT 5");
}

static void a_broker_that_refuses_version_5_is_asked_again_at_once_with_3_1_1(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    refuse_version_5(&trial);
    let_in_with_3_1_1(&trial);
    trial_end(&trial);
}

/* RabbitMQ before 3.13. */
static void a_broker_that_closes_on_version_5_is_asked_again_at_once_with_3_1_1(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    close_on(&trial, V5);
    let_in_with_3_1_1(&trial);
    trial_end(&trial);
}

static void every_lost_connection_is_followed_by_version_5(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    refuse_version_5(&trial);
    let_in_with_3_1_1(&trial);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    let_in_with_5(&trial);
    trial_end(&trial);
}

static void the_versions_alternate_until_one_connects(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    refuse_version_5(&trial);
    close_on(&trial, V3_1_1);
    then_heard(&trial, BUS_DISCONNECTED, "closed by the broker before it answered, trying again");
    close_on(&trial, V5);
    close_on(&trial, V3_1_1);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    let_in_with_5(&trial);
    trial_end(&trial);
}

static void a_login_that_is_refused_is_no_question_of_the_version(void **state)
{
    static const uint8_t not_authorized[] = {0x20, 3, 0, 0x87, 0};
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    take_peer_with(&trial, V5);
    trial_send(&trial, not_authorized, sizeof not_authorized);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "refused: Not authorized, trying again");
    let_in_with_5(&trial);
    trial_end(&trial);
}

static void three_connections_that_end_alike_make_a_hint(void **state)
{
    static const uint8_t taken_over[] = {0xE0, 2, 0x8E, 0};
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    let_in_with_5(&trial);
    trial_send(&trial, taken_over, sizeof taken_over);
    then_heard(&trial, BUS_DISCONNECTED, "Session taken over, trying again");
    close(trial.peer);
    for (unsigned i = 0; i < 3; i++) {
        let_in_with_5(&trial);
        close(trial.peer);
        then_heard(&trial, BUS_DISCONNECTED, "trying again");
    }
    then_heard(&trial, BUS_REFUSED, "it ends connections that it has accepted");
    trial_end(&trial);
}

static void a_broker_that_never_answers_is_given_up(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    trial_begin_alone(&trial);
    trial_take_peer(&trial, body);
    then_heard(&trial, BUS_DISCONNECTED, "no answer");
    trial_end(&trial);
}

/* Its end of the socket stays open: only the packet tells. */
static void a_broker_that_says_goodbye_is_heard_at_once_with_its_reason(void **state)
{
    static const uint8_t shutting_down[] = {0xE0, 2, 0x8B, 0};
    struct trial trial;

    (void)state;
    trial_begin(&trial);
    then_heard(&trial, BUS_CONNECTED, NULL);
    int64_t said_ms = now_ms();
    trial_send(&trial, shutting_down, sizeof shutting_down);
    then_heard(&trial, BUS_DISCONNECTED, "closed by the broker: Server shutting down, trying");
    assert_in_range(now_ms() - said_ms, 0, TIMER_MS / 2);
    assert_int_equal(trial_publish(&trial, 1), -ENOTCONN);
    trial_end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broker_that_refuses_version_5_is_asked_again_at_once_with_3_1_1),
        cmocka_unit_test(a_broker_that_closes_on_version_5_is_asked_again_at_once_with_3_1_1),
        cmocka_unit_test(every_lost_connection_is_followed_by_version_5),
        cmocka_unit_test(the_versions_alternate_until_one_connects),
        cmocka_unit_test(a_login_that_is_refused_is_no_question_of_the_version),
        cmocka_unit_test(three_connections_that_end_alike_make_a_hint),
        cmocka_unit_test(a_broker_that_never_answers_is_given_up),
        cmocka_unit_test(a_broker_that_says_goodbye_is_heard_at_once_with_its_reason),
    };

    signal(SIGPIPE, SIG_IGN); /* as the daemon does: the library writes to peers that have gone */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
