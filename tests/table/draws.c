/* What a new game begins with: draws, dice, and the configuration. */
#include "stage.h"

#include <stdio.h>

TABLE_TEST_WITH(M1_the_daemons_die_shows_every_face_and_no_other, "dice = daemon\n")
{
    unsigned shown[DIE_VALUE_MAX + 1] = {0};

    say(stage, "new-game", "end-phase");
    for (unsigned i = 0; i < 60; i++) {
        say(stage, "roll-move");
        shown[table_game(stage->fake.table)->turn.die]++;
        say(stage, "end-phase", "end-phase", "end-phase");
    }
    assert_int_equal(shown[1] + shown[2] + shown[3], 60);
    assert_true(shown[1] && shown[2] && shown[3]);
}

TABLE_TEST(G2_the_first_player_is_drawn_among_those_who_play)
{
    unsigned first[PLAYER_COUNT] = {0};

    for (unsigned i = 0; i < 60; i++) {
        fake_table_send(&stage->fake, "new-game", quoted("{'first':'draw','abandon':true}"));
        first[table_game(stage->fake.table)->player]++;
    }
    for (unsigned player = 1; player <= table_game(stage->fake.table)->setup.players; player++) {
        assert_true(first[player] > 0);
    }
    assert_int_equal(first[0], 0);
}

/* Each harbour is the destination of one barrel, and never of its own. */
TABLE_TEST(ME1_barrels_are_drawn_as_a_shift_without_a_harbour_left_over)
{
    static const char *const players[] = {
        "[{'name':'A','harbours':['red','blue']},{'name':'B','harbours':['green','yellow']}]",
        "[{'name':'A','harbours':['red']},{'name':'B','harbours':['green']},"
        "{'name':'C','harbours':['yellow']}]",
        "[{'name':'A','harbours':['red']},{'name':'B','harbours':['green']},"
        "{'name':'C','harbours':['yellow']},{'name':'D','harbours':['blue']}]",
    };

    for (unsigned i = 0; i < 90; i++) {
        char json[1024];
        snprintf(json, sizeof json, "{'scenario':'merchant','abandon':true,'players':%s}",
                 players[i % 3]);
        then_has(fake_table_send(&stage->fake, "new-game", quoted(json)), "'ok':true");
        const struct setup *setup = &table_game(stage->fake.table)->setup;
        unsigned from = 0;
        unsigned to = 0;
        for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
            assert_int_not_equal(setup->barrels[harbour], harbour);
            from |= setup->barrels[harbour] ? 1U << harbour : 0;
            to |= setup->barrels[harbour] ? 1U << setup->barrels[harbour] : 0;
        }
        assert_int_equal(from, to);
        assert_int_equal(__builtin_popcount(from), i % 3 == 1 ? 3 : 4);
    }
}

/* What is drawn would have no room for a harbour that several players have. */
TABLE_TEST(G1_nothing_is_drawn_for_players_who_share_harbours)
{
    static const char *const players[] = {
        "[{'harbours':['red','blue','green','yellow']},{'harbours':['red','blue','green','yellow']}"
        ","
        "{'harbours':['red','blue','green','yellow']},{'harbours':['red','blue','green','yellow']}"
        "]",
        "[{'harbours':['red','blue']},{'harbours':['red','blue']},{'harbours':['red','blue']}]",
        "[{'harbours':['red']},{'harbours':['red']}]",
    };

    for (unsigned i = 0; i < 3; i++) {
        char json[1024];
        snprintf(json, sizeof json, "{'scenario':'merchant','first':'draw','players':%s}",
                 players[i]);
        stage->fake.draws[0] = 7;
        stage->fake.draw_count = 1;
        then_has(fake_table_send(&stage->fake, "start-game", quoted(json)),
                 "'error':'bad-value' 'rule':'G1'");
        assert_int_equal(stage->fake.draw_count, 1);
    }
}
