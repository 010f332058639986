/* What a new game begins with: draws, dice, and the configuration. */
#include "stage.h"

#include <stdio.h>

static void the_daemons_dice_are_nobody_elses_to_name(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "dice = daemon\n");
    say(&stage, "new-game", "end-phase", "roll-move value=3");
    then_said(&stage, "reply 'ok':false 'error':'bad-value'");
    stage.fake.draws[0] = 4;
    stage.fake.draw_count = 1;
    say(&stage, "roll-move");
    then_said(&stage, "event/move-rolled 'value':3", "reply 'ok':true");
    say(&stage, "end-phase", "engage red-1 blue-1");
    stage.fake.draws[0] = 3;
    stage.fake.draw_count = 1;
    say(&stage, "roll-combat red-1 blue-1 flag");
    then_said(&stage, "reply 'ok':false 'error':'bad-value'");
    say(&stage, "roll-combat red-1 blue-1");
    then_said(&stage, "event/combat-rolled 'value':'swords'", "reply 'ok':true");
    stage_end(&stage);
}

static void M1_the_daemons_die_shows_every_face_and_no_other(void **state)
{
    unsigned shown[DIE_VALUE_MAX + 1] = {0};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "dice = daemon\n");
    say(&stage, "new-game", "end-phase");
    for (unsigned i = 0; i < 60; i++) {
        say(&stage, "roll-move");
        shown[table_game(stage.fake.table)->turn.die]++;
        say(&stage, "undo");
    }
    assert_int_equal(shown[1] + shown[2] + shown[3], 60);
    assert_true(shown[1] && shown[2] && shown[3]);
    stage_end(&stage);
}

static void with_dice_on_the_table_the_value_is_missing_if_it_is_not_said(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "end-phase", "roll-move");
    then_said(&stage, "reply 'ok':false 'error':'missing-field'");
    stage_end(&stage);
}

static void G2_the_first_player_is_drawn_among_those_who_play(void **state)
{
    unsigned first[PLAYER_COUNT] = {0};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    for (unsigned i = 0; i < 60; i++) {
        fake_table_send(&stage.fake, "new-game", quoted("{'first':'draw','abandon':true}"));
        first[table_game(stage.fake.table)->player]++;
    }
    for (unsigned player = 1; player <= table_game(stage.fake.table)->setup.players; player++) {
        assert_true(first[player] > 0);
    }
    assert_int_equal(first[0], 0);
    stage_end(&stage);
}

/* Each harbour is the destination of one barrel, and never of its own. */
static void ME1_barrels_are_drawn_as_a_shift_without_a_harbour_left_over(void **state)
{
    static const char *const players[] = {
        "[{'name':'A','harbours':['red','blue']},{'name':'B','harbours':['green','yellow']}]",
        "[{'name':'A','harbours':['red']},{'name':'B','harbours':['green']},"
        "{'name':'C','harbours':['yellow']}]",
        "[{'name':'A','harbours':['red']},{'name':'B','harbours':['green']},"
        "{'name':'C','harbours':['yellow']},{'name':'D','harbours':['blue']}]",
    };
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    for (unsigned i = 0; i < 90; i++) {
        char json[1024];
        snprintf(json, sizeof json, "{'scenario':'merchant','abandon':true,'players':%s}",
                 players[i % 3]);
        then_has(fake_table_send(&stage.fake, "new-game", quoted(json)), "'ok':true");
        const struct setup *setup = &table_game(stage.fake.table)->setup;
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
    stage_end(&stage);
}

/* What is drawn would have no room for a harbour that several players have. */
static void G1_nothing_is_drawn_for_players_who_share_harbours(void **state)
{
    static const char *const players[] = {
        "[{'harbours':['red','blue','green','yellow']},{'harbours':['red','blue','green','yellow']}"
        ","
        "{'harbours':['red','blue','green','yellow']},{'harbours':['red','blue','green','yellow']}"
        "]",
        "[{'harbours':['red','blue']},{'harbours':['red','blue']},{'harbours':['red','blue']}]",
        "[{'harbours':['red']},{'harbours':['red']}]",
    };
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    for (unsigned i = 0; i < 3; i++) {
        char json[1024];
        snprintf(json, sizeof json, "{'scenario':'merchant','first':'draw','players':%s}",
                 players[i]);
        stage.fake.draws[0] = 7;
        stage.fake.draw_count = 1;
        then_has(fake_table_send(&stage.fake, "start-game", quoted(json)),
                 "'error':'bad-value' 'rule':'G1'");
        assert_int_equal(stage.fake.draw_count, 1);
    }
    stage_end(&stage);
}

/* What is wrong is said of what people chose, not of what was to be drawn. */
static void T1_teams_that_do_not_fit_are_refused_before_the_first_player_is_drawn(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    then_has(fake_table_send(&stage.fake, "start-game",
                             quoted("{'first':'draw','teams':true,'players':[{},{}]}")),
             "'error':'bad-value' 'rule':'T1'");
    stage_end(&stage);
}

static void another_configuration_counts_from_the_next_game_on(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_table_read_config(&stage.fake.config, "[game]\nrules = advanced\nfirst = 2\n");
    table_configured(stage.fake.table);
    then_retained(&stage, "info", "'rules':'advanced' 'defaults':{'rules':'advanced' 'first':2");
    then_retained(&stage, "state", "'rules':'basic'");
    assert_int_equal(table_game(stage.fake.table)->setup.variant, VARIANT_BASIC);
    fake_table_send(&stage.fake, "new-game", quoted("{'abandon':true}"));
    then_retained(&stage, "state", "'rules':'advanced' 'player':2");
    stage_end(&stage);
}

static void autostart_begins_a_game_in_the_lobby_and_only_there(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "autostart = yes\n");
    then_retained(&stage, "state", "'seq':3 'phase':'shooting'");
    say(&stage, "end-phase");
    stage_restart(&stage);
    then_retained(&stage, "state", "'seq':4 'phase':'moving'");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_daemons_dice_are_nobody_elses_to_name),
        cmocka_unit_test(M1_the_daemons_die_shows_every_face_and_no_other),
        cmocka_unit_test(with_dice_on_the_table_the_value_is_missing_if_it_is_not_said),
        cmocka_unit_test(G2_the_first_player_is_drawn_among_those_who_play),
        cmocka_unit_test(ME1_barrels_are_drawn_as_a_shift_without_a_harbour_left_over),
        cmocka_unit_test(G1_nothing_is_drawn_for_players_who_share_harbours),
        cmocka_unit_test(T1_teams_that_do_not_fit_are_refused_before_the_first_player_is_drawn),
        cmocka_unit_test(another_configuration_counts_from_the_next_game_on),
        cmocka_unit_test(autostart_begins_a_game_in_the_lobby_and_only_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
