/* The power goes at every single operation of the disk. */
#include "model.h"
#include "tests/support/sweep_step.h"

/* The last seq of the running game that anybody was told of. */
static unsigned promised_seq(const struct stage *stage)
{
    struct fake_view view = {0};

    assert_null(fake_view_read(&view, stage->fake.bus));
    unsigned seq = view.count ? fake_view_last(&view)->seq : 0;
    fake_view_free(&view);
    return seq;
}

static void start_again(struct stage *stage, enum fake_loss loss, uint64_t seed)
{
    fake_table_cut(&stage->fake, loss, seed);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    fake_table_connect(&stage->fake);
}

/* After a crash in this step: it was recorded or it was not, and what was told is there. */
static void go_on_after(struct stage *stage, unsigned step, const char *reply, unsigned promised)
{
    bool is_told = promised == model.seq[step] && (step == 0 || promised != model.seq[step - 1]);

    assert_true(run_has_not_begun(stage, step) || run_has_done(stage, step));
    if (fake_reply_is_ok(reply) || is_told) {
        assert_true(run_has_done(stage, step));
    }
    if (model.reply[step]) {
        reply = run_say(stage, step);
        assert_non_null(reply);
        assert_string_equal(reply, model.reply[step]);
    } else if (!run_has_done(stage, step)) {
        run_say(stage, step);
    }
    assert_done(stage, step);
}

static void run_with_cut(unsigned cut_at, enum fake_loss loss, uint64_t seed)
{
    const struct fake_faults faults = {.cut_at = cut_at};
    struct stage stage;

    run_prepare(&stage);
    fake_disk_set_faults(stage.fake.disk, &faults);
    (void)fake_table_start(&stage.fake);
    if (fake_disk_is_off(stage.fake.disk)) {
        start_again(&stage, loss, seed);
    } else {
        fake_table_connect(&stage.fake);
    }
    for (unsigned step = 0; step < model.steps; step++) {
        const char *reply = run_say(&stage, step);
        if (fake_disk_is_off(stage.fake.disk)) {
            unsigned promised = promised_seq(&stage);
            start_again(&stage, loss, seed);
            go_on_after(&stage, step, reply, promised);
        }
    }
    assert_like_model(&stage);
    stage_end(&stage);
}

TEST_ALL(model_play, model_forget)

TEST(nothing_told_is_lost_by_a_power_cut_at_any_operation)
{
    for (unsigned cut_at = 1; cut_at <= model.operations; cut_at += sweep_step(9)) {
        run_with_cut(cut_at, LOSE_NOTHING, 0);
        run_with_cut(cut_at, LOSE_ALL, 0);
        run_with_cut(cut_at, LOSE_SOME, cut_at);
    }
}
