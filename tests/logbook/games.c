/* Games as they are stored and read again: each event once, each step drawable, lists page by page.
 */
#include "support/test.h"
#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST_EACH(trial_begin, trial_end)

static const char game[] = "20260501-180000-a";
static const char players[] = "Anna red, Ben blue";

/* A game with many steps: events 1 to count, each with its state, in parts as a table sends them.
 */
static void store_part(int from, int to, bool is_last)
{
    char line[64];
    char *script = calloc(1, (size_t)to * sizeof line);
    json_t *states = json_array();

    for (int seq = 1; seq <= to; seq++) {
        snprintf(line, sizeof line, "%d 1 aimed piece=red-1\n", seq);
        strcat(script, line);
    }
    json_t *all = trial_events(game, script);
    json_t *events = json_array();
    for (int seq = from; seq <= to; seq++) {
        char phase[16];
        json_array_append(events, json_array_get(all, (size_t)seq - 1));
        snprintf(phase, sizeof phase, "p%d", seq);
        json_array_append_new(
            states, seq == from ? json_pack("{s:i, s:o}", "seq", seq, "state",
                                            trial_state("none", players, seq, phase))
                                : json_pack("{s:i, s:{s:i, s:s, s:{s:{s:s}}}}", "seq", seq,
                                            "changes", "seq", seq, "phase", phase, "pieces",
                                            "red-1", "status", seq % 2 ? "standing" : "flat"));
    }
    assert_true(book_store(&book, "den", game, events, states, is_last) >= 0);
    free(script);
    json_decref(all);
    json_decref(events);
    json_decref(states);
}

static json_t *draw(json_t *state, const json_t *entry)
{
    const char *key;
    json_t *value;
    json_t *changes = json_object_get(entry, "changes");

    if (!changes) {
        json_decref(state);
        return json_deep_copy(json_object_get(entry, "state"));
    }
    json_object_foreach(changes, key, value)
    {
        if (strcmp(key, "pieces") == 0) {
            json_object_update(json_object_get(state, key), value);
        } else {
            json_object_set(state, key, value);
        }
    }
    return state;
}

/* Each step of the reply has the state that it had at the table. */
static int check_steps(const json_t *reply, int from)
{
    json_t *state = NULL;
    size_t i;
    json_t *entry;

    assert_non_null(json_object_get(json_array_get(json_object_get(reply, "states"), 0), "state"));
    json_array_foreach(json_object_get(reply, "states"), i, entry)
    {
        char phase[16];
        state = draw(state, entry);
        snprintf(phase, sizeof phase, "p%d", from + (int)i);
        expect(entry, "seq", phase + 1);
        expect(state, "seq", phase + 1);
        assert_string_equal(json_string_value(json_object_get(state, "phase")), phase);
        assert_int_equal(json_object_size(json_object_get(state, "pieces")), 2);
    }
    json_decref(state);
    return (int)i;
}

TEST(every_step_can_be_drawn_from_any_place)
{
    store_part(1, 100, false);
    store_part(101, 150, false);
    store_part(151, 160, true);
    for (int from = 1; from <= 160; from += 13) {
        char payload[64];
        snprintf(payload, sizeof payload, "{'game':'%s','from':%d}", game, from);
        json_t *reply = trial_ask("game", payload);
        assert_int_equal(check_steps(reply, from), 161 - from);
        expect(reply, "more", "false");
        json_decref(reply);
    }
}

TEST(a_long_game_comes_page_by_page)
{
    store_part(1, 300, true);
    json_t *reply = trial_ask("game", "{'game':'20260501-180000-a','limit':100}");
    assert_int_equal(check_steps(reply, 1), 100);
    expect(reply, "more", "true");
    expect(reply, "events.99.seq", "100");
    json_decref(reply);
    reply = trial_ask("game", "{'game':'20260501-180000-a','from':201,'limit':100}");
    assert_int_equal(check_steps(reply, 201), 100);
    expect(reply, "more", "false");
    json_decref(reply);
}

TEST(an_event_is_stored_once)
{
    json_t *events =
        trial_events(game, "1 1 game-started first=1\n1 1 shot-fired\n1 1 shot-over\n");

    assert_int_equal(book_store(&book, "den", game, events, NULL, false), 3);
    assert_int_equal(book_store(&book, "den", game, events, NULL, false), 0);
    json_array_append_new(events, json_deep_copy(json_array_get(events, 1)));
    assert_int_equal(book_store(&book, "den", game, events, NULL, false), 0);
    json_decref(events);
    json_t *reply = trial_ask("game", "{'game':'20260501-180000-a'}");
    assert_int_equal(json_array_size(json_object_get(reply, "events")), 3);
    json_decref(reply);
}

TEST(a_gap_is_noticed_and_nothing_is_stored)
{
    struct book_progress progress;
    json_t *events =
        trial_events(game, "1 1 game-started first=1\n1 1 shot-fired\n1 1 shot-over\n");

    json_array_remove(events, 1);
    assert_int_equal(book_store(&book, "den", game, events, NULL, false), -ENODATA);
    assert_int_equal(book_find(&book, "den", game, &progress), 0);
    assert_int_equal(progress.number, 0);
    json_decref(events);
}

TEST(what_no_table_sends_is_refused)
{
    static const char *const changes[] = {
        "{\"seq\":0}",
        "{\"seq\":\"1\"}",
        "{\"seq\":9999999}",
        "{\"at\":\"yesterday\"}",
        "{\"turn\":-1}",
        "{\"game\":\"another\"}",
        "{\"event_type\":\"a b\"}",
        "{\"event_type\":null}",
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *events = trial_events(game, "1 1 game-started first=1\n");
        json_t *change = json_loads(changes[i], 0, NULL);
        json_object_update(json_array_get(events, 0), change);
        assert_int_equal(book_store(&book, "den", game, events, NULL, false), -EINVAL);
        json_decref(change);
        json_decref(events);
    }
}

TEST(a_long_event_is_refused)
{
    json_t *events = trial_events(game, "1 1 game-started first=1\n");
    char *text = calloc(1, BOOK_EVENT_MAX + 1);

    memset(text, 'x', BOOK_EVENT_MAX);
    json_object_set_new(json_array_get(events, 0), "message", json_string(text));
    assert_int_equal(book_store(&book, "den", game, events, NULL, false), -EINVAL);
    free(text);
    json_decref(events);
}

TEST(a_game_belongs_to_one_table)
{
    json_t *events = trial_events(game, "1 1 game-started first=1\n1 1 shot-fired\n");

    assert_int_equal(book_store(&book, "den", game, events, NULL, false), 2);
    assert_int_equal(book_store(&book, "attic", game, events, NULL, false), -EINVAL);
    json_decref(events);
}

static void play_some(int count)
{
    for (int i = 0; i < count; i++) {
        char id[32];
        snprintf(id, sizeof id, "202605%02d-180000-a", i + 1);
        trial_play(id, i % 2 ? "kraken" : "none", i % 3 ? players : "Cleo red, Ben blue",
                   "1 1 game-started first=1\n1 1 game-over ranking=1:2,2:1\n");
    }
}

static void expect_games(const char *payload, const char *first, size_t count, const char *more)
{
    json_t *reply = trial_ask("games", payload);

    expect(reply, "games.0.game", first);
    assert_int_equal(json_array_size(json_object_get(reply, "games")), count);
    expect(reply, "more", more);
    json_decref(reply);
}

TEST(games_are_listed_newest_first_and_filtered)
{
    play_some(25);
    expect_games("", "'20260525-180000-a'", 20, "true");
    expect_games("{'before':'20260506-180000-a'}", "'20260505-180000-a'", 5, "false");
    expect_games("{'limit':3,'before':'20260506-180000-a'}", "'20260505-180000-a'", 3, "true");
    expect_games("{'scenario':'kraken','limit':100}", "'20260524-180000-a'", 12, "false");
    expect_games("{'player':'CLEO','limit':100}", "'20260525-180000-a'", 9, "false");
    expect_games("{'from':'2026-05-03','to':'2026-05-05'}", "'20260505-180000-a'", 3, "false");
    expect_games("{'from':'2026-05','to':'2026-05','limit':100}", "'20260525-180000-a'", 25,
                 "false");
    expect_games("{'to':'2026-04'}", "null", 0, "false");
    expect_games("{'table':'attic'}", "null", 0, "false");
}

TEST(of_the_games_without_an_end_the_last_one_of_its_table_is_running)
{
    trial_play("20260401-180000-a", "none", players, "1 1 game-started first=1\n");
    trial_play("20260402-180000-a", "none", players, "1 1 game-started first=1\n");
    json_t *events = trial_events("20260503-180000-b", "1 1 game-started first=1\n");
    assert_int_equal(book_store(&book, "attic", "20260503-180000-b", events, NULL, false), 1);
    json_decref(events);
    json_t *reply = trial_ask("games", "");
    expect(reply, "games.0.running", "true");
    expect(reply, "games.1.running", "true");
    expect(reply, "games.2.running", "false");
    json_decref(reply);
    play_some(3);
    reply = trial_ask("games", "");
    expect(reply, "games.0.game", "'20260503-180000-b'");
    expect(reply, "games.0.running", "true");
    expect(reply, "games.1.ended", "'2026-05-03T18:00:02.000Z'");
    expect(reply, "games.1.running", "false");
    expect(reply, "games.4.ended", "null");
    expect(reply, "games.4.running", "false");
    json_decref(reply);
}

TEST(a_wrong_question_gets_a_sentence)
{
    static const struct {
        const char *verb;
        const char *payload;
        const char *error;
    } wrong[] = {
        {"games", "[]", "'bad-json'"},
        {"games", "{", "'bad-json'"},
        {"games", "{'limit':1,'limit':2}", "'bad-json'"},
        {"games", "{'limit':101}", "'bad-value'"},
        {"games", "{'limit':'3'}", "'bad-value'"},
        {"games", "{'from':'May'}", "'bad-value'"},
        {"games", "{'plaier':'Anna'}", "'bad-value'"},
        {"games", "{'player':'Nobody'}", "'not-found'"},
        {"games", "{'player':'  '}", "'not-found'"},
        {"games", "{'before':'x'}", "'not-found'"},
        {"game", "{}", "'missing-field'"},
        {"game", "{'game':'x'}", "'not-found'"},
        {"game", "{'game':4}", "'bad-value'"},
        {"progress", "{}", "'missing-field'"},
        {"merge", "{'player':'Ana','into':'Anna'}", "'unknown-command'"},
        {"fire", "", "'unknown-command'"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        json_t *reply = trial_ask(wrong[i].verb, wrong[i].payload);
        expect(reply, "ok", "false");
        expect(reply, "error", wrong[i].error);
        assert_true(strlen(json_string_value(json_object_get(reply, "message"))) > 10);
        json_decref(reply);
    }
}

static void expect_message(const char *verb, const char *payload, const char *message)
{
    json_t *reply = trial_ask(verb, payload);

    expect(reply, "error", "'bad-value'");
    assert_string_equal(json_string_value(json_object_get(reply, "message")), message);
    json_decref(reply);
}

TEST(an_unknown_field_is_named_with_the_nearest_or_all)
{
    expect_message("games", "{'plaier':'Anna'}",
                   "Unknown field \"plaier\"; did you mean \"player\"?");
    expect_message("games", "{'x':1}",
                   "Unknown field \"x\"; games has these: id, table, player, scenario, from, to, "
                   "before, limit.");
    expect_message("records", "{'x':1}", "Unknown field \"x\"; records has these: id.");
}

TEST(the_id_comes_back)
{
    json_t *reply = trial_ask("players", "{'id':'q1'}");
    expect(reply, "", "{'id':'q1','ok':true,'players':[],'more':false}");
    json_decref(reply);
    reply = trial_ask("fire", "{'id':'q2'}");
    expect(reply, "id", "'q2'");
    json_decref(reply);
}

TEST(a_database_of_a_later_version_is_refused)
{
    char problem[DATABASE_PROBLEM_SIZE];

    assert_int_equal(
        book.database.run(book.database.self, "UPDATE logbook SET version = 99", NULL, NULL, NULL),
        0);
    book_close(&book);
    assert_int_equal(book_open(&book, trial_database(), problem, sizeof problem), -EPROTO);
    assert_non_null(strstr(problem, "version 99"));
}

TEST(a_backup_is_a_complete_copy)
{
    trial_play(game, "none", players, "1 1 game-started first=1\n1 1 game-over ranking=1:2,2:1\n");
    json_t *reply = trial_command("backup", "");
    if (strcmp(book.database.name, "SQLite") != 0) {
        expect(reply, "error", "'storage'");
        json_decref(reply);
        return;
    }
    expect(reply, "file", "'./logbook-backup.db'");
    json_decref(reply);
    struct book copy;
    struct book_progress progress;
    char problem[DATABASE_PROBLEM_SIZE];
    assert_int_equal(book_open(&copy, "sqlite:./logbook-backup.db", problem, sizeof problem), 0);
    assert_int_equal(book_find(&copy, "den", game, &progress), 0);
    assert_int_equal(progress.seq, 2);
    book_close(&copy);
    unlink("logbook-backup.db");
}
