/* What is kept until the broker has it, and what is reported when it is lost all the same. */
#include "stage.h"

#include "tests/support/fake_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays this many games, the last of which stays open. */
static void play_games(struct stage *stage, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fake_table_say(&stage->fake, "abandon", "");
        fake_table_say(&stage->fake, "aim red-1", "");
        fake_table_wait(&stage->fake, 2 * FAKE_SECOND_US);
    }
}

static unsigned count_events(const struct stage *stage, const char *name)
{
    unsigned count = 0;

    for (size_t i = 0; i < fake_bus_count(stage->fake.bus); i++) {
        const struct fake_message *message = fake_bus_message(stage->fake.bus, i);
        count += strncmp(message->topic, FAKE_BASE "event/", strlen(FAKE_BASE "event/")) == 0 &&
                 strstr(message->topic, name);
    }
    return count;
}

static void find_finished(void *context, const char *name, uint64_t size)
{
    (void)size;
    if (strstr(name, ".journal")) {
        snprintf(context, DISK_NAME_SIZE, "%s", name);
    }
}

/* A sector of the card has failed: it is not transient, and not a reason to publish nothing. */
TABLE_TEST(a_finished_game_that_cannot_be_read_for_long_keeps_back_no_other)
{
    struct fake_faults faults = {0};

    fake_table_disconnect(&stage->fake);
    play_games(stage, 2);
    stage->fake.disk_interface.list(stage->fake.disk_interface.self, find_finished,
                                    faults.unreadable);
    play_games(stage, 1);
    fake_disk_set_faults(stage->fake.disk, &faults);
    fake_log_forget();
    fake_table_connect(&stage->fake);
    fake_table_wait(&stage->fake, 5 * FAKE_SECOND_US);
    assert_int_equal(count_events(stage, "aimed"), 0);
    fake_table_wait(&stage->fake, 30 * FAKE_SECOND_US);
    assert_int_equal(count_events(stage, "aimed"), 2);
    assert_true(fake_log_has("finished games number 1 to 1 cannot be found or read"));
    then_retained(stage, "info", "'lost_games':1");
}

TEST(a_finished_game_that_is_damaged_is_logged_and_published_once)
{
    static const struct {
        size_t byte;
        const char *logged;
    } damages[] = {{30, "finished games number 1 to 1 cannot be found or read"},
                   {300, "finished game number 1 is damaged"}};
    struct stage stage;
    size_t size;

    for (unsigned i = 0; i < 2; i++) {
        stage_begin(&stage, "");
        fake_table_disconnect(&stage.fake);
        play_games(&stage, 2);
        char name[DISK_NAME_SIZE] = "";
        stage.fake.disk_interface.list(stage.fake.disk_interface.self, find_finished, name);
        play_games(&stage, 1);
        const uint8_t *data = fake_disk_get(stage.fake.disk, name, &size);
        assert_non_null(data);
        uint8_t *damaged = malloc(size);
        memcpy(damaged, data, size);
        damaged[damages[i].byte] ^= 1;
        fake_disk_put(stage.fake.disk, name, damaged, size);
        free(damaged);
        fake_log_forget();
        fake_table_connect(&stage.fake);
        assert_true(fake_log_has(damages[i].logged));
        assert_int_equal(count_events(&stage, "aimed"), 2);
        then_retained(&stage, "info", "'lost_games':1");
        fake_table_disconnect(&stage.fake);
        fake_table_connect(&stage.fake);
        then_retained(&stage, "info", "'lost_games':1");
        stage_end(&stage);
    }
}

/*
 * The end of the record
 */

/* The size of the open game without the blanks at its end. */
static size_t written_size(const struct stage *stage)
{
    size_t size;
    const uint8_t *data = fake_disk_get(stage->fake.disk, "open-game", &size);

    while (size > 0 && (data[size - 1] == ' ' || data[size - 1] == '\n')) {
        size--;
    }
    return size + 1;
}

/* Puts the open game back to its first `size` bytes, with zeros behind them up to `zeros`. */
static void shorten(struct stage *stage, size_t size, size_t zeros)
{
    size_t whole;
    const uint8_t *data = fake_disk_get(stage->fake.disk, "open-game", &whole);
    uint8_t *left = calloc(1, size + zeros + 1);

    assert_in_range(size, 1, whole);
    memcpy(left, data, size);
    fake_disk_put(stage->fake.disk, "open-game", left, size + zeros);
    free(left);
}

TEST(a_lost_end_that_was_published_is_reported_and_no_number_used_again)
{
    struct stage stage;

    for (unsigned zeros = 0; zeros <= 512; zeros += 512) {
        stage_begin(&stage, "");
        say(&stage, "new-game", "aim red-1");
        fake_table_kill(&stage.fake);
        size_t before = written_size(&stage);
        stage_restart(&stage);
        say(&stage, "aim red-2", "aim red-3", "wait 1100");
        fake_table_kill(&stage.fake);
        shorten(&stage, before, zeros);
        fake_log_forget();
        stage_restart(&stage);
        assert_true(fake_log_has("the broker has event 6 of game"));
        assert_int_equal(fake_disk_count(stage.fake.disk, ".damaged"), 1);
        say(&stage, "aim red-2");
        then_said(&stage, "reply 'error':'no-game'");
        say(&stage, "new-game");
        then_said(&stage, "event/game-started 'seq':1", "event/turn-started", "event/phase-started",
                  "reply 'ok':true");
        stage_end(&stage);
    }
}

/* Nobody has heard of it, and a crash may take it: then the game goes on. */
TABLE_TEST(a_lost_end_that_was_never_published_is_no_damage)
{
    say(stage, "new-game", "aim red-1");
    fake_table_kill(&stage->fake);
    size_t before = written_size(stage);
    stage_restart(stage);
    fake_table_disconnect(&stage->fake);
    fake_table_say(&stage->fake, "aim red-2", "");
    fake_table_kill(&stage->fake);
    shorten(stage, before, 0);
    stage_restart(stage);
    assert_int_equal(fake_disk_count(stage->fake.disk, ".damaged"), 0);
    say(stage, "aim red-3");
    then_said(stage, "event/aimed 'seq':5 'piece':'red-3'", "reply 'ok':true");
}

TABLE_TEST(the_mark_is_safe_a_second_after_the_acknowledgement)
{
    say(stage, "new-game", "aim red-1", "wait 1100");
    fake_table_cut(&stage->fake, LOSE_ALL, 0);
    stage->seen = fake_bus_count(stage->fake.bus);
    stage_restart(stage);
    then_nothing_said(stage);
}

/*
 * A disk that fails
 */

enum { FOR_EVER = 1000000 };

/* S3: however long the disk fails, a topple in the window belongs to the shot. */
TEST(what_is_held_goes_before_the_end_of_the_window)
{
    const struct fake_faults broken = {
        .fail_at = 1, .fail_count = FOR_EVER, .fail_errno = EIO, .failed_sync = LOSE_ALL};
    struct stage stage;

    for (unsigned mended_ms = 1000; mended_ms < 9000; mended_ms += 370) {
        stage_begin(&stage, "");
        say(&stage, "new-game", "ball-left", "wait 700");
        fake_disk_set_faults(stage.fake.disk, &broken);
        say(&stage, "toppled blue-1");
        fake_table_wait(&stage.fake, mended_ms * UINT64_C(1000));
        fake_disk_set_faults(stage.fake.disk, NULL);
        stage.seen = fake_bus_count(stage.fake.bus);
        fake_table_wait(&stage.fake, 5 * FAKE_SECOND_US);
        then_said(&stage, "event/piece-toppled 'rule':'S3'", "event/piece-captured",
                  "event/shot-over", "event/phase-started");
        stage_end(&stage);
    }
}

/*
 * A record whose sync failed may be read after a restart, and yet not be on the disk: nothing is
 * told of it until it is.
 */
TABLE_TEST(nothing_is_told_after_a_start_before_it_is_safe)
{
    const struct fake_faults sync_fails = {
        .fail_at = 3, .fail_count = FOR_EVER, .fail_errno = EIO, .failed_sync = LOSE_ALL};

    say(stage, "new-game", "wait 1100");                 /* the mark is written */
    fake_disk_set_faults(stage->fake.disk, &sync_fails); /* open, write, sync */
    say(stage, "aim red-1");
    then_said(stage, "reply 'ok':false 'error':'storage'");
    fake_table_kill(&stage->fake);
    const struct fake_faults read_only = {
        .fail_at = 1, .fail_count = FOR_EVER, .fail_errno = EIO, .reads_go_well = true};
    fake_disk_set_faults(stage->fake.disk, &read_only);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    assert_int_equal(table_game(stage->fake.table)->seq, 4);
    stage->seen = fake_bus_count(stage->fake.bus);
    fake_table_connect(&stage->fake);
    then_nothing_said(stage);
    then_retained(stage, "info", "error");
    then_retained(stage, "state", "'seq':3");
    fake_table_send(&stage->fake, "history", "{}");
    then_said(stage, "reply 'ok':false 'error':'storage'");
    fake_disk_set_faults(stage->fake.disk, NULL);
    say(stage, "wait 1100");
    then_said(stage, "event/aimed 'seq':4");
    then_retained(stage, "state", "'seq':4");
    then_retained(stage, "info", "'storage':null");
}
