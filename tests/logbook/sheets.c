/* Games with a score sheet: stored before they are shown, once, and the same after a restart. */
#include "support/test.h"
#include "trial.h"

#include "logbook/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_SIZE = 64 };

static struct sheet_files files;
static struct scoring *scoring;
static char directory[ID_SIZE];

static void write_sheet(const char *name, const char *text)
{
    char path[2 * ID_SIZE];

    snprintf(path, sizeof path, "%s/%s.ini", directory, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static const char dice[] =
    "[sheet]\ntitle = Dice\ntitle.de = W\xc3\xbcrfel\nplayers = 1-4\nscore = points + hidden\n"
    "final = Count the hidden ones.\n"
    "[counter.points]\nlabel = Points\nlabel.cs = Body\nmax = 50\n"
    "[counter.hidden]\nlabel = Hidden\nsecret = yes\nmax = 9\n"
    "[counter.bank]\nof = table\nstart = 10\n"
    "[flag.ready]\nlabel = Ready\n"
    "[hint.bank]\nwhen = bank < 3\ntext = The bank is nearly empty.\n"
    "[end.bank]\nwhen = bank = 0\ntext = The bank is empty.\n";

static void restart(void)
{
    struct scoring_ports ports = {NULL, &book, &files, trial_show};

    scoring_close(scoring);
    trial_forget_shown();
    assert_int_equal(scoring_open(&scoring, &ports), 0);
    assert_int_equal(scoring_show(scoring), 0);
}

static int begin(void **state)
{
    int error = trial_begin(state);

    snprintf(directory, sizeof directory, "sheets-%d", (int)getpid());
    mkdir(directory, 0777);
    write_sheet("dice", dice);
    write_sheet("broken", "[sheet]\ntitle = Broken\nplayers = 99\n");
    sheet_files_read(&files, directory);
    restart();
    return error;
}

static int end(void **state)
{
    char path[2 * ID_SIZE];

    scoring_close(scoring);
    scoring = NULL;
    sheet_files_forget(&files);
    snprintf(path, sizeof path, "%s/dice.ini", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/broken.ini", directory);
    unlink(path);
    rmdir(directory);
    return trial_end(state);
}

TEST_EACH(begin, end)

/* Its fields may name the game as ID. */
static json_t *send(enum answer_door door, const char *verb, const char *payload, const char *game)
{
    struct answer_settings settings = {.directory = ".", .scoring = scoring, .files = &files};

    return trial_send(&settings, door, verb, payload, game);
}

static void open_dice(const char *id, char game[ID_SIZE])
{
    char payload[256];

    snprintf(payload, sizeof payload,
             "{'id':'%s','name':'dice','players':[{'name':'Anna'},{'name':'Ben'}]}", id);
    json_t *reply = send(ANSWER_COMMAND, "open-sheet", payload, "");
    expect(reply, "ok", "true");
    snprintf(game, ID_SIZE, "%s", json_string_value(json_object_get(reply, "sheet")));
    json_decref(reply);
}

/* A command and a value of its reply. */
static void say(enum answer_door door, const char *verb, const char *payload, const char *game,
                const char *path, const char *value)
{
    json_t *reply = send(door, verb, payload, game);

    expect(reply, path, value);
    json_decref(reply);
}

static void count(const char *payload, const char *game)
{
    say(ANSWER_SCORE, "count", payload, game, "ok", "true");
}

static json_t *state_of(const char *game)
{
    return json_object_get(trial_shown, game);
}

TEST(a_change_is_stored_and_shown_and_the_same_after_a_restart)
{
    char game[ID_SIZE];

    open_dice("o1", game);
    count("{'sheet':'ID','counter':'points','player':1,'by':5}", game);
    count("{'sheet':'ID','counter':'bank','to':2}", game);
    say(ANSWER_SCORE, "flag", "{'sheet':'ID','flag':'ready','player':2,'value':true}", game, "seq",
        "3");
    say(ANSWER_SCORE, "round", "{'sheet':'ID'}", game, "ok", "true");
    expect(state_of(game), "seq", "4");
    expect(state_of(game), "round", "2");
    expect(state_of(game), "players.0.counters.points", "5");
    expect(state_of(game), "players.1.flags.ready", "true");
    expect(state_of(game), "hints", "[{'player':null,'text':'The bank is nearly empty.'}]");
    expect(state_of(game), "undo", "{'verb':'round','player':null}");
    expect(state_of(game), "texts", "{'de':{'Dice':'W\xc3\xbcrfel'},'cs':{'Points':'Body'}}");
    json_t *before = json_deep_copy(state_of(game));
    write_sheet("dice", "[sheet]\ntitle = Other\nplayers = 2\n");
    restart();
    assert_true(json_equal(before, state_of(game)));
    json_decref(before);
}

TEST(an_id_is_carried_out_once_also_after_a_restart)
{
    char game[ID_SIZE];
    char again[ID_SIZE];
    const char *payload = "{'id':'c1','sheet':'ID','counter':'points','player':1,'by':5}";

    open_dice("o1", game);
    open_dice("o1", again);
    assert_string_equal(game, again);
    for (int i = 0; i < 3; i++) {
        say(ANSWER_SCORE, "count", payload, game, "seq", "1");
        say(ANSWER_COMMAND, "undo-sheet", "{'id':'u1','sheet':'ID'}", game, "seq", "2");
        restart();
    }
    say(ANSWER_COMMAND, "close-sheet", "{'id':'x1','sheet':'ID'}", game, "seq", "3");
    say(ANSWER_COMMAND, "close-sheet", "{'id':'x1','sheet':'ID'}", game, "seq", "3");
    assert_true(json_is_null(state_of(game)));
    restart();
    assert_true(json_is_null(state_of(game))); /* cleared again: the broker may have missed it */
    say(ANSWER_COMMAND, "close-sheet", "{'id':'x1','sheet':'ID'}", game, "seq", "3");
    say(ANSWER_COMMAND, "close-sheet", "{'id':'x2','sheet':'ID'}", game, "error", "'not-found'");
}

TEST(undo_goes_back_to_the_start_and_through_the_end)
{
    char game[ID_SIZE];

    open_dice("o1", game);
    count("{'sheet':'ID','counter':'points','player':1,'by':5}", game);
    count("{'sheet':'ID','counter':'bank','to':0}", game);
    expect(state_of(game), "phase", "'final'");
    say(ANSWER_SCORE, "finish", "{'sheet':'ID'}", game, "ok", "true");
    expect(state_of(game), "winners", "[1]");
    expect(state_of(game), "text", "'The bank is empty.'");
    json_t *games = trial_ask("games", "{}");
    expect(games, "games.0.sheet", "'dice'");
    expect(games, "games.0.table", "null");
    expect(games, "games.0.points", "[5,0]");
    expect(games, "games.0.winners", "['Anna']");
    json_decref(games);
    json_t *statistics = trial_ask("statistics", "{'player':'anna'}");
    expect(statistics, "statistics.0.by_game", "{'dice':{'games':1,'won':1}}");
    expect(statistics, "statistics.0.games", "0");
    json_decref(statistics);
    for (int i = 0; i < 3; i++) {
        say(ANSWER_COMMAND, "undo-sheet", "{'sheet':'ID'}", game, "ok", "true");
    }
    say(ANSWER_COMMAND, "undo-sheet", "{'sheet':'ID'}", game, "error", "'refused'");
    expect(state_of(game), "phase", "'playing'");
    expect(state_of(game), "undo", "null");
    expect(state_of(game), "players.0.counters.points", "0");
    games = trial_ask("games", "{}");
    expect(games, "games.0.ended", "null");
    expect(games, "games.0.running", "true");
    expect(games, "games.0.points", "[null,null]");
    expect(games, "games.0.winners", "[]");
    json_decref(games);
    statistics = trial_ask("statistics", "{'player':'anna'}");
    expect(statistics, "statistics.0.by_game", "{}");
    json_decref(statistics);
}

TEST(a_secret_is_shown_at_the_end_only)
{
    char game[ID_SIZE];

    open_dice("o1", game);
    count("{'sheet':'ID','counter':'hidden','player':2,'by':7}", game);
    expect(state_of(game), "players.1.counters.hidden", "null");
    expect(state_of(game), "players.1.score", "null");
    expect(state_of(game), "players.1.secret", "{'hidden':[1]}");
    expect(state_of(game), "undo", "{'verb':'count','player':2,'counter':'hidden'}");
    char *text = json_dumps(state_of(game), 0);
    assert_null(strchr(strstr(text, "\"players\""), '7'));
    free(text);
    count("{'sheet':'ID','counter':'bank','to':0}", game);
    expect(state_of(game), "players.1.counters.hidden", "null");
    say(ANSWER_SCORE, "finish", "{'sheet':'ID'}", game, "ok", "true");
    expect(state_of(game), "players.1.counters.hidden", "7");
    expect(state_of(game), "ranking.0", "{'player':2,'place':1,'score':7,'title':null}");
}

TEST(bad_input_is_refused_and_changes_nothing)
{
    static const struct {
        const char *verb;
        const char *payload;
        const char *error;
    } bad[] = {
        {"count", "{'sheet':'ID','counter':'gold','player':1,'by':1}", "'bad-value'"},
        {"count", "{'sheet':'ID','counter':'points','player':1,'by':51}", "'refused'"},
        {"count", "{'sheet':'ID','counter':'points','player':1,'by':-1}", "'refused'"},
        {"count", "{'sheet':'ID','counter':'points','player':3,'by':1}", "'refused'"},
        {"count", "{'sheet':'ID','counter':'points','player':9,'by':1}", "'bad-value'"},
        {"count", "{'sheet':'ID','counter':'points','player':'Anna','by':1}", "'bad-value'"},
        {"count", "{'sheet':'ID','counter':'points','by':1}", "'refused'"},
        {"count", "{'sheet':'ID','counter':'bank','player':1,'by':1}", "'refused'"},
        {"count", "{'sheet':'ID','counter':'points','player':1}", "'missing-field'"},
        {"count", "{'sheet':'ID','counter':'points','player':1,'by':1,'to':2}", "'bad-value'"},
        {"count", "{'sheet':'ID','counter':'points','player':1,'by':1.5}", "'bad-value'"},
        {"count", "{'sheet':'ID','counter':'points','player':1,'by':'1'}", "'bad-value'"},
        {"count", "{'sheet':'ID','counter':'points','player':1,'by':9223372036854775807}",
         "'bad-value'"},
        {"count", "{'sheet':'ID','counter':7,'player':1,'by':1}", "'bad-value'"},
        {"count", "{'sheet':'ID','player':1,'by':1}", "'missing-field'"},
        {"count", "{'counter':'points','player':1,'by':1}", "'missing-field'"},
        {"count", "{'sheet':'none','counter':'points','player':1,'by':1}", "'not-found'"},
        {"flag", "{'sheet':'ID','flag':'ready','player':1,'value':'yes'}", "'bad-value'"},
        {"flag", "{'sheet':'ID','flag':'ready','player':1}", "'missing-field'"},
        {"flag", "{'sheet':'ID','flag':'ready','value':true}", "'refused'"},
        {"flag", "{'sheet':'ID','flag':'points','player':1,'value':true}", "'bad-value'"},
        {"finish", "{'sheet':'ID'}", "'refused'"},
        {"finish", "{'sheet':'ID','now':true}", "'bad-value'"},
        {"undo", "{'sheet':'ID'}", "'unknown-command'"},
        {"open-sheet", "{'name':'dice','players':[]}", "'unknown-command'"},
    };
    char game[ID_SIZE];

    open_dice("o1", game);
    json_t *before = json_deep_copy(state_of(game));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        say(ANSWER_SCORE, bad[i].verb, bad[i].payload, game, "error", bad[i].error);
    }
    restart();
    assert_true(json_equal(before, state_of(game)));
    json_decref(before);
}

TEST(only_games_that_make_sense_are_opened)
{
    static const struct {
        const char *payload;
        const char *error;
    } bad[] = {
        {"{'name':'none','players':[{'name':'Anna'}]}", "'not-found'"},
        {"{'name':'broken','players':[{'name':'Anna'}]}", "'not-found'"},
        {"{'name':'../dice','players':[{'name':'Anna'}]}", "'not-found'"},
        {"{'name':'dice'}", "'missing-field'"},
        {"{'players':[{'name':'Anna'}]}", "'missing-field'"},
        {"{'name':'dice','players':[]}", "'bad-value'"},
        {"{'name':'dice','players':{'name':'Anna'}}", "'bad-value'"},
        {"{'name':'dice','players':['Anna']}", "'bad-value'"},
        {"{'name':'dice','players':[{'name':'Anna'},{'name':'ANNA'}]}", "'bad-value'"},
        {"{'name':'dice','players':[{'name':' '}]}", "'bad-value'"},
        {"{'name':'dice','players':[{'name':'41 characters are one too many for a name'}]}",
         "'bad-value'"},
        {"{'name':'dice','players':[{'name':'Anna','role':'Cook'}]}", "'bad-value'"},
        {"{'name':'dice','players':[{'name':'Anna','role':1}]}", "'bad-value'"},
        {"{'name':'dice','players':[{'name':'a'},{'name':'b'},{'name':'c'},{'name':'d'},"
         "{'name':'e'}]}",
         "'bad-value'"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        say(ANSWER_COMMAND, "open-sheet", bad[i].payload, "", "error", bad[i].error);
    }
    assert_int_equal(json_object_size(trial_shown), 0);
    say(ANSWER_QUERY, "sheets", "{}", "", "sheets",
        "[{'name':'dice','title':'Dice','players':[1,4],'roles':[],"
        "'texts':{'de':{'Dice':'W\xc3\xbcrfel'}}}]");
}

TEST(there_are_at_most_32_open_games_and_one_that_is_over_makes_room)
{
    char games[SCORING_GAMES_MAX][ID_SIZE];
    char id[16];
    char more[ID_SIZE];

    for (int i = 0; i < SCORING_GAMES_MAX; i++) {
        snprintf(id, sizeof id, "o%d", i);
        open_dice(id, games[i]);
    }
    say(ANSWER_COMMAND, "open-sheet", "{'name':'dice','players':[{'name':'Anna'}]}", "", "error",
        "'refused'");
    count("{'sheet':'ID','counter':'bank','to':0}", games[7]);
    say(ANSWER_SCORE, "finish", "{'sheet':'ID'}", games[7], "ok", "true");
    open_dice("o32", more);
    assert_true(json_is_null(state_of(games[7])));
}

TEST(a_game_has_at_most_4096_changes_and_can_be_closed)
{
    char game[ID_SIZE];

    open_dice("o1", game);
    assert_int_equal(book_begin(&book), 0);
    for (int seq = 1; seq <= SCORING_CHANGES_MAX; seq++) {
        BOOK_WRITE(&book,
                   "INSERT INTO sheet_change (game, seq, at, line) VALUES (1, $1, '2026', $2)",
                   NUMBER(seq), TEXT(seq % 2 ? "count points player=1 by=1" : "undo"));
    }
    assert_int_equal(book_end(&book, 0), 0);
    restart();
    expect(state_of(game), "seq", "4096");
    say(ANSWER_SCORE, "round", "{'sheet':'ID'}", game, "error", "'too-long'");
    say(ANSWER_COMMAND, "close-sheet", "{'sheet':'ID'}", game, "seq", "4097");
    json_t *games = trial_ask("games", "{}");
    expect(games, "games.0.running", "false");
    json_decref(games);
}

TEST(a_game_is_cleared_a_day_after_its_end)
{
    char game[ID_SIZE];

    open_dice("o1", game);
    count("{'sheet':'ID','counter':'bank','to':0}", game);
    say(ANSWER_SCORE, "finish", "{'sheet':'ID'}", game, "ok", "true");
    assert_int_equal(scoring_tick(scoring), 0);
    assert_true(json_is_object(state_of(game)));
    BOOK_WRITE(&book, "UPDATE sheet SET over_at = '2026-01-01T00:00:00.000Z'", NOTHING);
    restart();
    assert_int_equal(scoring_tick(scoring), 0);
    assert_true(json_is_null(state_of(game)));
    say(ANSWER_COMMAND, "undo-sheet", "{'sheet':'ID'}", game, "error", "'not-found'");
    json_t *games = trial_ask("games", "{}");
    expect(games, "games.0.winners", "['Anna','Ben']");
    json_decref(games);
}

TEST(a_database_of_version_1_is_migrated)
{
    struct database database;
    char problem[256] = "";
    char game[ID_SIZE];

    assert_int_equal(end(NULL), 0);
    const char *where = trial_database();
    assert_int_equal(database_open(&database, where, problem, sizeof problem), 0);
    if (strncmp(where, "sqlite:", 7) != 0) {
        database.run_script(database.self, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    }
    assert_int_equal(database.run_script(database.self, sql_tables), 0);
    assert_int_equal(database.run_script(database.self,
                                         "CREATE TABLE logbook (version INTEGER NOT NULL); "
                                         "INSERT INTO logbook VALUES (1); "
                                         "CREATE VIEW statistic AS SELECT 1 AS one"),
                     0);
    database.close(database.self);
    assert_int_equal(book_open(&book, where, problem, sizeof problem), 0);
    mkdir(directory, 0777);
    write_sheet("dice", dice);
    write_sheet("broken", "[sheet]\n");
    sheet_files_read(&files, directory);
    restart();
    open_dice("o1", game);
    json_t *statistics = trial_ask("statistics", "{}");
    expect(statistics, "statistics.1.player", "'Ben'");
    json_decref(statistics);
}
