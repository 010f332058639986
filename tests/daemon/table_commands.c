/* Commands and their replies, at the table itself. */
#include "table_stage.h"

#include "tests/support/fake_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *send(struct stage *stage, const char *verb, const char *json)
{
    stage->seen = fake_bus_count(stage->fake.bus);
    return fake_table_send(&stage->fake, verb, quoted(json));
}

static void an_accepted_command_is_answered_with_its_seq_after_its_events(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "new-game", "{'id':'a'}");
    then_said(&stage, "event/game-started 'seq':1 'first':1", "event/turn-started 'seq':2",
              "event/phase-started 'seq':3 'phase':'shooting'",
              "reply {'id':'a','ok':true,'seq':3,'messages':[");
    then_retained(&stage, "state", "'seq':3 'phase':'shooting'");
    then_retained(&stage, "score", "'seq':3 'phase':'shooting'");
    stage_end(&stage);
}

static void a_command_without_an_id_is_carried_out_each_time(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "aim red-1", "aim red-1");
    then_said(&stage, "event/aimed 'seq':5", "reply {'id':null,'ok':true,'seq':5,'messages':[");
    stage_end(&stage);
}

static void a_repeated_id_is_carried_out_once_and_answered_alike(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    send(&stage, "aim", "{'id':'a','piece':'red-1'}");
    then_said(&stage, "event/aimed 'seq':4", "reply {'id':'a','ok':true,'seq':4,'messages':[");
    say(&stage, "aim red-2");
    send(&stage, "aim", "{'id':'a','piece':'red-1'}");
    then_said(&stage, "reply {'id':'a','ok':true,'seq':4,'messages':[");
    send(&stage, "end-phase", "{'id':'a'}");
    then_said(&stage, "reply {'id':'a','ok':true,'seq':4,'messages':[");
    stage_end(&stage);
}

static void a_repeated_id_is_answered_alike_after_a_restart(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "new-game", "{'id':'a'}");
    send(&stage, "aim", "{'id':'b','piece':'red-1'}");
    stage_restart(&stage);
    send(&stage, "aim", "{'id':'b','piece':'red-1'}");
    then_said(&stage, "reply {'id':'b','ok':true,'seq':4,'messages':[");
    send(&stage, "new-game", "{'id':'a','abandon':true}");
    then_said(&stage, "reply {'id':'a','ok':true,'seq':3,'messages':[");
    stage_end(&stage);
}

static void a_refusal_is_answered_alike_too_and_changes_nothing(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    send(&stage, "roll-move", "{'id':'a','value':2}");
    then_said(&stage, "reply 'id':'a' 'ok':false 'error':'not-in-phase' 'rule':'G3'");
    say(&stage, "end-phase");
    send(&stage, "roll-move", "{'id':'a','value':2}");
    then_said(&stage, "reply 'id':'a' 'ok':false 'error':'not-in-phase' 'rule':'G3'");
    send(&stage, "roll-move", "{'id':'b','value':2}");
    then_said(&stage, "event/move-rolled", "reply 'id':'b' 'ok':true");
    stage_end(&stage);
}

static void what_cannot_be_read_is_answered_alike_too(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    send(&stage, "aim", "{'id':'a','piece':'red-9'}");
    then_said(&stage, "reply 'id':'a' 'error':'unknown-piece'");
    say(&stage, "new-game");
    send(&stage, "aim", "{'id':'a','piece':'red-1'}");
    then_said(&stage, "reply 'id':'a' 'error':'unknown-piece'");
    send(&stage, "aim", "not json");
    then_said(&stage, "reply 'id':null 'error':'bad-json'");
    send(&stage, "dance", "{}");
    then_said(&stage, "reply 'error':'unknown-command'");
    stage_end(&stage);
}

static void a_retained_command_is_ignored(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    stage.seen = fake_bus_count(stage.fake.bus);
    fake_table_message(&stage.fake, &(struct bus_news){
                                        .kind = BUS_MESSAGE,
                                        .topic = FAKE_BASE "command/new-game",
                                        .payload = "{}",
                                        .size = 2,
                                        .retained = true,
                                    });
    then_nothing_said(&stage);
    assert_int_equal(table_game(stage.fake.table)->phase, PHASE_LOBBY);
    assert_true(fake_log_has("retained"));
    stage_end(&stage);
}

static void the_reply_goes_where_the_command_wants_it(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    fake_table_message(&stage.fake, &(struct bus_news){
                                        .kind = BUS_MESSAGE,
                                        .topic = FAKE_BASE "command/aim",
                                        .payload = "{}",
                                        .size = 2,
                                        .response_topic = "phone/7",
                                        .correlation = "x\0y",
                                        .correlation_size = 3,
                                    });
    const struct fake_message *last =
        fake_bus_message(stage.fake.bus, fake_bus_count(stage.fake.bus) - 1);
    assert_string_equal(last->topic, "phone/7");
    assert_int_equal(last->correlation_size, 3);
    assert_memory_equal(last->correlation, "x\0y", 3);
    assert_false(last->retain);
    assert_int_equal(last->qos, 1);
    then_has(last->payload, "'ok':false 'error':'missing-field'");
    stage_end(&stage);
}

/* The daemon may write where whoever asks may not, so it is not lent to them as a pen. */
static void a_reply_goes_to_no_other_topic_of_a_table(void **state)
{
    static const struct {
        const char *asked;
        const char *answered;
    } topics[] = {
        {FAKE_BASE "reply/phone", FAKE_BASE "reply/phone"},
        {FAKE_BASE "status", FAKE_BASE "reply"},
        {FAKE_BASE "command/undo", FAKE_BASE "reply"},
        {FAKE_BASE "reply", FAKE_BASE "reply"},
        {FAKE_BASE "answers", FAKE_BASE "answers"},
        {FAKE_BASE "statuses", FAKE_BASE "statuses"},
        {"shipahoy/phones", "shipahoy/phones"},
        {"shipahoy/attic/event/foul", FAKE_BASE "reply"},
        {"shipahoy/attic/status", FAKE_BASE "reply"},
        {"shipahoyage/status", "shipahoyage/status"},
    };
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        fake_table_message(&stage.fake, &(struct bus_news){
                                            .kind = BUS_MESSAGE,
                                            .topic = FAKE_BASE "command/aim",
                                            .payload = "{}",
                                            .size = 2,
                                            .response_topic = topics[i].asked,
                                        });
        const struct fake_message *last =
            fake_bus_message(stage.fake.bus, fake_bus_count(stage.fake.bus) - 1);
        assert_string_equal(last->topic, topics[i].answered);
    }
    stage_end(&stage);
}

static void start_game_begins_a_game_but_never_leaves_one(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    then_has(fake_table_send(&stage.fake, "start-game", "{}"), "'ok':true");
    then_has(fake_table_send(&stage.fake, "start-game", "{}"), "'error':'game-running'");
    then_has(fake_table_send(&stage.fake, "start-game", "{\"abandon\":true}"),
             "'error':'bad-value'");
    then_has(fake_table_send(&stage.fake, "new-game", "{\"abandon\":true}"), "'ok':true");
    stage_end(&stage);
}

static void without_commands_over_mqtt_nothing_is_carried_out_or_answered(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "[mqtt]\ncommands = no\n[button.end]\nline = GPIO5\ncommand = new-game\n");
    say(&stage, "new-game");
    then_nothing_said(&stage);
    say(&stage, "button 0");
    then_said(&stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'ok':true");
    stage_end(&stage);
}

static void a_message_for_another_table_is_not_heard(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    stage.seen = fake_bus_count(stage.fake.bus);
    fake_table_message(&stage.fake, &(struct bus_news){
                                        .kind = BUS_MESSAGE,
                                        .topic = "shipahoy/attic/command/new-game",
                                        .payload = "{}",
                                        .size = 2,
                                    });
    then_nothing_said(&stage);
    assert_int_equal(table_game(stage.fake.table)->phase, PHASE_LOBBY);
    stage_end(&stage);
}

static void simulated_edges_are_taken_over_the_bus(void **state)
{
    struct stage stage;
    struct bus_news edge = {
        .kind = BUS_MESSAGE, .topic = FAKE_BASE "sim/blue-2/tilt", .payload = "1", .size = 1};

    (void)state;
    stage_begin(&stage, "");
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "blue-2.tilt 1");
    edge.payload = "0";
    edge.retained = true;
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "blue-2.tilt 1");
    edge.retained = false;
    edge.payload = "2";
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "blue-2.tilt 1");
    assert_true(fake_log_has("expected 0 or 1"));
    edge.payload = "1";
    edge.topic = FAKE_BASE "sim/harbour/red/dock";
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "harbour.red.dock 1");
    edge.topic = FAKE_BASE "sim/blue-2.tilt"; /* as topics once were */
    fake_table_message(&stage.fake, &edge);
    assert_string_equal(stage.fake.simulated, "harbour.red.dock 1");
    stage_end(&stage);
}

/*
 * History
 */

static void history_gives_the_events_since_with_their_first_words(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game", "ball-left speed_mps=4.125");
    const char *event = fake_bus_message(stage.fake.bus, stage.seen)->payload;
    const char *reply = send(&stage, "history", "{'id':'h','from':4}");
    char expected[2048];
    snprintf(expected, sizeof expected,
             "{\"id\":\"h\",\"ok\":true,\"seq\":4,\"more\":false,\"events\":[%s]}", event);
    assert_string_equal(reply, expected);
    reply = send(&stage, "history", "{'from':5}");
    then_has(reply, "'seq':4 'more':false 'events':[]");
    stage_end(&stage);
}

static void history_that_does_not_fit_says_that_there_is_more(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    for (unsigned i = 0; i < 120; i++) {
        say(&stage, "aim red-1");
    }
    const char *reply = send(&stage, "history", "{}");
    then_has(reply, "'seq':123 'more':true 'seq':100,");
    assert_null(strstr(reply, "\"seq\":101,"));
    reply = send(&stage, "history", "{'from':101}");
    then_has(reply, "'more':false 'seq':101, 'seq':123,");
    stage_end(&stage);
}

static void history_in_the_lobby_is_refused(void **state)
{
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    then_has(send(&stage, "history", "{}"), "'ok':false 'error':'no-game'");
    stage_end(&stage);
}

static void history_needs_no_disk(void **state)
{
    const struct fake_faults broken = {.fail_at = 1, .fail_count = 1000, .fail_errno = 5};
    struct stage stage;

    (void)state;
    stage_begin(&stage, "");
    say(&stage, "new-game");
    fake_disk_set_faults(stage.fake.disk, &broken);
    then_has(send(&stage, "history", "{'id':'h'}"), "'id':'h' 'ok':true 'seq':3,");
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accepted_command_is_answered_with_its_seq_after_its_events),
        cmocka_unit_test(a_command_without_an_id_is_carried_out_each_time),
        cmocka_unit_test(a_repeated_id_is_carried_out_once_and_answered_alike),
        cmocka_unit_test(a_repeated_id_is_answered_alike_after_a_restart),
        cmocka_unit_test(a_refusal_is_answered_alike_too_and_changes_nothing),
        cmocka_unit_test(what_cannot_be_read_is_answered_alike_too),
        cmocka_unit_test(a_retained_command_is_ignored),
        cmocka_unit_test(the_reply_goes_where_the_command_wants_it),
        cmocka_unit_test(a_reply_goes_to_no_other_topic_of_a_table),
        cmocka_unit_test(start_game_begins_a_game_but_never_leaves_one),
        cmocka_unit_test(without_commands_over_mqtt_nothing_is_carried_out_or_answered),
        cmocka_unit_test(a_message_for_another_table_is_not_heard),
        cmocka_unit_test(simulated_edges_are_taken_over_the_bus),
        cmocka_unit_test(history_gives_the_events_since_with_their_first_words),
        cmocka_unit_test(history_that_does_not_fit_says_that_there_is_more),
        cmocka_unit_test(history_in_the_lobby_is_refused),
        cmocka_unit_test(history_needs_no_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
