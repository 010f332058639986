/* The broker: what is retained, what is sent again, and what a slow one gets. */
#include "stage.h"
#include "tests/support/fake_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static unsigned count_on(const struct stage *stage, const char *topic)
{
    unsigned count = 0;

    for (size_t i = stage->seen; i < fake_bus_count(stage->fake.bus); i++) {
        count += strcmp(fake_bus_message(stage->fake.bus, i)->topic, topic) == 0;
    }
    return count;
}

static void see_all(struct stage *stage)
{
    stage->seen = fake_bus_count(stage->fake.bus);
}

static void everything_retained_is_fresh_after_a_connect(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_table_disconnect(&stage.fake);
    say(&stage, "end-phase", "roll-move 2", "rope 1.5");
    see_all(&stage);
    fake_table_connect(&stage.fake);
    assert_string_equal(fake_bus_message(stage.fake.bus, stage.seen)->topic, FAKE_BASE "status");
    then_said(&stage, "event/phase-started 'seq':4", "event/move-rolled 'seq':5");
    then_retained(&stage, "status", "online");
    then_retained(&stage, "info", "'v':1 'backend':'sim'");
    then_retained(&stage, "state", "'seq':5 'die':2");
    then_retained(&stage, "score", "'seq':5");
    then_retained(&stage, "rope", "'knots':1.5 'left':2");
    stage_end(&stage);
}

static void hear_status(struct stage *stage, const char *status, bool retained)
{
    fake_table_message(&stage->fake, &(struct bus_news){.kind = BUS_MESSAGE,
                                                        .topic = FAKE_BASE "status",
                                                        .payload = status,
                                                        .size = strlen(status),
                                                        .retained = retained});
}

/* After a power cut the broker may notice the end of the old connection when the new one is up. */
static void a_last_will_that_comes_late_is_corrected(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    see_all(&stage);
    hear_status(&stage, "offline", true); /* from before this connection */
    hear_status(&stage, "online", false); /* its own */
    assert_int_equal(count_on(&stage, FAKE_BASE "status"), 0);
    hear_status(&stage, "offline", false);
    assert_int_equal(count_on(&stage, FAKE_BASE "status"), 1);
    then_retained(&stage, "status", "online");
    hear_status(&stage, "online", false);
    assert_int_equal(count_on(&stage, FAKE_BASE "status"), 1);
    assert_false(fake_log_has("another daemon"));
    stage_end(&stage);
}

static void another_daemon_of_the_same_name_is_logged_and_answered_once(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    see_all(&stage);
    hear_status(&stage, "online", false); /* its own */
    for (unsigned i = 0; i < 3; i++) {
        hear_status(&stage, "online", false);
    }
    assert_true(fake_log_has("another daemon uses the topics shipahoy/den/#"));
    assert_int_equal(count_on(&stage, FAKE_BASE "status"), 1);
    stage_end(&stage);
}

static void home_assistant_is_told_when_it_is_wanted(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    assert_null(fake_bus_retained(stage.fake.bus, "homeassistant/device/shipahoy-den/config"));
    stage_end(&stage);
    stage_begin(&stage, "[mqtt]\nhomeassistant = yes\n");
    assert_non_null(fake_bus_retained(stage.fake.bus, "homeassistant/device/shipahoy-den/config"));
    stage_end(&stage);
    stage_begin(&stage, "[mqtt]\nhomeassistant = yes\nprefix = clubs/north\n");
    then_has(fake_bus_retained(stage.fake.bus, "homeassistant/device/clubs-north-den/config"),
             "'identifiers':['clubs-north-den'] 'unique_id':'clubs-north-den-event'");
    stage_end(&stage);
}

static void what_was_acknowledged_does_not_come_again(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "end-phase");
    fake_table_disconnect(&stage.fake);
    see_all(&stage);
    fake_table_connect(&stage.fake);
    then_nothing_said(&stage);
    stage_end(&stage);
}

static void what_was_not_acknowledged_comes_again_to_the_letter(void **state)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_bus_set_faults(stage.fake.bus, &slow);
    say(&stage, "new-game", "ball-left");
    const char *event = fake_bus_message(stage.fake.bus, stage.seen)->payload;
    fake_bus_acknowledge(stage.fake.bus, 2, false);
    stage_restart(&stage);
    const char *again = NULL;
    for (size_t i = stage.seen; i < fake_bus_count(stage.fake.bus); i++) {
        const struct fake_message *message = fake_bus_message(stage.fake.bus, i);
        if (strcmp(message->topic, FAKE_BASE "event/shot-fired") == 0) {
            again = message->payload;
        }
    }
    assert_string_equal(again, event);
    stage_end(&stage);
}

/* What a lost connection had asked the disk for is not what the next one needs. */
static void a_connection_that_is_lost_while_a_game_is_loaded_loses_no_event(void **state)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct bus_news news;
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_table_disconnect(&stage.fake);
    say(&stage, "new-game", "abandon", "end-phase", "abandon");
    fake_bus_set_faults(stage.fake.bus, &slow);
    fake_bus_connect(stage.fake.bus);
    assert_true(fake_bus_take(stage.fake.bus, &news));
    table_news(stage.fake.table, &news);
    struct job *job = stage.fake.jobs[0];
    stage.fake.job_count = 0;
    job->work(job->self);
    job->done(job->self);
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started");
    assert_int_equal(stage.fake.job_count, 1); /* the second one is being loaded */
    fake_bus_set_faults(stage.fake.bus, NULL);
    fake_table_connect(&stage.fake);
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "event/game-started", "event/turn-started", "event/phase-started",
              "event/phase-started", "event/game-started", "event/turn-started",
              "event/phase-started");
    stage_end(&stage);
}

static void a_finished_game_that_cannot_be_read_is_tried_again_every_second(void **state)
{
    const struct fake_faults broken = {.fail_at = 1, .fail_count = 1, .fail_errno = 5};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_table_disconnect(&stage.fake);
    say(&stage, "new-game", "abandon");
    see_all(&stage);
    fake_disk_set_faults(stage.fake.disk, &broken);
    fake_table_connect(&stage.fake);
    then_nothing_said(&stage);
    fake_table_wait(&stage.fake, FAKE_SECOND_US);
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "event/game-started", "event/turn-started", "event/phase-started");
    stage_end(&stage);
}

static void a_slow_broker_gets_the_latest_state_and_not_all_of_them(void **state)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_bus_set_faults(stage.fake.bus, &slow);
    say(&stage, "wait 0"); /* from here on everything counts */
    for (unsigned i = 0; i < 10; i++) {
        fake_table_say(&stage.fake, i % 2 ? "aim red-1" : "aim red-2", "");
    }
    assert_int_equal(count_on(&stage, FAKE_BASE "state"), 1);
    assert_int_equal(count_on(&stage, FAKE_BASE "score"), 1);
    assert_int_equal(count_on(&stage, FAKE_BASE "event/aimed"), 10);
    then_retained(&stage, "state", "'seq':4");
    fake_bus_acknowledge(stage.fake.bus, 100, false);
    fake_table_hear(&stage.fake);
    assert_int_equal(count_on(&stage, FAKE_BASE "state"), 2);
    then_retained(&stage, "state", "'seq':13");
    then_retained(&stage, "score", "'seq':13");
    stage_end(&stage);
}

/* The acknowledgement of the one must not bring on a state without its score. */
static void state_choices_and_score_are_always_sent_together(void **state)
{
    static const char *const names[] = {"choices", "state", "score"};
    const struct fake_bus_faults slow = {.is_slow = true};
    struct stage stage;
    char topic[TOPIC_SIZE];

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_bus_set_faults(stage.fake.bus, &slow);
    say(&stage, "wait 0");
    fake_table_say(&stage.fake, "aim red-1", "");
    fake_table_say(&stage.fake, "aim red-2", "");
    fake_bus_acknowledge(stage.fake.bus, 3, false); /* the first event, the choices, the state */
    fake_table_hear(&stage.fake);
    for (unsigned rounds = 1; rounds <= 2; rounds++) {
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(topic, sizeof topic, FAKE_BASE "%s", names[i]);
            assert_int_equal(count_on(&stage, topic), rounds);
            then_retained(&stage, names[i], rounds == 1 ? "'seq':4" : "'seq':5");
        }
        fake_bus_acknowledge(stage.fake.bus, 1, false);
        fake_table_hear(&stage.fake);
    }
    stage_end(&stage);
}

/* 64 events at most are on their way; the others wait in the journal. */
static void a_slow_broker_gets_events_as_fast_as_it_takes_them(void **state)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_bus_set_faults(stage.fake.bus, &slow);
    say(&stage, "wait 0");
    fake_table_say(&stage.fake, "new-game", "");
    for (unsigned i = 0; i < 197; i++) {
        fake_table_say(&stage.fake, i % 2 ? "aim red-1" : "aim red-2", "");
    }
    assert_int_equal(count_on(&stage, FAKE_BASE "event/aimed"), 61);
    for (unsigned rounds = 0; rounds < 200; rounds++) {
        fake_bus_acknowledge(stage.fake.bus, 5, rounds % 2);
        fake_table_hear(&stage.fake);
    }
    assert_int_equal(count_on(&stage, FAKE_BASE "event/aimed"), 197);
    then_retained(&stage, "state", "'seq':200");
    stage_end(&stage);
}

static void a_publication_that_fails_is_made_up_for_after_a_second(void **state)
{
    struct stage stage;

    (void)state;
    for (unsigned fail_at = 1; fail_at <= 8; fail_at++) {
        const struct fake_bus_faults faults = {.fail_at = fail_at};
        stage_begin(&stage, "");
        say(&stage, "new-game", "end-phase", "end-phase", "end-phase");
        fake_bus_set_faults(stage.fake.bus, &faults);
        see_all(&stage);
        fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}");
        fake_table_say(&stage.fake, "aim red-1", "");
        fake_table_wait(&stage.fake, 3 * FAKE_SECOND_US);
        assert_int_equal(count_on(&stage, FAKE_BASE "event/game-started"), 1);
        assert_int_equal(count_on(&stage, FAKE_BASE "event/turn-started"), 1);
        assert_int_equal(count_on(&stage, FAKE_BASE "event/phase-started"), 1);
        assert_int_equal(count_on(&stage, FAKE_BASE "event/aimed"), 1);
        then_retained(&stage, "state", "'seq':4");
        then_retained(&stage, "score", "'seq':4");
        assert_int_equal(table_deadline_us(stage.fake.table), 0);
        stage_end(&stage);
    }
}

/* Wherever the failure strikes: at the first event, at a later one, or at something else. */
static void an_event_that_can_never_be_sent_keeps_back_no_other_and_is_not_tried_again(void **state)
{
    struct stage stage;
    unsigned left_out = 0;

    (void)state;
    for (unsigned fail_at = 1; fail_at <= 8; fail_at++) {
        const struct fake_bus_faults faults = {
            .fail_at = fail_at, .fail_errno = EIO, .is_slow = true};
        stage_begin(&stage, "");
        say(&stage, "new-game");
        fake_log_forget();
        fake_bus_set_faults(stage.fake.bus, &faults);
        see_all(&stage);
        fake_table_say(&stage.fake, "aim red-1", "");
        fake_table_say(&stage.fake, "aim red-2", "");
        fake_table_say(&stage.fake, "aim red-1", "");
        bool is_left_out = fake_log_has("can never be sent and is left out");
        assert_int_equal(count_on(&stage, FAKE_BASE "event/aimed"), is_left_out ? 2 : 3);
        left_out += is_left_out;
        fake_bus_set_faults(stage.fake.bus, NULL);
        fake_table_hear(&stage.fake);
        fake_table_connect(&stage.fake);
        see_all(&stage);
        fake_table_say(&stage.fake, "aim red-2", "");
        then_said(&stage, "event/aimed 'seq':7", "reply 'ok':true");
        stage_end(&stage);
    }
    assert_int_equal(left_out, 3);
}

static void a_finished_game_that_cannot_be_read_is_sent_when_it_can(void **state)
{
    struct stage stage;

    (void)state;
    for (unsigned fail_at = 1; fail_at <= 20; fail_at++) {
        const struct fake_faults once = {.fail_at = fail_at, .fail_errno = EIO};
        stage_begin(&stage, "");
        fake_table_disconnect(&stage.fake);
        say(&stage, "new-game", "abandon");
        fake_disk_set_faults(stage.fake.disk, &once);
        see_all(&stage);
        fake_table_connect(&stage.fake);
        fake_table_wait(&stage.fake, 3 * FAKE_SECOND_US);
        then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
                  "event/game-started", "event/turn-started", "event/phase-started");
        stage_end(&stage);
    }
}

static void games_played_while_the_broker_is_away_arrive_in_order(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_table_disconnect(&stage.fake);
    see_all(&stage);
    fake_table_say(&stage.fake, "aim red-1", "");
    for (unsigned game = 0; game < 3; game++) {
        fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}");
        fake_table_say(&stage.fake, "end-phase", "");
    }
    fake_table_connect(&stage.fake);
    then_said(
        &stage, "event/aimed 'seq':4", "event/game-started 'seq':1", "event/turn-started 'seq':2",
        "event/phase-started 'seq':3", "event/phase-started 'seq':4", "event/game-started 'seq':1",
        "event/turn-started 'seq':2", "event/phase-started 'seq':3", "event/phase-started 'seq':4",
        "event/game-started 'seq':1", "event/turn-started 'seq':2", "event/phase-started 'seq':3",
        "event/phase-started 'seq':4");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_retained_is_fresh_after_a_connect),
        cmocka_unit_test(a_last_will_that_comes_late_is_corrected),
        cmocka_unit_test(another_daemon_of_the_same_name_is_logged_and_answered_once),
        cmocka_unit_test(home_assistant_is_told_when_it_is_wanted),
        cmocka_unit_test(what_was_acknowledged_does_not_come_again),
        cmocka_unit_test(what_was_not_acknowledged_comes_again_to_the_letter),
        cmocka_unit_test(a_connection_that_is_lost_while_a_game_is_loaded_loses_no_event),
        cmocka_unit_test(a_finished_game_that_cannot_be_read_is_tried_again_every_second),
        cmocka_unit_test(a_slow_broker_gets_the_latest_state_and_not_all_of_them),
        cmocka_unit_test(state_choices_and_score_are_always_sent_together),
        cmocka_unit_test(a_slow_broker_gets_events_as_fast_as_it_takes_them),
        cmocka_unit_test(a_publication_that_fails_is_made_up_for_after_a_second),
        cmocka_unit_test(
            an_event_that_can_never_be_sent_keeps_back_no_other_and_is_not_tried_again),
        cmocka_unit_test(a_finished_game_that_cannot_be_read_is_sent_when_it_can),
        cmocka_unit_test(games_played_while_the_broker_is_away_arrive_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
