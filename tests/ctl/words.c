/* What the words on the command line become: options, commands, replies. */
#include "ctl/choices_text.h"
#include "ctl/command_json.h"
#include "ctl/options.h"
#include "ctl/plain.h"
#include "ctl/reply_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORDS_MAX = 8, PROBLEM_SIZE = 200 };

#define WORDS(...) ((char *[]){"shipahoyctl", __VA_ARGS__, NULL})

static int read_options(char **words, bool stop_at_word, struct options *options)
{
    int count = 0;

    while (words[count]) {
        count++;
    }
    return options_read(count, words, stop_at_word, options);
}

static void assert_command(char *verb, char **words, const char *expected)
{
    char problem[PROBLEM_SIZE];
    int count = 0;

    while (words[count]) {
        count++;
    }
    char *json = command_json(verb, words + 1, count - 1, "me", problem, sizeof problem);
    if (expected) {
        assert_non_null(json);
        assert_string_equal(json, expected);
    } else {
        assert_null(json);
        assert_true(strlen(problem) > 0);
    }
    free(json);
}

static void assert_reply(const char *reply, const char *expected, bool expected_accepted)
{
    bool accepted = !expected_accepted;
    char *text = reply_text(reply, strlen(reply), &accepted);

    assert_non_null(text);
    assert_string_equal(text, expected);
    assert_int_equal(accepted, expected_accepted);
    free(text);
}

static void options_may_stand_behind_words(void **state)
{
    struct options options = {0};
    char **words = WORDS("fire", "--json", "--host", "pi");

    (void)state;
    assert_int_equal(read_options(words, false, &options), 4);
    assert_string_equal(words[4], "fire");
    assert_string_equal(options.values[OPTION_HOST], "pi");
    assert_non_null(options.values[OPTION_JSON]);
    assert_null(options.values[OPTION_PORT]);
}

static void a_negative_number_is_a_word_and_options_may_follow_it(void **state)
{
    struct options options = {0};
    char **words = WORDS("pull", "-1.5", "--socket", "s", "-2", "--", "--json");

    (void)state;
    assert_int_equal(read_options(words, false, &options), 4);
    assert_string_equal(words[4], "pull");
    assert_string_equal(words[5], "-1.5");
    assert_string_equal(words[6], "-2");
    assert_string_equal(words[7], "--json");
    assert_string_equal(options.values[OPTION_SOCKET], "s");
    assert_null(options.values[OPTION_JSON]);
}

static void the_first_word_ends_the_options_of_the_program(void **state)
{
    struct options options = {0};
    char **words = WORDS("--host", "pi", "send", "--json");

    (void)state;
    assert_int_equal(read_options(words, true, &options), 3);
    assert_null(options.values[OPTION_JSON]);
}

static void games_are_looked_for_beside_the_configuration(void **state)
{
    char folder[] = "/tmp/shipahoyctl-XXXXXX";
    char file[64];
    char expected[64];
    char directory[PATH_MAX];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/table.ini", folder);
    snprintf(expected, sizeof expected, "%s/state", folder);
    struct options options = {.files = {file}, .file_count = 1};
    options_state_directory(&options, directory);
    assert_string_equal(directory, "/var/lib/shipahoy");
    assert_int_equal(mkdir(expected, 0700), 0);
    options_state_directory(&options, directory);
    assert_string_equal(directory, expected);
    rmdir(expected);
    rmdir(folder);
}

static void an_unknown_option_is_refused(void **state)
{
    struct options options = {0};

    (void)state;
    assert_int_equal(read_options(WORDS("--hots", "pi"), false, &options), -1);
}

static void config_can_be_given_as_often_as_files_are_taken(void **state)
{
    struct options options = {0};
    char *words[CONFIG_FILES_MAX + 3] = {"shipahoyctl"};

    (void)state;
    for (unsigned i = 0; i <= CONFIG_FILES_MAX; i++) {
        words[i + 1] = "--config=a.ini";
    }
    assert_int_equal(read_options(words, false, &options), -1);
    assert_int_equal(options.file_count, CONFIG_FILES_MAX);
}

static void options_win_over_the_configuration(void **state)
{
    struct options options = {0};
    struct config config;

    (void)state;
    read_options(WORDS("--host", "pi", "--port", "8883", "--table", "den", "--prefix", "p"), false,
                 &options);
    assert_int_equal(options_configure(&options, &config), 0);
    assert_string_equal(config.mqtt.host, "pi");
    assert_int_equal(config.mqtt.port, 8883);
    assert_string_equal(config.table, "den");
    assert_string_equal(config.mqtt.prefix, "p");
}

static void a_port_that_is_none_is_refused(void **state)
{
    static char *const ports[] = {"0", "65536", "x", "1x", "-1", ""};

    (void)state;
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        struct options options = {.values[OPTION_PORT] = ports[i]};
        struct config config;
        assert_int_equal(options_configure(&options, &config), 64);
    }
}

static void a_timeout_is_a_number_of_seconds(void **state)
{
    unsigned timeout_ms = 0;

    (void)state;
    assert_true(options_timeout_ms(&(struct options){0}, &timeout_ms));
    assert_int_equal(timeout_ms, 5000);
    assert_true(
        options_timeout_ms(&(struct options){.values[OPTION_TIMEOUT] = "0.25"}, &timeout_ms));
    assert_int_equal(timeout_ms, 250);
    assert_false(
        options_timeout_ms(&(struct options){.values[OPTION_TIMEOUT] = "soon"}, &timeout_ms));
    assert_false(
        options_timeout_ms(&(struct options){.values[OPTION_TIMEOUT] = "-1"}, &timeout_ms));
}

static void numbers_and_booleans_go_as_such_and_the_rest_as_text(void **state)
{
    (void)state;
    assert_command("new-game", WORDS("first=2", "teams=true", "rules=basic", "note=null"),
                   "{\"id\":\"me\",\"first\":2,\"teams\":true,\"rules\":\"basic\",\"note\":"
                   "\"null\"}");
    assert_command("move", WORDS("knots=1.5", "piece=red-1"),
                   "{\"id\":\"me\",\"knots\":1.5,\"piece\":\"red-1\"}");
}

static void lists_and_objects_go_as_json_and_must_be_json(void **state)
{
    (void)state;
    assert_command("new-game", WORDS("players=[{\"name\":\"Anna\"}]"),
                   "{\"id\":\"me\",\"players\":[{\"name\":\"Anna\"}]}");
    assert_command("new-game", WORDS("players=[{"), NULL);
}

static void an_id_is_text_and_replaces_ours(void **state)
{
    (void)state;
    assert_command("undo", WORDS("id=7"), "{\"id\":\"7\"}");
}

static void a_value_alone_goes_to_the_next_field(void **state)
{
    (void)state;
    assert_command("roll-combat", WORDS("red-1", "blue-1", "flag"),
                   "{\"id\":\"me\",\"attacker\":\"red-1\",\"target\":\"blue-1\",\"value\":"
                   "\"flag\"}");
    assert_command("move", WORDS("piece=red-1", "2"),
                   "{\"id\":\"me\",\"piece\":\"red-1\",\"knots\":2}");
    assert_command("fire", WORDS("red-1"), NULL);
    assert_command("fire", WORDS("=1"), NULL);
}

static void an_acceptance_says_where_the_game_is(void **state)
{
    (void)state;
    assert_reply("{\"id\":\"a\",\"ok\":true,\"seq\":12,\"messages\":[\"Anna rolls a 3.\",\"x\"]}",
                 "Anna rolls a 3.\nx\n", true);
    assert_reply("{\"id\":\"a\",\"ok\":true,\"seq\":12}", "Accepted; the game is at event 12.\n",
                 true);
}

static void a_refusal_says_why_and_by_which_rule(void **state)
{
    (void)state;
    assert_reply("{\"id\":\"a\",\"ok\":false,\"error\":\"combat-due\",\"rule\":\"C5\","
                 "\"message\":\"Roll \\u001b[31mfirst.\"}",
                 "Refused: Roll ?[31mfirst. (combat-due, C5)\n", false);
}

static void a_history_is_told_event_by_event(void **state)
{
    (void)state;
    assert_reply("{\"ok\":true,\"seq\":2,\"events\":[{\"seq\":1,\"message\":\"One.\"},"
                 "{\"seq\":2,\"message\":\"Two.\"}]}",
                 "1 One.\n2 Two.\n", true);
}

static void what_is_no_reply_is_none(void **state)
{
    static const char *const replies[] = {"", "[]", "{", "{\"ok\":1}", "\"ok\""};
    bool accepted;

    (void)state;
    for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
        assert_null(reply_text(replies[i], strlen(replies[i]), &accepted));
    }
}

static const char choices[] =
    "{\"choices\":[{\"verb\":\"aim\",\"pieces\":[\"red-1\",\"red-2\"]},"
    "{\"verb\":\"fire\",\"foul\":true},"
    "{\"verb\":\"move\",\"piece\":null,\"knots\":2},"
    "{\"verb\":\"move\",\"piece\":\"red-1\",\"knots\":3},"
    "{\"verb\":\"roll-combat\",\"attacker\":\"red-1\",\"target\":\"blue-1\",\"values\":[\"flag\"]},"
    "{\"verb\":\"end-phase\",\"to\":\"moving\"},"
    "{\"verb\":\"undo\",\"message\":\"An\\u001bna fired.\"}]}";

static void assert_lines(char **words, const char *expected)
{
    int count = 0;

    while (words[count]) {
        count++;
    }
    char *lines = choices_lines(choices, strlen(choices), words + 1, count - 1);
    assert_non_null(lines);
    assert_string_equal(lines, expected);
    free(lines);
}

static void what_is_possible_is_listed_as_words_for_send(void **state)
{
    (void)state;
    assert_lines((char *[]){"", NULL}, "aim piece=red-1|red-2\nfire  # a foul\nmove knots=1|2\n"
                                       "move piece=red-1 knots=1|2|3\n"
                                       "roll-combat attacker=red-1 target=blue-1 value=flag\n"
                                       "end-phase  # to moving\nundo  # An?na fired.\n");
    assert_lines(WORDS("move", "piece=red-1"), "move piece=red-1 knots=1|2|3\n");
    assert_lines(WORDS("move", "knots=3"), "move piece=red-1 knots=1|2|3\n");
    assert_lines(WORDS("aim", "piece=blue-1"), "");
    assert_lines(WORDS("aim", "place=red-1"), "");
}

static void assert_advice(const char *verb, const char *command, const char *expected)
{
    char *advice = choices_advice(choices, strlen(choices), verb, command);

    assert_non_null(advice);
    assert_string_equal(advice, expected);
    free(advice);
}

static void a_refused_command_is_followed_by_what_is_possible(void **state)
{
    (void)state;
    assert_advice("aim", "{\"piece\":\"blue-1\"}", "Possible now:\naim piece=red-1|red-2\n");
    assert_advice("move", "{\"piece\":\"red-1\",\"knots\":9}",
                  "Possible now:\nmove piece=red-1 knots=1|2|3\n");
    assert_advice("engage", "{}", "Possible now: aim, fire, move, roll-combat, end-phase, undo\n");
}

static void what_is_no_list_of_choices_is_none(void **state)
{
    static const char *const payloads[] = {"", "[]", "{", "{\"choices\":1}", "\"choices\""};
    static const char odd[] = "{\"choices\":[1,null,[],{},{\"verb\":7,\"pieces\":{},\"knots\":-1},"
                              "{\"verb\":\"a\",\"knots\":99999999999,\"values\":[{},null]}]}";

    (void)state;
    for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
        assert_null(choices_lines(payloads[i], strlen(payloads[i]), NULL, 0));
        assert_null(choices_advice(payloads[i], strlen(payloads[i]), "aim", "{}"));
    }
    char *lines = choices_lines(odd, strlen(odd), NULL, 0);
    assert_non_null(lines);
    free(lines);
}

static int use_utf8(void **state)
{
    (void)state;
    plain_use_utf8();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_may_stand_behind_words),
        cmocka_unit_test(a_negative_number_is_a_word_and_options_may_follow_it),
        cmocka_unit_test(the_first_word_ends_the_options_of_the_program),
        cmocka_unit_test(games_are_looked_for_beside_the_configuration),
        cmocka_unit_test(an_unknown_option_is_refused),
        cmocka_unit_test(config_can_be_given_as_often_as_files_are_taken),
        cmocka_unit_test(options_win_over_the_configuration),
        cmocka_unit_test(a_port_that_is_none_is_refused),
        cmocka_unit_test(a_timeout_is_a_number_of_seconds),
        cmocka_unit_test(numbers_and_booleans_go_as_such_and_the_rest_as_text),
        cmocka_unit_test(lists_and_objects_go_as_json_and_must_be_json),
        cmocka_unit_test(an_id_is_text_and_replaces_ours),
        cmocka_unit_test(a_value_alone_goes_to_the_next_field),
        cmocka_unit_test(an_acceptance_says_where_the_game_is),
        cmocka_unit_test(a_refusal_says_why_and_by_which_rule),
        cmocka_unit_test(a_history_is_told_event_by_event),
        cmocka_unit_test(what_is_no_reply_is_none),
        cmocka_unit_test(what_is_possible_is_listed_as_words_for_send),
        cmocka_unit_test(a_refused_command_is_followed_by_what_is_possible),
        cmocka_unit_test(what_is_no_list_of_choices_is_none),
    };

    return cmocka_run_group_tests(tests, use_utf8, NULL);
}
