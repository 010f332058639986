/* The broker is lost at every single publication. */
#include "model.h"
#include "tests/support/sweep_step.h"

/* away: how many steps the broker stays away. */
static void run_with_loss(unsigned lose_at, enum fake_bus_loss loss, unsigned away)
{
    const struct fake_bus_faults faults = {.lose_at = lose_at, .loss = loss};
    struct stage stage;
    unsigned back_at = model.steps;

    run_prepare(&stage);
    fake_bus_set_faults(stage.fake.bus, &faults);
    assert_int_equal(fake_table_start(&stage.fake), 0);
    fake_table_connect(&stage.fake);
    for (unsigned step = 0; step < model.steps; step++) {
        const char *reply = run_say(&stage, step);
        assert_true(run_has_done(&stage, step));
        if (!fake_bus_is_up(stage.fake.bus)) {
            back_at = back_at == model.steps ? step + away : back_at;
            if (step == back_at) {
                fake_table_connect(&stage.fake);
            }
        }
        if (!reply && model.reply[step] && fake_bus_is_up(stage.fake.bus)) {
            reply = run_say(&stage, step);
        }
        if (reply) {
            assert_string_equal(reply, model.reply[step]);
        }
    }
    if (!fake_bus_is_up(stage.fake.bus)) {
        fake_table_connect(&stage.fake);
    }
    assert_like_model(&stage);
    stage_end(&stage);
}

TEST_ALL(model_play, model_forget)

TEST(every_event_arrives_after_a_loss_at_any_publication)
{
    for (unsigned lose_at = 1; lose_at <= model.publications; lose_at += sweep_step(11)) {
        for (unsigned loss = 0; loss < FAKE_BUS_LOSSES; loss++) {
            const unsigned away[] = {0, 7, model.steps};
            run_with_loss(lose_at, (enum fake_bus_loss)loss, away[(lose_at + loss) % 3]);
        }
    }
}

TEST(both_games_arrive_at_a_broker_that_comes_late_and_is_slow)
{
    const struct fake_bus_faults slow = {.is_slow = true};
    struct stage stage;

    run_prepare(&stage);
    assert_int_equal(fake_table_start(&stage.fake), 0);
    for (unsigned step = 0; step < model.steps; step++) {
        run_say(&stage, step);
    }
    fake_bus_set_faults(stage.fake.bus, &slow);
    fake_table_connect(&stage.fake);
    for (unsigned i = 0; i < 1000; i++) {
        fake_bus_acknowledge(stage.fake.bus, 3, i % 2);
        fake_table_hear(&stage.fake);
    }
    assert_like_model(&stage);
    stage_end(&stage);
}
