/* The length of a game is limited, and what is possible at the limit. */
#include "stage.h"

#include "tests/support/fake_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AIMS = 20 }; /* the inputs of the game that are not taken back */

/* The open game one record before the limit, made once because that takes a while. */
static uint8_t *almost_full;
static size_t almost_full_size;
static struct journal_mark mark; /* the broker has all of it */

static int play(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_table_disconnect(&stage.fake); /* nobody compares what is published */
    say(&stage, "new-game");
    for (unsigned i = 0; i < AIMS; i++) {
        fake_table_say(&stage.fake, "aim red-1", "");
    }
    for (unsigned records = 1 + AIMS; records < JOURNAL_RECORDS_MAX - 1; records++) {
        fake_table_say(&stage.fake, (records - AIMS) % 2 ? "aim red-2" : "undo", "");
    }
    const uint8_t *data = fake_disk_get(stage.fake.disk, "open-game", &almost_full_size);
    almost_full = malloc(almost_full_size);
    memcpy(almost_full, data, almost_full_size);
    mark = (struct journal_mark){.number = 1, .seq = table_game(stage.fake.table)->seq};
    assert_int_equal(sscanf(strstr((const char *)data, "game="), "game=%31s", mark.game), 1);
    stage_end(&stage);
    return 0;
}

static int forget(void **state)
{
    (void)state;
    free(almost_full);
    return 0;
}

static void write_mark(const struct disk *disk)
{
    const struct journal_limits limits = {0};
    struct journal_report report;
    struct journal *journal;

    assert_int_equal(journal_open(&journal, disk, &limits, NULL, NULL, &report), 0);
    journal_acknowledge(journal, &mark);
    journal_close(journal);
}

/* The game gets its maximum length, this line being the last that is accepted. */
static void fill_game(struct stage *stage, const char *last)
{
    fake_table_kill(&stage->fake);
    write_mark(&stage->fake.disk_interface);
    fake_disk_put(stage->fake.disk, "open-game", almost_full, almost_full_size);
    fake_log_forget();
    stage_restart(stage);
    assert_true(fake_reply_is_ok(fake_table_say(&stage->fake, last, "")));
}

TEST_ALL(play, forget)

TABLE_TEST(a_game_of_the_maximum_length_takes_nothing_more)
{
    fill_game(stage, "aim red-1");
    unsigned seq = table_game(stage->fake.table)->seq;
    then_retained(stage, "choices",
                  "'choices':[{'verb':'undo','message':'Player 1 aimed from red-1.'}]");
    say(stage, "aim red-2");
    then_said(stage, "reply 'ok':false 'error':'too-long' 'rule':null");
    say(stage, "end-phase");
    then_said(stage, "reply 'ok':false 'error':'too-long'");
    say(stage, "new-game");
    then_said(stage, "reply 'ok':false 'error':'game-running'");
    assert_int_equal(table_game(stage->fake.table)->seq, seq);
    stage_restart(stage);
    say(stage, "aim red-2");
    then_said(stage, "reply 'ok':false 'error':'too-long'");
    say(stage, "abandon");
    assert_int_equal(table_game(stage->fake.table)->seq, 3);
    say(stage, "aim red-2");
    then_said(stage, "event/aimed", "reply 'ok':true");
}

TABLE_TEST(what_sensors_report_then_is_logged_once)
{
    fill_game(stage, "aim red-1");
    unsigned seq = table_game(stage->fake.table)->seq;
    assert_false(fake_log_has("maximum length"));
    say(stage, "ball-left");
    then_nothing_said(stage);
    assert_true(fake_log_has("maximum length"));
    fake_log_forget();
    say(stage, "toppled blue-1", "wait 2000", "raised blue-1", "hit blue-2", "wait 9000");
    assert_false(fake_log_has("maximum length"));
    assert_int_equal(table_game(stage->fake.table)->seq, seq);
}

/* S9: nothing is due again and again that cannot be recorded. */
TABLE_TEST(a_shot_that_is_open_at_the_limit_stays_open)
{
    fill_game(stage, "fire");
    say(stage, "wait 9000");
    then_nothing_said(stage);
    assert_int_equal(table_deadline_us(stage->fake.table), 0);
    say(stage, "undo");
    then_said(stage, "event/undone", "reply 'ok':true");
    then_retained(stage, "state", "'shot':'none'");
}

/* Referee: step by step to the start of the game, however long it was. */
TABLE_TEST(a_full_game_can_be_undone_to_its_start)
{
    unsigned undone = 0;

    fill_game(stage, "aim red-2");
    while (fake_reply_is_ok(fake_table_say(&stage->fake, "undo", ""))) {
        undone++;
        if (undone == AIMS / 2) {
            stage_restart(stage);
        }
    }
    assert_int_equal(undone, AIMS + 1);
    say(stage, "undo");
    then_said(stage, "reply 'error':'nothing-to-undo'");
    say(stage, "aim red-1");
    then_said(stage, "reply 'error':'too-long'");
    stage_restart(stage);
    say(stage, "undo");
    then_said(stage, "reply 'error':'nothing-to-undo'");
    say(stage, "abandon");
    assert_int_equal(table_game(stage->fake.table)->seq, 3);
}
