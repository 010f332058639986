/* How a connection to the broker begins and ends. */
#include "mqtt_trial.h"

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

    refuse_version_5(trial);
    take_peer_with(trial, V3_1_1);
    trial_send(trial, accepted, sizeof accepted);
    then_heard(trial, BUS_CONNECTED, NULL);
}

static void a_broker_that_refuses_version_5_is_asked_again_at_once_with_3_1_1(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    let_in_with_3_1_1(&trial);
    trial_end(&trial);
}

static void a_broker_that_was_old_is_asked_for_version_5_after_every_connection(void **state)
{
    static const uint8_t accepted[] = {0x20, 3, 0, 0, 0};
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    let_in_with_3_1_1(&trial);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    let_in_with_3_1_1(&trial);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    take_peer_with(&trial, V5);
    trial_send(&trial, accepted, sizeof accepted);
    then_heard(&trial, BUS_CONNECTED, NULL);
    trial_end(&trial);
}

/* It was not let in, so nothing new is known of the broker. */
static void a_broker_that_is_old_and_does_not_let_us_in_is_asked_for_3_1_1_again(void **state)
{
    struct trial trial;

    (void)state;
    trial_begin_alone(&trial);
    refuse_version_5(&trial);
    take_peer_with(&trial, V3_1_1);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "trying again");
    take_peer_with(&trial, V3_1_1);
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

static void a_broker_that_hangs_up_instead_of_an_answer_is_told(void **state)
{
    struct trial trial;
    uint8_t body[PACKET_SIZE];

    (void)state;
    trial_begin_alone(&trial);
    trial_take_peer(&trial, body);
    close(trial.peer);
    then_heard(&trial, BUS_DISCONNECTED, "closed by the broker before it answered");
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
        cmocka_unit_test(a_broker_that_was_old_is_asked_for_version_5_after_every_connection),
        cmocka_unit_test(a_broker_that_is_old_and_does_not_let_us_in_is_asked_for_3_1_1_again),
        cmocka_unit_test(a_broker_that_never_answers_is_given_up),
        cmocka_unit_test(a_broker_that_hangs_up_instead_of_an_answer_is_told),
        cmocka_unit_test(a_broker_that_says_goodbye_is_heard_at_once_with_its_reason),
    };

    signal(SIGPIPE, SIG_IGN); /* as the daemon does: the library writes to peers that have gone */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
