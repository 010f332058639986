/* What has a name of its own: commands that come again, and games. */
#include "stage.h"

#include "table/reply_cache.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 2 * REPLY_CACHE_MAX };

static const char *aim(struct stage *stage, unsigned number)
{
    char json[64];

    snprintf(json, sizeof json, "{\"id\":\"%u\",\"piece\":\"red-%u\"}", number, 1 + number % 2);
    return fake_table_send(&stage->fake, "aim", json);
}

/* The game has many ids. */
static void with_ids(void (*test)(struct stage *stage))
{
    static struct stage stage;

    stage_begin(&stage, "");
    say(&stage, "new-game");
    for (unsigned i = 0; i < MANY; i++) {
        aim(&stage, i);
    }
    test(&stage);
    stage_end(&stage);
}

#define IDS_TEST(claim) TEST_OF(struct stage *stage, claim, with_ids)

IDS_TEST(every_id_of_the_game_is_known_however_long_ago)
{
    uint32_t seq = table_game(stage->fake.table)->seq;
    for (unsigned i = 0; i < MANY; i += 7) {
        char expected[64];
        snprintf(expected, sizeof expected, "{'id':'%u','ok':true,'seq':%u,", i, 4 + i);
        then_has(aim(stage, i), expected);
    }
    assert_int_equal(table_game(stage->fake.table)->seq, seq);
}

/* A late repetition must not be a move in another game. */
IDS_TEST(the_latest_ids_of_the_game_before_are_known_after_a_restart)
{
    say(stage, "abandon");
    stage_restart(stage);
    uint32_t seq = table_game(stage->fake.table)->seq;
    for (unsigned i = MANY - REPLY_CACHE_MAX; i < MANY; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "{'id':'%u','ok':true,'seq':%u,", i, 4 + i);
        then_has(aim(stage, i), expected);
    }
    assert_int_equal(table_game(stage->fake.table)->seq, seq);
}

IDS_TEST(an_id_of_a_game_long_ago_is_a_new_one)
{
    say(stage, "abandon");
    then_has(aim(stage, 0), "{'id':'0','ok':true,'seq':4,");
    assert_int_equal(table_game(stage->fake.table)->seq, 4);
}

TABLE_TEST(a_name_that_a_game_has_already_is_drawn_again)
{
    stage->fake.draws[0] = 7;
    stage->fake.draw_count = 1;
    say(stage, "new-game");
    then_said(stage, "event/game-started -00000007'", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    stage->fake.draws[0] = 7;
    stage->fake.draws[1] = 8;
    stage->fake.draw_count = 2;
    say(stage, "abandon");
    then_said(stage, "event/game-started -00000008'", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
}
