/* Tournaments: stored before they are shown, once, the same after a restart, and fed by the games.
 */
#include "support/test.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_SIZE = 64 };

static struct tournaments *tournaments;

static void restart(void)
{
    struct tournaments_ports ports = {NULL, &book, trial_show};

    tournaments_close(tournaments);
    trial_forget_shown();
    assert_int_equal(tournaments_open(&tournaments, &ports), 0);
    assert_int_equal(tournaments_show(tournaments), 0);
}

static int begin(void **state)
{
    int error = trial_begin(state);

    restart();
    return error;
}

static int end(void **state)
{
    tournaments_close(tournaments);
    tournaments = NULL;
    return trial_end(state);
}

TEST_EACH(begin, end)

static char id[ID_SIZE]; /* of the tournament */

/* Its fields may name the tournament as ID. */
static json_t *send(enum answer_door door, const char *verb, const char *payload)
{
    struct answer_settings settings = {.directory = ".", .tournaments = tournaments};

    return trial_send(&settings, door, verb, payload, id);
}

static void say(const char *verb, const char *payload, const char *path, const char *value)
{
    json_t *reply = send(ANSWER_COMMAND, verb, payload);

    expect(reply, path, value);
    json_decref(reply);
}

static void open_tournament(const char *payload)
{
    json_t *reply = send(ANSWER_COMMAND, "open-tournament", payload);

    expect(reply, "ok", "true");
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(reply, "tournament")));
    json_decref(reply);
}

static const json_t *standing_now(void)
{
    return json_object_get(trial_shown, id);
}

static const char *name_of(json_int_t player)
{
    const json_t *players = json_object_get(standing_now(), "players");
    const json_t *entry = json_array_get(players, (size_t)player - 1);

    return json_string_value(json_object_get(entry, "name"));
}

/* The n-th player of a pairing, from 0. The lots decide who that is. */
static const char *member(unsigned pairing, unsigned n)
{
    const json_t *entry = json_array_get(json_object_get(standing_now(), "pairings"), pairing - 1);

    return name_of(json_integer_value(json_array_get(json_object_get(entry, "players"), n)));
}

/* A game at the table `den`, in which the first player wins with 7 to 4. */
static void play(const char *game, const char *winner, const char *loser)
{
    char players[2 * ID_SIZE + sizeof " red,  blue"];

    snprintf(players, sizeof players, "%s red, %s blue", winner, loser);
    trial_play(game, "none", players, "1 1 game-over ranking=1:7,2:4\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
}

static const char four[] = "{'id':'o1','name':'Cup','system':'swiss','rounds':2,"
                           "'players':['Anna','Ben','Cleo','Dora'],'tables':['den','hall']}";

TEST(a_game_of_its_players_at_its_table_is_the_result)
{
    open_tournament(four);
    expect(standing_now(), "phase", "'before'");
    expect(standing_now(), "rounds", "2");
    play("20260501-180000-a", "Anna", "Ben"); /* before the round */
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    expect(standing_now(), "pairings.0.table", "'den'");
    expect(standing_now(), "pairings.1.table", "'hall'");
    expect(standing_now(), "pairings.0.result", "null");
    char one[ID_SIZE];
    char other[ID_SIZE];
    snprintf(one, sizeof one, "%s", member(1, 0));
    snprintf(other, sizeof other, "%s", member(1, 1));
    play("20260501-190000-b", member(2, 0), member(2, 1)); /* at another table */
    expect(standing_now(), "pairings.1.result", "null");
    play("20260501-200000-c", one, member(2, 0)); /* not a pairing */
    expect(standing_now(), "pairings.0.result", "null");
    play("20260501-210000-d", other, one);
    expect(
        standing_now(), "pairings.0.result",
        "{'by':'table','places':[2,1],'scores':[4,7],'points':[0,2],'game':'20260501-210000-d'}");
    play("20260501-220000-e", one, other); /* another game of the same players */
    expect(standing_now(), "pairings.0.result.game", "'20260501-210000-d'");
    expect(standing_now(), "standings.0.points", "2");
}

TEST(a_referee_corrects_a_result_and_undoes_it)
{
    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "seq", "1");
    play("20260501-210000-d", member(1, 0), member(1, 1));
    expect(standing_now(), "seq", "2");
    say("enter-result", "{'tournament':'ID','pairing':1,'places':[2,1],'scores':[3,5]}", "seq",
        "3");
    expect(standing_now(), "pairings.0.result",
           "{'by':'referee','places':[2,1],'scores':[3,5],'points':[0,2],'game':null}");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "seq", "3"); /* the table does not replace it */
    say("undo-tournament", "{'tournament':'ID'}", "seq", "4");
    expect(standing_now(), "pairings.0.result.by", "'table'");
    expect(standing_now(), "undo", "{'verb':'result','pairing':1}");
    say("undo-tournament", "{'tournament':'ID'}", "seq", "5");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.result", "null"); /* a referee has taken it back */
    json_t *changes = send(ANSWER_QUERY, "tournament-changes", "{'tournament':'ID','after':1}");
    expect(changes, "tournament-changes.0.change",
           "'result 1 places=1,2 scores=7,4 game=20260501-210000-d'");
    expect(changes, "tournament-changes.0.by_command", "false");
    expect(changes, "tournament-changes.3.change", "'undo'");
    json_decref(changes);
}

TEST(an_id_is_carried_out_once_also_after_a_restart)
{
    char first[ID_SIZE];

    open_tournament(four);
    snprintf(first, sizeof first, "%s", id);
    open_tournament(four);
    assert_string_equal(first, id);
    for (int i = 0; i < 3; i++) {
        json_t *before = json_deep_copy(standing_now());
        say("start-round", "{'id':'r1','tournament':'ID'}", "seq", "1");
        say("withdraw", "{'id':'w1','tournament':'ID','player':4}", "seq", "2");
        assert_true(i == 0 || json_equal(before, standing_now()));
        json_decref(before);
        before = json_deep_copy(standing_now());
        restart();
        assert_true(json_equal(before, standing_now()));
        json_decref(before);
    }
    say("close-tournament", "{'id':'x1','tournament':'ID'}", "seq", "3");
    assert_true(json_is_null(standing_now()));
    restart();
    assert_true(json_is_null(standing_now()));
    say("close-tournament", "{'id':'x1','tournament':'ID'}", "seq", "3");
    say("start-round", "{'tournament':'ID'}", "error", "'not-found'");
    json_t *list = send(ANSWER_QUERY, "tournaments", "{}");
    expect(list, "tournaments.0.name", "'Cup'");
    assert_true(json_is_string(
        json_object_get(json_array_get(json_object_get(list, "tournaments"), 0), "closed")));
    json_decref(list);
}

TEST(teams_are_matched_as_teams)
{
    open_tournament("{'name':'Teams','system':'elimination','players':[['Anna','Ben'],['Cleo',"
                    "'Dora']]}");
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    expect(standing_now(), "players.0.name", "'Anna & Ben'");
    trial_play("20260501-180000-a", "none", "Anna red/1, Cleo blue/1, Ben green/2, Dora yellow/2",
               "1 1 game-over ranking=1:7,2:4,3:3,4:1\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.result", "null");
    trial_play("20260501-190000-b", "none", "Anna red/1, Cleo blue/2, ben green/1, Dora yellow/2",
               "1 1 game-over ranking=2:7=4:4,1:3=3:1\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "phase", "'over'");
    json_t *winner = json_array_get(json_object_get(standing_now(), "standings"), 0);
    expect(winner, "player", "2");
    expect(winner, "scores", "11");
}

TEST(merged_names_are_one_player)
{
    open_tournament("{'name':'Cup','system':'elimination','players':['Anna','Ben']}");
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    play("20260501-180000-a", "Ana", "Ben");
    expect(standing_now(), "phase", "'playing'");
    play("20260501-170000-b", "Anna", "Zoe"); /* both spellings have to have played */
    json_decref(trial_command("merge", "{'player':'Ana','into':'Anna'}"));
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "phase", "'over'");
}

TEST(bad_input_is_refused_and_changes_nothing)
{
    static const struct {
        const char *verb;
        const char *payload;
        const char *error;
    } bad[] = {
        {"open-tournament", "{'name':'T'}", "'bad-value'"},
        {"open-tournament", "{'system':'swiss','players':['a','b']}", "'missing-field'"},
        {"open-tournament", "{'name':'T','system':'best','players':['a','b']}", "'bad-value'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':['a','A ']}", "'names-repeat'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':['a']}", "'player-count'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':['a',['b','c']]}",
         "'player-names'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':[['a'],['b','c']]}",
         "'player-names'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':['a',' ']}", "'player-names'"},
        {"open-tournament",
         "{'name':'T','system':'swiss','players':['a','41 characters are one too many for a "
         "name']}",
         "'player-names'"},
        {"open-tournament",
         "{'name':'41 characters are one too many for a "
         "name','system':'swiss','players':['a','b']}",
         "'tournament-name'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':['a','b'],'tables':'den'}",
         "'bad-value'"},
        {"open-tournament", "{'name':'T','system':'swiss','players':['a','b'],'lots':[2,1]}",
         "'bad-value'"},
        {"start-round", "{'tournament':'ID'}", "'results-missing'"},
        {"start-round", "{'tournament':'none'}", "'not-found'"},
        {"start-round", "{}", "'missing-field'"},
        {"enter-result", "{'tournament':'ID','pairing':9,'places':[1,2]}", "'no-pairing'"},
        {"enter-result", "{'tournament':'ID','places':[1,2]}", "'missing-field'"},
        {"enter-result", "{'tournament':'ID','pairing':1}", "'bad-value'"},
        {"enter-result", "{'tournament':'ID','pairing':1,'places':[1,2,3]}", "'bad-value'"},
        {"enter-result", "{'tournament':'ID','pairing':1,'places':[1,3]}", "'places'"},
        {"enter-result", "{'tournament':'ID','pairing':1,'places':[1,2],'scores':['a',1]}",
         "'bad-value'"},
        {"set-table", "{'tournament':'ID','pairing':1,'table':'attic'}", "'no-table'"},
        {"withdraw", "{'tournament':'ID','player':5}", "'no-player'"},
        {"withdraw", "{'tournament':'ID'}", "'missing-field'"},
    };

    open_tournament(four);
    say("undo-tournament", "{'tournament':'ID'}", "error", "'nothing-to-undo'");
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    json_t *before = json_deep_copy(standing_now());
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        say(bad[i].verb, bad[i].payload, "error", bad[i].error);
    }
    restart();
    assert_true(json_equal(before, standing_now()));
    json_decref(before);
}

/* A game-over of the first pairing, with these points. */
static void end_game(const char *game, const char *script)
{
    char players[2 * ID_SIZE];

    snprintf(players, sizeof players, "%s red, %s blue", member(1, 0), member(1, 1));
    trial_play(game, "none", players, script);
    assert_int_equal(tournaments_take_results(tournaments), 0);
}

TEST(a_score_that_cannot_be_read_again_is_left_to_the_referee)
{
    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    end_game("20260501-180000-a", "1 1 game-over ranking=1:100001,2:4\n");
    expect(standing_now(), "pairings.0.result", "null");
    end_game("20260501-190000-b", "1 1 game-over ranking=1:100000,2:4\n");
    expect(standing_now(), "pairings.0.result.scores", "[100000,4]");
    json_t *before = json_deep_copy(standing_now());
    restart();
    assert_true(json_equal(before, standing_now()));
    json_decref(before);
}

/* The last event of the script is new. */
static void end_again(const char *game, const char *script)
{
    json_t *events = trial_events(game, script);

    assert_int_equal(book_store(&book, "den", game, events, NULL, true), 1);
    json_decref(events);
    assert_int_equal(tournaments_take_results(tournaments), 0);
}

TEST(a_result_is_taken_again_after_another_one)
{
    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    end_game("20260501-180000-a", "1 1 game-over ranking=1:7,2:4\n");
    expect(standing_now(), "pairings.0.result.places", "[1,2]");
    end_again("20260501-180000-a", "1 1 game-over ranking=1:7,2:4\n"
                                   "1 1 game-over ranking=2:9,1:7\n");
    expect(standing_now(), "pairings.0.result.places", "[2,1]");
    end_again("20260501-180000-a", "1 1 game-over ranking=1:7,2:4\n"
                                   "1 1 game-over ranking=2:9,1:7\n"
                                   "1 1 game-over ranking=1:7,2:4\n");
    expect(standing_now(), "pairings.0.result.places", "[1,2]");
    expect(standing_now(), "seq", "4");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "seq", "4");
}

TEST(a_result_is_found_behind_many_other_games)
{
    enum { MANY = 300 };
    char game[ID_SIZE];

    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    for (int i = 0; i < MANY; i++) {
        snprintf(game, sizeof game, "20260501-180000-%d", i);
        trial_play(game, "none", "Xaver red, Yvonne blue", "1 1 game-over ranking=1:7,2:4\n");
    }
    end_game("20260501-190000-b", "1 1 game-over ranking=1:7,2:4\n");
    expect(standing_now(), "pairings.0.result.game", "'20260501-190000-b'");
}

/* Stores a line behind the back of the tournament, so that its next change fails. */
static void store_behind(const char *line)
{
    struct tournament_change change = {.verb = TOURNAMENT_ROUND_VERB};
    struct tournaments_reply reply;

    assert_int_equal(book_begin(&book), 0);
    int error = BOOK_WRITE(&book,
                           "INSERT INTO tournament_change (tournament, seq, at, line) SELECT "
                           "number, 1, began, $2 FROM tournament WHERE tournament = $1",
                           TEXT(id), TEXT(line));
    assert_int_equal(book_end(&book, error), 0);
    assert_int_not_equal(tournaments_change(tournaments, NULL, id, &change, &reply), 0);
}

TEST(an_unreadable_or_closed_tournament_stops_no_other)
{
    static const char *const lines[] = {"close", "result 9 places=1,2 scores=0,0"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char game[ID_SIZE];
        open_tournament("{'name':'Lost','system':'swiss','players':['Emil','Fritz']}");
        store_behind(lines[i]);
        open_tournament("{'name':'Cup','system':'swiss','players':['Anna','Ben']}");
        say("start-round", "{'tournament':'ID'}", "ok", "true");
        snprintf(game, sizeof game, "20260501-180000-%zu", i);
        end_game(game, "1 1 game-over ranking=1:7,2:4\n");
        expect(standing_now(), "phase", "'over'");
    }
}

/* Replaces the stored line of the first round, as if another version had paired it. */
static void pair_otherwise(const char *line)
{
    assert_int_equal(book_begin(&book), 0);
    int error = BOOK_WRITE(&book,
                           "UPDATE tournament_change SET line = $2 WHERE seq = 1 AND tournament = "
                           "(SELECT number FROM tournament WHERE tournament = $1)",
                           TEXT(id), TEXT(line));
    assert_int_equal(book_end(&book, error), 0);
    restart();
}

TEST(a_round_that_has_begun_is_not_paired_again)
{
    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    json_t *changes = send(ANSWER_QUERY, "tournament-changes", "{'tournament':'ID'}");
    const json_t *first = json_array_get(json_object_get(changes, "tournament-changes"), 0);
    assert_non_null(
        strstr(json_string_value(json_object_get(first, "change")), "round after=0 pairings="));
    json_decref(changes);
    pair_otherwise("round after=0 pairings=1-2,3-4");
    expect(standing_now(), "pairings.0.players", "[1,2]");
    pair_otherwise("round after=0 pairings=4-2,1-3");
    expect(standing_now(), "pairings.0.players", "[4,2]");
    expect(standing_now(), "pairings.1.players", "[1,3]");
    say("enter-result", "{'tournament':'ID','pairing':1,'places':[1,2]}", "ok", "true");
    say("undo-tournament", "{'tournament':'ID'}", "ok", "true");
    expect(standing_now(), "pairings.1.players", "[1,3]");
    pair_otherwise("round after=0"); /* of a version that did not store them */
    expect(standing_now(), "round", "1");
}

TEST(a_pairing_is_played_while_its_game_is_open)
{
    char players[2 * ID_SIZE];

    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.playing", "false"); /* nobody has started yet */
    trial_play("20260501-170000-a", "none", "Xaver red, Yvonne blue", "1 1 turn-started\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.playing", "false");
    snprintf(players, sizeof players, "%s red, %s blue", member(1, 1), member(1, 0));
    trial_play("20260501-180000-b", "none", players, "1 1 turn-started\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.playing", "true");
    expect(standing_now(), "pairings.1.playing", "false");
    trial_play("20260501-190000-c", "none", "Xaver red, Yvonne blue", "1 1 turn-started\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.playing", "false"); /* it was abandoned */
    trial_play("20260501-200000-d", "none", players, "1 1 turn-started\n");
    assert_int_equal(tournaments_take_results(tournaments), 0);
    expect(standing_now(), "pairings.0.playing", "true");
    expect(standing_now(), "seq", "1"); /* it is no change */
    end_again("20260501-200000-d", "1 1 turn-started\n1 1 game-over ranking=1:7,2:4\n");
    expect(standing_now(), "pairings.0.playing", "false");
    expect(standing_now(), "pairings.0.result.by", "'table'");
}

TEST(undone_changes_are_gone_after_a_restart)
{
    open_tournament(four);
    say("start-round", "{'tournament':'ID'}", "ok", "true");
    say("enter-result", "{'tournament':'ID','pairing':1,'places':[1,2]}", "ok", "true");
    say("enter-result", "{'tournament':'ID','pairing':2,'places':[1,2]}", "ok", "true");
    say("undo-tournament", "{'tournament':'ID'}", "ok", "true");
    say("undo-tournament", "{'tournament':'ID'}", "ok", "true");
    say("enter-result", "{'tournament':'ID','pairing':1,'places':[2,1]}", "seq", "6");
    json_t *before = json_deep_copy(standing_now());
    restart();
    assert_true(json_equal(before, standing_now()));
    json_decref(before);
}
