/* The disk fails, is full or read-only at every single operation. */
#include "model.h"
#include "tests/support/sweep_step.h"

#include <errno.h>
#include <string.h>

enum { TRIES = 20, FOR_EVER = 1000000 };

static bool storage_works(const struct stage *stage)
{
    const char *info = fake_bus_retained(stage->fake.bus, FAKE_BASE "info");

    return strstr(info, "\"storage\":null");
}

/* A person whose button did nothing presses it again, and a rope tells its reading all the time. */
static bool is_repeated(unsigned step)
{
    return strchr(run_step(step), ';') || strncmp(run_step(step), "rope", 4) == 0 ||
           strncmp(run_step(step), "button", 6) == 0 || strcmp(run_step(step), "hold") == 0;
}

/* Says it until it is recorded, as a person does; what a sensor has seen is said once. */
static void say_stubbornly(struct stage *stage, unsigned step)
{
    const char *reply = run_say(stage, step);

    for (unsigned i = 0; i < TRIES && (!storage_works(stage) || !run_has_done(stage, step)); i++) {
        fake_table_wait(&stage->fake, FAKE_SECOND_US + FAKE_SECOND_US / 10);
        if ((reply && strstr(reply, "\"storage\"")) ||
            (is_repeated(step) && !run_has_done(stage, step))) {
            reply = run_say(stage, step);
        }
    }
    assert_done(stage, step);
    if (model.reply[step]) {
        assert_string_equal(reply, model.reply[step]);
    }
}

static void run_with_failure(const struct fake_faults *faults)
{
    struct stage stage;
    unsigned tries = 0;

    run_prepare(&stage);
    fake_disk_set_faults(stage.fake.disk, faults);
    while (fake_table_start(&stage.fake) != 0) {
        assert_true(tries++ < TRIES);
    }
    fake_table_connect(&stage.fake);
    for (unsigned step = 0; step < model.steps; step++) {
        say_stubbornly(&stage, step);
    }
    assert_like_model(&stage);
    stage_end(&stage);
}

TEST_ALL(model_play, model_forget)

TEST(nothing_is_lost_or_doubled_by_a_failure_of_any_operation)
{
    static const int errors[] = {EIO, ENOSPC, EROFS};

    for (unsigned fail_at = 1; fail_at <= model.operations; fail_at += sweep_step(7)) {
        const struct fake_faults faults = {
            .fail_at = fail_at,
            .fail_count = 1 + fail_at % 4,
            .fail_errno = errors[fail_at % 3],
            .failed_sync = (enum fake_loss)(fail_at / 3 % FAKE_LOSSES),
            .seed = fail_at,
        };
        run_with_failure(&faults);
    }
}

/* What the model accepted is refused or held; then the disk is mended. */
static void say_on_broken_disk(struct stage *stage, unsigned step, int error)
{
    const struct fake_faults broken = {
        .fail_at = 1, .fail_count = FOR_EVER, .fail_errno = error, .reads_go_well = true};
    bool is_recorded = !run_has_done(stage, step);

    fake_disk_set_faults(stage->fake.disk, &broken);
    const char *reply = run_say(stage, step);
    assert_true(run_has_not_begun(stage, step));
    if (is_recorded) {
        assert_false(storage_works(stage));
        assert_true(!model.reply[step] || strstr(reply, "\"storage\""));
    }
    fake_table_wait(&stage->fake, 5 * FAKE_SECOND_US);
    assert_true(run_has_not_begun(stage, step));
    fake_disk_set_faults(stage->fake.disk, NULL);
    fake_table_wait(&stage->fake, FAKE_SECOND_US + FAKE_SECOND_US / 10);
    assert_true(storage_works(stage));
    if (model.reply[step]) {
        assert_string_equal(run_say(stage, step), model.reply[step]);
    } else if (is_repeated(step) && !run_has_done(stage, step)) {
        run_say(stage, step);
    }
    assert_done(stage, step);
}

TEST(a_disk_that_is_full_or_read_only_at_any_append_is_survived)
{
    static const int errors[] = {ENOSPC, EROFS, EIO};
    struct stage stage;

    for (unsigned broken = 0; broken < model.steps; broken++) {
        run_prepare(&stage);
        assert_int_equal(fake_table_start(&stage.fake), 0);
        fake_table_connect(&stage.fake);
        for (unsigned step = 0; step < model.steps; step++) {
            if (step == broken) {
                say_on_broken_disk(&stage, step, errors[broken % 3]);
            } else {
                run_say(&stage, step);
            }
        }
        assert_like_model(&stage);
        stage_end(&stage);
    }
}
