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

/* What a lost connection had asked the disk for is not what the next one needs. */
TABLE_TEST(a_connection_that_is_lost_while_a_game_is_loaded_loses_no_event)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct bus_news news;

    fake_table_disconnect(&stage->fake);
    say(stage, "new-game", "abandon", "end-phase", "abandon");
    fake_bus_set_faults(stage->fake.bus, &slow);
    fake_bus_connect(stage->fake.bus);
    assert_true(fake_bus_take(stage->fake.bus, &news));
    table_news(stage->fake.table, &news);
    struct job *job = stage->fake.jobs[0];
    stage->fake.job_count = 0;
    job->work(job->self);
    job->done(job->self);
    then_said(stage, "event/game-started", "event/turn-started", "event/phase-started");
    assert_int_equal(stage->fake.job_count, 1); /* the second one is being loaded */
    fake_bus_set_faults(stage->fake.bus, NULL);
    fake_table_connect(&stage->fake);
    then_said(stage, "event/game-started", "event/turn-started", "event/phase-started",
              "event/game-started", "event/turn-started", "event/phase-started",
              "event/phase-started", "event/game-started", "event/turn-started",
              "event/phase-started");
}

TEST(a_publication_that_fails_is_made_up_for_after_a_second)
{
    struct stage stage;

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
TEST(an_event_that_can_never_be_sent_keeps_back_no_other_and_is_not_tried_again)
{
    struct stage stage;
    unsigned left_out = 0;

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

TABLE_TEST(the_level_of_a_sensor_is_shown_and_kept)
{
    const struct fact sensed = {.kind = FACT_SENSED,
                                .at_us = 900000,
                                .sensor = SENSOR_CANNON_BEAM,
                                .level = 1,
                                .edges = 3,
                                .rate = 2,
                                .pulse_us = 2500};

    fake_table_fact(&stage->fake, &sensed);
    then_retained(stage, "sensor/cannon/beam",
                  "{'value':1,'health':'ok','edges':3,"
                  "'rate':2,'width_us':2500,"
                  "'at':'2023-11-14T22:13:19.900Z','source':'sim'}");
    fake_table_disconnect(&stage->fake);
    see_all(stage);
    fake_table_connect(&stage->fake);
    assert_int_equal(count_on(stage, FAKE_BASE "sensor/cannon/beam"), 1);
}
