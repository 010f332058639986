/* The options of shipahoyctl. */
#include "tests/support/test.h"

#include "ctl/options.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS(...) ((char *[]){"shipahoyctl", __VA_ARGS__, NULL})

static int read_options(char **words, bool stop_at_word, struct options *options)
{
    int count = 0;

    while (words[count]) {
        count++;
    }
    return options_read(count, words, stop_at_word, options);
}

TEST(options_may_stand_behind_words)
{
    struct options options = {0};
    char **words = WORDS("fire", "--json", "--host", "pi");

    assert_int_equal(read_options(words, false, &options), 4);
    assert_string_equal(words[4], "fire");
    assert_string_equal(options.values[OPTION_HOST], "pi");
    assert_non_null(options.values[OPTION_JSON]);
    assert_null(options.values[OPTION_PORT]);
}

TEST(a_negative_number_is_a_word_and_options_may_follow_it)
{
    struct options options = {0};
    char **words = WORDS("pull", "-1.5", "--socket", "s", "-2", "--", "--json");

    assert_int_equal(read_options(words, false, &options), 4);
    assert_string_equal(words[4], "pull");
    assert_string_equal(words[5], "-1.5");
    assert_string_equal(words[6], "-2");
    assert_string_equal(words[7], "--json");
    assert_string_equal(options.values[OPTION_SOCKET], "s");
    assert_null(options.values[OPTION_JSON]);
}

TEST(the_first_word_ends_the_options_of_the_program)
{
    struct options options = {0};
    char **words = WORDS("--host", "pi", "send", "--json");

    assert_int_equal(read_options(words, true, &options), 3);
    assert_null(options.values[OPTION_JSON]);
}

TEST(games_are_looked_for_beside_the_configuration)
{
    char folder[] = "/tmp/shipahoyctl-XXXXXX";
    char file[64];
    char expected[64];
    char directory[PATH_MAX];

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

TEST(an_unknown_option_is_refused)
{
    struct options options = {0};

    assert_int_equal(read_options(WORDS("--hots", "pi"), false, &options), -1);
}

TEST(the_typed_command_is_repeated_quoted_for_a_shell)
{
    struct options options = {0};
    char command[128];

    read_options(WORDS("--table", "den", "--config", "my table.ini", "--json", "--config=it's.ini",
                       "--socket", ""),
                 false, &options);
    options_write_command(&options, "build/ctl", command, sizeof command);
    assert_string_equal(command, "build/ctl --config 'my table.ini' --config 'it'\\''s.ini'"
                                 " --table den --socket ''");
    options_write_command(&options, "build/ctl", command, sizeof "build");
    assert_string_equal(command, "build");
}

TEST(config_can_be_given_as_often_as_files_are_taken)
{
    struct options options = {0};
    char *words[CONFIG_FILES_MAX + 3] = {"shipahoyctl"};

    for (unsigned i = 0; i <= CONFIG_FILES_MAX; i++) {
        words[i + 1] = "--config=a.ini";
    }
    assert_int_equal(read_options(words, false, &options), -1);
    assert_int_equal(options.file_count, CONFIG_FILES_MAX);
}

TEST(options_win_over_the_configuration)
{
    struct options options = {0};
    struct config config;

    read_options(WORDS("--host", "pi", "--port", "8883", "--table", "den", "--prefix", "p"), false,
                 &options);
    assert_int_equal(options_configure(&options, &config), 0);
    assert_string_equal(config.mqtt.host, "pi");
    assert_int_equal(config.mqtt.port, 8883);
    assert_string_equal(config.table, "den");
    assert_string_equal(config.mqtt.prefix, "p");
}

TEST(a_port_that_is_none_is_refused)
{
    static char *const ports[] = {"0", "65536", "x", "1x", "-1", ""};

    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        struct options options = {.values[OPTION_PORT] = ports[i]};
        struct config config;
        assert_int_equal(options_configure(&options, &config), 64);
    }
}

TEST(a_timeout_is_a_number_of_seconds)
{
    unsigned timeout_ms = 0;

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
