/* The ready check before a game, and the table compared with the game that is played. */
#include "stage.h"
#include "tests/support/fake_log.h"

static void a_fresh_table_is_ready(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    then_retained(&stage, "ready",
                  "{'v':1,'check':'start','ready':true,'autostart':false,'problems':[]}");
    stage_end(&stage);
}

static void a_game_does_not_start_while_a_piece_of_it_lies(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled blue-2", "blocked cannon.beam", "new-game");
    then_said(&stage, "reply 'ok':false 'error':'not-ready' 'rule':null "
                      "cannon broken; blue-2 lies side. anyway=true");
    then_retained(&stage, "ready",
                  "'ready':false {'sensor':'cannon.beam','piece':null,'message':'The "
                  "{'sensor':'blue-2.tilt','piece':'blue-2','message':'blue-2 'blocks':true");
    say(&stage, "raised blue-2", "clear cannon.beam");
    then_retained(&stage, "ready", "'ready':true 'problems':[]");
    say(&stage, "new-game");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    stage_end(&stage);
}

static void a_refused_game_changes_nothing(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled blue-2", "wait 1000");
    uint64_t hash = rules_hash(table_game(stage.fake.table));
    say(&stage, "new-game");
    then_said(&stage, "reply 'error':'game-running'");
    fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}");
    then_said(&stage, "reply 'error':'not-ready'");
    assert_true(rules_hash(table_game(stage.fake.table)) == hash);
    stage_end(&stage);
}

/* What the rules have against it is told first: it cannot be put right at the table. */
static void a_game_that_the_rules_forbid_is_refused_by_them(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled blue-2");
    fake_table_send(&stage.fake, "new-game", "{\"teams\":true,\"players\":[{},{}]}");
    then_said(&stage, "reply 'error':'bad-value' 'rule':'T1'");
    stage_end(&stage);
}

static void a_game_starts_anyway_if_somebody_wants_it(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled blue-2", "rope 1", "anyway");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    assert_int_equal(stage.fake.rope_zeroed, 1);
    stage_end(&stage);
}

static void only_pieces_of_the_chosen_setup_keep_a_game_from_starting(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled yellow-1", "toppled pirate");
    then_retained(&stage, "ready", "'ready':false 'piece':'yellow-1' 'piece':'pirate'");
    fake_table_send(&stage.fake, "new-game",
                    "{\"scenario\":\"pirate-ship\",\"players\":[{},{},{}]}");
    then_said(&stage, "reply 'error':'not-ready' pirate lies on its side. Put");
    fake_table_send(&stage.fake, "new-game", "{\"players\":[{},{},{}]}");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    stage_end(&stage);
}

static void a_rope_that_is_out_keeps_a_game_from_starting_until_it_is_wound_in(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "rope 0.201", "new-game");
    then_said(&stage, "reply 'error':'not-ready' rope is pulled out.");
    then_retained(&stage, "ready", "'sensor':'rope.a','piece':null wind it in.");
    say(&stage, "rope 0.2", "new-game");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    stage_end(&stage);
}

static void a_sensor_that_is_not_well_is_listed_and_keeps_nobody_from_playing(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled blue-2", "sensor-fault sensor=blue-2.tilt health=chattering");
    then_retained(&stage, "ready",
                  "'ready':true 'sensor':'blue-2.tilt','piece':'blue-2','message':'blue-2.tilt "
                  "chattering: 'blocks':false");
    say(&stage, "sensor-ok sensor=blue-2.tilt");
    then_retained(&stage, "ready", "'ready':false blue-2 lies 'blocks':true");
    stage_end(&stage);
}

static void a_button_starts_a_game_only_at_a_table_that_is_ready(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[button.end]\nline = GPIO5\ncommand = new-game\n");
    say(&stage, "toppled red-1", "button 0");
    then_said(&stage, "reply 'error':'not-ready'");
    say(&stage, "raised red-1", "button 0");
    then_said(&stage, "event/game-started 'sensor':'button.end'", "event/turn-started",
              "event/phase-started", "reply 'ok':true");
    stage_end(&stage);
}

static void autostart_waits_for_the_table_and_says_so(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled red-1", "wait 1000");
    stage.fake.config.autostart = true;
    table_configured(stage.fake.table);
    then_retained(&stage, "state", "'phase':'lobby'");
    then_retained(&stage, "ready", "'ready':false,'autostart':true");
    assert_true(fake_log_has("autostart: Not ready: red-1 lies on its side."));
    say(&stage, "raised red-1", "wait 1");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    then_retained(&stage, "ready", "'check':'resume','ready':true,'autostart':false");
    stage_end(&stage);
}

static void what_contradicts_the_game_is_listed_until_it_is_put_right(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    then_retained(&stage, "ready", "'check':'resume','ready':true,'autostart':false,'problems':[]");
    say(&stage, "toppled blue-2", "wait 1000");
    then_retained(&stage, "ready", "'ready':false 'piece':'blue-2','message':'blue-2 stand raise");
    say(&stage, "raised blue-2");
    then_retained(&stage, "ready", "'ready':true,'autostart':false,'problems':[]");
    stage_end(&stage);
}

static void a_piece_that_lay_when_the_game_was_begun_anyway_is_listed_in_it(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "toppled blue-2", "toppled red-1", "wait 1000", "anyway", "wait 1000");
    then_said(&stage, "event/disturbance 'pieces':['red-1','blue-2']");
    then_retained(&stage, "ready",
                  "'check':'resume','ready':false 'piece':'red-1' 'piece':'blue-2'");
    then_retained(&stage, "choices", "{'verb':'raise','pieces':['red-1','blue-2']}");
    say(&stage, "raised blue-2");
    then_said(&stage, "event/piece-restored 'blue-2'");
    then_retained(&stage, "choices", "{'verb':'raise','pieces':['red-1']}");
    say(&stage, "raise red-1");
    then_said(&stage, "event/piece-restored 'red-1'", "reply 'ok':true");
    then_retained(&stage, "ready", "'ready':true 'problems':[]");
    stage_end(&stage);
}

/* The word of a person counts until the sensor sees something new. */
static void a_piece_that_a_person_says_stands_is_believed_to_stand(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "toppled blue-2", "wait 1000", "raise blue-2");
    then_said(&stage, "event/piece-restored 'piece':'blue-2'", "reply 'ok':true");
    then_retained(&stage, "ready", "'ready':true 'problems':[]");
    fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    say(&stage, "toppled blue-2", "wait 1000");
    then_retained(&stage, "ready", "'ready':false");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_table_is_ready),
        cmocka_unit_test(a_game_does_not_start_while_a_piece_of_it_lies),
        cmocka_unit_test(a_refused_game_changes_nothing),
        cmocka_unit_test(a_game_that_the_rules_forbid_is_refused_by_them),
        cmocka_unit_test(a_game_starts_anyway_if_somebody_wants_it),
        cmocka_unit_test(only_pieces_of_the_chosen_setup_keep_a_game_from_starting),
        cmocka_unit_test(a_rope_that_is_out_keeps_a_game_from_starting_until_it_is_wound_in),
        cmocka_unit_test(a_sensor_that_is_not_well_is_listed_and_keeps_nobody_from_playing),
        cmocka_unit_test(a_button_starts_a_game_only_at_a_table_that_is_ready),
        cmocka_unit_test(autostart_waits_for_the_table_and_says_so),
        cmocka_unit_test(what_contradicts_the_game_is_listed_until_it_is_put_right),
        cmocka_unit_test(a_piece_that_lay_when_the_game_was_begun_anyway_is_listed_in_it),
        cmocka_unit_test(a_piece_that_a_person_says_stands_is_believed_to_stand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
