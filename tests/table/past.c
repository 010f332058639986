/* Queries about past games: what they answer, and that nothing waits for them. */
#include "stage.h"

#include "journal/replay.h"
#include "table/table.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_SIZE = 128, SEQ_MAX = 512, REPLY_BYTES_MAX = 72 << 10 };

/* The reply to a query, as JSON to be released. */
static json_t *ask(struct stage *stage, const char *verb, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static json_t *ask(struct stage *stage, const char *verb, const char *format, ...)
{
    char fields[FIELDS_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(fields, sizeof fields, format, arguments);
    va_end(arguments);
    const char *reply = fake_table_send(&stage->fake, verb, quoted(fields));
    assert_non_null(reply);
    assert_true(strlen(reply) < REPLY_BYTES_MAX);
    json_t *json = json_loads(reply, 0, NULL);
    assert_non_null(json);
    return json;
}

static void then_refused(json_t *reply, const char *error, const char *message)
{
    assert_false(json_is_true(json_object_get(reply, "ok")));
    assert_string_equal(json_string_value(json_object_get(reply, "error")), error);
    assert_non_null(strstr(json_string_value(json_object_get(reply, "message")), message));
    json_decref(reply);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "null";
}

static uint32_t number_of(const json_t *object, const char *key)
{
    return (uint32_t)json_integer_value(json_object_get(object, key));
}

/* How many games a query lists. */
static size_t count_games(json_t *reply)
{
    size_t count = json_array_size(json_object_get(reply, "games"));

    assert_true(json_is_array(json_object_get(reply, "games")));
    json_decref(reply);
    return count;
}

/* The id of the open game. */
static void open_game(struct stage *stage, char id[GAME_ID_SIZE])
{
    json_t *games = ask(stage, "games", "{'limit':1}");
    const json_t *first = json_array_get(json_object_get(games, "games"), 0);

    assert_string_equal(text_of(first, "ended"), "null");
    snprintf(id, GAME_ID_SIZE, "%s", text_of(first, "game"));
    json_decref(games);
}

/* A game that is abandoned by the next one. */
static void play(struct stage *stage, char id[GAME_ID_SIZE])
{
    fake_table_say(&stage->fake, "abandon", "");
    fake_table_say(&stage->fake, "aim red-1", "");
    fake_table_wait(&stage->fake, 2 * FAKE_SECOND_US);
    open_game(stage, id);
}

/*
 * games
 */

TABLE_TEST(games_are_listed_from_the_newest_to_the_oldest)
{
    char ids[3][GAME_ID_SIZE];

    for (unsigned i = 0; i < 3; i++) {
        play(stage, ids[i]);
    }
    for (unsigned started = 0; started < 2; started++) {
        json_t *reply = ask(stage, "games", "{'id':'g'}");
        const json_t *games = json_object_get(reply, "games");
        assert_string_equal(text_of(reply, "id"), "g");
        assert_false(json_is_true(json_object_get(reply, "more")));
        assert_int_equal(json_array_size(games), 3);
        for (unsigned i = 0; i < 3; i++) {
            const json_t *game = json_array_get(games, i);
            assert_string_equal(text_of(game, "game"), ids[2 - i]);
            assert_string_equal(text_of(game, "scenario"), "none");
            assert_int_equal(number_of(game, "seq"), 4);
            assert_int_equal(json_array_size(json_object_get(game, "players")), 4);
            assert_int_equal(json_array_size(json_object_get(game, "winners")), 0);
            assert_true(strcmp(text_of(game, "ended"), "null") == 0 ||
                        strcmp(text_of(game, "began"), text_of(game, "ended")) <= 0);
            assert_int_equal(strcmp(text_of(game, "ended"), "null") == 0, i == 0);
        }
        json_decref(reply);
        stage_restart(stage);
    }
}

static void knock_everything_over(struct stage *stage)
{
    say(stage, "new-game", "ball-left");
    for (unsigned piece = PIECE_BLUE_1; piece <= PIECE_YELLOW_TOWER; piece++) {
        char line[FIELDS_SIZE];
        snprintf(line, sizeof line, "toppled %s", rules_piece_name((enum piece)piece));
        fake_table_say(&stage->fake, line, "");
    }
    fake_table_say(&stage->fake, "window-over", "");
}

/* It is over, but the next undo would continue it: until another game begins it has not ended. */
TABLE_TEST(a_game_that_is_over_has_winners_and_ends_when_the_next_one_begins)
{
    static const char *const ends[] = {"null", "2023-"};

    knock_everything_over(stage);
    for (unsigned started = 0; started < 2; started++) {
        json_t *reply = ask(stage, "games", "{}");
        const json_t *game = json_array_get(json_object_get(reply, "games"), started);
        const json_t *winners = json_object_get(game, "winners");
        assert_int_equal(json_array_size(winners), 1);
        assert_string_equal(json_string_value(json_array_get(winners, 0)), "Player 1");
        assert_memory_equal(text_of(game, "ended"), ends[started], strlen(ends[started]));
        json_decref(reply);
        fake_table_wait(&stage->fake, 60 * FAKE_SECOND_US);
        fake_table_say(&stage->fake, "abandon", "");
    }
}

TABLE_TEST(in_the_lobby_the_list_is_empty)
{
    json_t *reply = ask(stage, "games", "{}");

    assert_false(json_is_true(json_object_get(reply, "more")));
    assert_int_equal(count_games(reply), 0);
    then_refused(ask(stage, "look-back", "{'seq':1}"), "no-game", "");
    then_refused(ask(stage, "look-back", "{'seq':1,'game':'open-game'}"), "nothing-there",
                 "\"open-game\"");
}

/* Page by page, each game once: also while others begin. */
TABLE_TEST(fifty_stored_games_are_listed_page_by_page)
{
    enum { GAMES = 51, LIMIT = 7 };
    static char ids[GAMES][GAME_ID_SIZE];
    char before[FIELDS_SIZE] = "";
    unsigned listed = 0;
    bool more = true;

    for (unsigned i = 0; i < GAMES; i++) {
        play(stage, ids[i]);
    }
    while (more) {
        json_t *reply = ask(stage, "games", "{'limit':%d%s}", LIMIT, before);
        const json_t *games = json_object_get(reply, "games");
        more = json_is_true(json_object_get(reply, "more"));
        assert_true(json_array_size(games) == LIMIT || !more);
        for (unsigned i = 0; i < json_array_size(games); i++) {
            const char *id = text_of(json_array_get(games, i), "game");
            assert_string_equal(id, ids[GAMES - ++listed]);
            snprintf(before, sizeof before, ",'before':'%s'", id);
        }
        json_decref(reply);
    }
    assert_int_equal(listed, GAMES);
}

TABLE_TEST_WITH(a_game_that_was_removed_is_not_there, "[journal]\nkeep_games = 1\n")
{
    char ids[3][GAME_ID_SIZE];

    for (unsigned i = 0; i < 3; i++) {
        play(stage, ids[i]);
    }
    assert_int_equal(count_games(ask(stage, "games", "{'before':'%s'}", ids[2])), 1);
    then_refused(ask(stage, "games", "{'before':'%s'}", ids[0]), "nothing-there", ids[0]);
    then_refused(ask(stage, "history", "{'game':'%s'}", ids[0]), "nothing-there", ids[0]);
    then_refused(ask(stage, "look-back", "{'game':'%s','seq':1}", ids[0]), "nothing-there", ids[0]);
    then_refused(ask(stage, "history", "{'game':'../open-game'}"), "nothing-there", "../open-game");
}

/*
 * Damage
 */

/* Changes the byte at that place, or the first of that text, in the file of a finished game. */
static void damage(struct stage *stage, const char *id, size_t byte, const char *text)
{
    char name[DISK_NAME_SIZE];
    size_t size;

    snprintf(name, sizeof name, "%s.journal", id);
    const uint8_t *data = fake_disk_get(stage->fake.disk, name, &size);
    assert_non_null(data);
    uint8_t *damaged = malloc(size);
    memcpy(damaged, data, size);
    uint8_t *place = text ? memmem(damaged, size, text, strlen(text)) : damaged + byte;
    assert_non_null(place);
    *place ^= 1;
    fake_disk_put(stage->fake.disk, name, damaged, size);
    free(damaged);
}

TABLE_TEST(of_a_damaged_game_the_events_before_the_damage_are_told)
{
    char first[GAME_ID_SIZE];
    char second[GAME_ID_SIZE];

    play(stage, first);
    fake_table_say(&stage->fake, "aim red-2", "");
    play(stage, second);
    damage(stage, first, 0, " aim ");
    json_t *reply = ask(stage, "games", "{}");
    const json_t *game = json_array_get(json_object_get(reply, "games"), 1);
    assert_string_equal(text_of(game, "game"), first);
    assert_true(json_is_true(json_object_get(game, "damaged")));
    assert_int_equal(number_of(game, "seq"), 3);
    json_decref(reply);
    reply = ask(stage, "history", "{'game':'%s','states':true}", first);
    assert_int_equal(json_array_size(json_object_get(reply, "events")), 3);
    assert_int_equal(json_array_size(json_object_get(reply, "states")), 1);
    assert_int_equal(number_of(reply, "seq"), 3);
    json_decref(reply);
    then_refused(ask(stage, "look-back", "{'game':'%s','seq':4}", first), "bad-value", "1 to 3");
}

TABLE_TEST(a_game_of_which_nothing_can_be_read_is_not_listed)
{
    char first[GAME_ID_SIZE];
    char second[GAME_ID_SIZE];

    play(stage, first);
    play(stage, second);
    damage(stage, first, 20, NULL); /* in the header: its version, and so its checksum */
    fake_disk_put(stage->fake.disk, "notes.journal", "no journal\n", 11);
    assert_int_equal(count_games(ask(stage, "games", "{}")), 1);
    then_refused(ask(stage, "history", "{'game':'%s'}", first), "storage", "damaged");
    then_refused(ask(stage, "look-back", "{'game':'notes','seq':1}"), "storage", "damaged");
}

TABLE_TEST(a_disk_that_cannot_be_read_is_reported_and_the_open_game_is_told)
{
    const struct fake_faults broken = {.fail_at = 1, .fail_count = 1000000, .fail_errno = EIO};
    char first[GAME_ID_SIZE];
    char second[GAME_ID_SIZE];

    play(stage, first);
    play(stage, second);
    fake_disk_set_faults(stage->fake.disk, &broken);
    then_refused(ask(stage, "games", "{}"), "storage", "Input/output error");
    then_refused(ask(stage, "history", "{'game':'%s'}", first), "storage", "Input/output error");
    json_t *reply = ask(stage, "look-back", "{'game':'%s','seq':4}", second);
    assert_string_equal(text_of(json_object_get(reply, "state"), "shooter"), "red-1");
    json_decref(reply);
    fake_disk_set_faults(stage->fake.disk, NULL);
}

/*
 * Nothing waits
 */

static void post(struct stage *stage, const char *topic, const char *payload)
{
    table_news(stage->fake.table, &(struct bus_news){
                                      .kind = BUS_MESSAGE,
                                      .topic = topic,
                                      .payload = payload,
                                      .size = strlen(payload),
                                  });
}

TABLE_TEST(a_command_does_not_wait_for_a_query)
{
    say(stage, "new-game");
    stage->seen = fake_bus_count(stage->fake.bus);
    post(stage, FAKE_BASE "command/games", "{\"id\":\"g\"}");
    assert_int_equal(table_query_due_us(stage->fake.table), 0);
    post(stage, FAKE_BASE "command/aim", "{\"id\":\"a\",\"piece\":\"red-1\"}");
    fake_table_hear(&stage->fake);
    then_said(stage, "event/aimed", "reply 'id':'a'", "reply 'id':'g' 'games':[");
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    assert_true(table_query_due_us(stage->fake.table) > 0);
}

TABLE_TEST(the_next_query_waits_for_the_processor_time_of_the_last_one_within_bounds)
{
    static const struct {
        uint64_t used_us;
        uint64_t pause_us;
    } queries[] = {{0, 10000}, {300000, 300000}, {30 * FAKE_SECOND_US, FAKE_SECOND_US}};

    say(stage, "new-game");
    for (unsigned i = 0; i < 3; i++) {
        fake_table_wait(&stage->fake, 2 * FAKE_SECOND_US);
        post(stage, FAKE_BASE "command/games", "{}");
        stage->fake.now_us += FAKE_SECOND_US; /* it may have waited for a processor */
        stage->fake.job_used_us = queries[i].used_us;
        fake_table_hear(&stage->fake);
        assert_int_equal(table_query_due_us(stage->fake.table),
                         stage->fake.now_us + queries[i].pause_us);
    }
}

/* The answer is that of the moment of the query, whatever happens while it is computed. */
TABLE_TEST(a_game_that_begins_meanwhile_is_not_in_the_answer)
{
    char first[GAME_ID_SIZE];

    play(stage, first);
    stage->seen = fake_bus_count(stage->fake.bus);
    post(stage, FAKE_BASE "command/games", "{\"id\":\"g\"}");
    post(stage, FAKE_BASE "command/new-game", "{\"abandon\":true}");
    fake_table_hear(&stage->fake);
    then_said(stage, "event/game-started", "event/turn-started", "event/phase-started",
              "reply 'id':null", "reply 'id':'g' 'more':false,'games':[{'game': 'ended':null");
    assert_int_equal(count_games(ask(stage, "games", "{}")), 2);
}

TABLE_TEST(an_answer_outlives_a_lost_connection_and_there_is_one_query_at_a_time)
{
    say(stage, "new-game");
    stage->seen = fake_bus_count(stage->fake.bus);
    post(stage, FAKE_BASE "command/games", "{\"id\":\"one\"}");
    table_news(stage->fake.table, &(struct bus_news){.kind = BUS_DISCONNECTED, .reason = "gone"});
    table_news(stage->fake.table, &(struct bus_news){.kind = BUS_CONNECTED});
    assert_int_equal(table_query_due_us(stage->fake.table), 0);
    post(stage, FAKE_BASE "command/games", "{\"id\":\"two\"}");
    fake_table_hear(&stage->fake);
    then_said(stage, "reply 'id':'one' 'ok':true");
}

/*
 * Every step
 */

/* Keeps the first state that was published for each seq. */
struct live {
    char *states[SEQ_MAX];
    uint32_t last;
};

static void watch(void *self, const struct fake_message *message)
{
    struct live *live = self;

    if (strcmp(message->topic, FAKE_BASE "state") == 0) {
        json_t *state = json_loads(message->payload, 0, NULL);
        uint32_t seq = number_of(state, "seq");
        json_decref(state);
        assert_true(seq < SEQ_MAX);
        if (!live->states[seq]) {
            live->states[seq] = strdup(message->payload);
        }
        live->last = seq;
    }
}

static void compare_states(const json_t *state, const char *published)
{
    json_t *expected = json_loads(published, 0, NULL);

    if (!json_equal(state, expected)) {
        char *text = json_dumps(state, JSON_COMPACT);
        assert_string_equal(text, published);
    }
    json_decref(expected);
}

/* What docs/mqtt.md says. */
static void apply_changes(json_t *state, json_t *changes)
{
    json_t *pieces = json_object_get(changes, "pieces");

    if (pieces) {
        json_object_update(json_object_get(state, "pieces"), pieces);
        json_object_del(changes, "pieces");
    }
    json_object_update(state, changes);
}

/* Draws the game from its history, and compares each step with what was published. */
static unsigned draw_history(struct stage *stage, const char *id, const struct live *live)
{
    unsigned steps = 0;
    uint32_t from = 1;

    for (bool more = true; more;) {
        json_t *reply = ask(stage, "history", "{'game':'%s','from':%u,'states':true}", id, from);
        const json_t *events = json_object_get(reply, "events");
        json_t *states = json_object_get(reply, "states");
        json_t *state = NULL;
        size_t place;
        json_t *entry;
        json_array_foreach(states, place, entry)
        {
            json_t *changes = json_object_get(entry, "changes");
            assert_int_equal(changes == NULL, place == 0);
            state = changes ? state : json_object_get(entry, "state");
            if (changes) {
                apply_changes(state, changes);
            }
            uint32_t seq = number_of(entry, "seq");
            assert_true(seq >= from);
            assert_int_equal(number_of(state, "seq"), seq);
            assert_non_null(live->states[seq]);
            compare_states(state, live->states[seq]);
            steps++;
        }
        more = json_is_true(json_object_get(reply, "more"));
        from += (uint32_t)json_array_size(events);
        json_decref(reply);
    }
    assert_int_equal(from, live->last + 1);
    return steps;
}

/* Also of an event in the middle of a step: it has the state after the step. */
static void look_back_at_all(struct stage *stage, const char *id, const struct live *live)
{
    const char *published = NULL;

    for (uint32_t seq = live->last; seq > 0; seq--) {
        json_t *reply = ask(stage, "look-back", "{'game':'%s','seq':%u}", id, seq);
        published = live->states[seq] ? live->states[seq] : published;
        assert_int_equal(number_of(reply, "seq"), live->last);
        compare_states(json_object_get(reply, "state"), published);
        json_decref(reply);
    }
    then_refused(ask(stage, "look-back", "{'game':'%s','seq':%u}", id, live->last + 1), "bad-value",
                 "\"seq\" must be that of an event of the game");
}

/* Plays the inputs of a recorded game at this table, with their pauses. */
struct actor {
    struct stage *stage;
    uint64_t at_us;
};

static int act(void *self, const struct recalled_step *step)
{
    struct actor *actor = self;
    struct input input = step->record->input;

    input.setup = &step->record->setup;
    if (actor->at_us && input.at_us > actor->at_us) {
        fake_table_wait(&actor->stage->fake, input.at_us - actor->at_us);
    }
    actor->at_us = input.at_us;
    if (input.kind == INPUT_WINDOW_OVER) { /* the table notices it by itself */
        fake_table_say(&actor->stage->fake, "window-over", "");
    } else {
        assert_int_equal(table_repeat(actor->stage->fake.table, &input), 0);
    }
    fake_table_wait(&actor->stage->fake, 10000);
    return 0;
}

static void play_trace(struct stage *stage, const char *path)
{
    struct actor actor = {.stage = stage};
    struct journal_game trace = {0};
    struct recall *recall;

    assert_int_equal(disk_read_path(path, JOURNAL_SIZE_MAX, &trace.data, &trace.size), 0);
    assert_int_equal(recall_open(&recall, NULL), 0);
    assert_int_equal(recall_steps(recall, &trace, act, &actor), 0);
    recall_close(recall);
    journal_free_game(&trace);
}

/* A game while it is open, and when it is finished and the daemon has started again. */
static void check_game(void (*play_game)(struct stage *stage, const char *path), const char *path)
{
    struct stage stage;
    struct live live = {.last = 0};
    char id[GAME_ID_SIZE];

    stage_begin(&stage, "");
    fake_bus_set_watch(stage.fake.bus, watch, &live);
    play_game(&stage, path);
    fake_bus_set_watch(stage.fake.bus, NULL, NULL);
    open_game(&stage, id);
    assert_true(draw_history(&stage, id, &live) > 5);
    look_back_at_all(&stage, id, &live);
    fake_table_say(&stage.fake, "abandon", "");
    stage_restart(&stage);
    draw_history(&stage, id, &live);
    look_back_at_all(&stage, id, &live);
    for (unsigned seq = 0; seq < SEQ_MAX; seq++) {
        free(live.states[seq]);
    }
    stage_end(&stage);
}

/* More events than a reply has, and more bytes. */
static void play_long_game(struct stage *stage, const char *path)
{
    (void)path;
    fake_table_say(&stage->fake, "new-game", "");
    for (unsigned i = 0; i < 240; i++) {
        fake_table_say(&stage->fake, i % 2 ? "aim red-1" : "aim red-tower", "");
        fake_table_wait(&stage->fake, 10000);
    }
}

TEST(a_long_game_is_told_in_parts)
{
    check_game(play_long_game, NULL);
}

TEST(the_past_of_every_recorded_game_is_what_was_published)
{
    static const char *const traces[] = {TRACES}; /* all of tests/traces/ */

    for (unsigned i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        check_game(play_trace, traces[i]);
    }
}
