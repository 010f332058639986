/* `shipahoyctl log`: recorded games, told again. */
#include "tests/support/test.h"

#include "ctl/ctl.h"
#include "journal/journal.h"
#include "rules/line.h"
#include "rules/play.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAST_MAX = 16, OUTPUT_SIZE = 4096, WORDS_MAX = 8, PATH_SIZE = 128 };

static char folder[] = "/tmp/shipahoy-log-XXXXXX";
static char output[OUTPUT_SIZE];

static int accept_record(void *context, const struct record *record)
{
    (void)context;
    (void)record;
    return 0;
}

/* Says the line to the game and records it, a second after the one before. */
static void record_line(struct journal *journal, struct play *play, const char *line,
                        const char *game_id)
{
    struct record record = {.wall_ms = 1780250587000 + (int64_t)play->game.seq * 1000};
    struct outcome outcome;

    assert_int_equal(line_read_input(line, &record.input), 0);
    rules_default_setup(&record.setup, 3);
    record.input.setup = &record.setup;
    snprintf(record.game, sizeof record.game, "%s", game_id);
    assert_int_equal(play_step(play, &record.input, &outcome), 0);
    record.hash = (uint32_t)rules_hash(&play->game);
    assert_int_equal(journal_append(journal, &record), 0);
}

static void record_game(struct journal *journal, const char *game_id, const char *const *lines)
{
    struct past past[PAST_MAX];
    struct play play;

    play_begin(&play, past, PAST_MAX);
    for (; *lines; lines++) {
        record_line(journal, &play, *lines, game_id);
    }
}

/* A state directory with a finished game and one that is being played. */
static int record_games(void **state)
{
    struct journal_limits limits = {.games_max = 10, .bytes_max = 1000000};
    struct journal_report report;
    struct journal *journal;
    struct disk disk;

    (void)state;
    setenv("TZ", "UTC", 1);
    tzset();
    assert_non_null(mkdtemp(folder));
    assert_int_equal(disk_open(&disk, folder), 0);
    assert_int_equal(journal_open(&journal, &disk, &limits, accept_record, NULL, &report), 0);
    record_game(journal, "first", (const char *const[]){"new-game", "fire", "undo", NULL});
    record_game(journal, "second", (const char *const[]){"new-game", "fire", NULL});
    journal_close(journal);
    disk_close(&disk);
    return 0;
}

static int remove_games(void **state)
{
    static const char *const names[] = {"first.journal", "open-game", "acknowledged"};
    char path[PATH_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* Runs `shipahoyctl log` with these words; what it printed is in output. */
static int run_log(char *option, char *word)
{
    char *words[WORDS_MAX] = {"shipahoyctl", "log", "--state-dir", folder, option, word, NULL};
    FILE *file = tmpfile();
    int terminal = dup(STDOUT_FILENO);
    int count = 0;

    assert_non_null(file);
    while (words[count]) {
        count++;
    }
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    int code = ctl_run(count, words);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    rewind(file);
    output[fread(output, 1, sizeof output - 1, file)] = '\0';
    fclose(file);
    return code;
}

TEST_ALL(record_games, remove_games)

TEST(the_last_game_is_told_line_by_line)
{
    assert_int_equal(run_log(NULL, NULL), 0);
    assert_non_null(strstr(output, "2026-05-31 18:03:07    1 The game begins; "));
    assert_non_null(strstr(output, "2026-05-31 18:03:10    4 "));
    assert_non_null(strstr(output, " fires. (S2)\n"));
    assert_null(strstr(output, "Taken back"));
}

TEST(a_game_is_found_by_its_id)
{
    assert_int_equal(run_log("first", NULL), 0);
    assert_non_null(strstr(output, "Taken back"));
}

TEST(inputs_are_lines_that_could_be_said_again)
{
    assert_int_equal(run_log("--inputs", "first"), 0);
    assert_string_equal(output, "new-game\nfire\nundo\n");
}

TEST(json_is_one_event_a_line_as_it_was_published)
{
    assert_int_equal(run_log("--json", NULL), 0);
    assert_int_equal(strncmp(output, "{\"v\":1,\"game\":\"second\",\"seq\":1,", 31), 0);
    assert_non_null(strstr(output, "\n{\"v\":1,\"game\":\"second\",\"seq\":4,"));
}

TEST(the_list_has_every_game)
{
    assert_int_equal(run_log("--list", NULL), 0);
    assert_non_null(strstr(output, "first  2026-05-31 18:03:07  5 events"));
    assert_non_null(strstr(output, "second  2026-05-31 18:03:07  4 events"));
}

TEST(an_unknown_game_is_said_to_be_none)
{
    assert_int_equal(run_log("third", NULL), EXIT_UNAVAILABLE);
    assert_string_equal(output, "");
}

TEST(a_file_that_is_no_record_is_refused)
{
    assert_int_equal(run_log("/proc/self/cmdline", NULL), EXIT_UNAVAILABLE);
}

TEST(a_table_without_games_says_so)
{
    char empty[] = "/tmp/shipahoy-XXXXXX";
    char option[PATH_SIZE];
    char expected[PATH_SIZE];

    assert_non_null(mkdtemp(empty));
    snprintf(option, sizeof option, "--state-dir=%s", empty);
    snprintf(expected, sizeof expected, "No game is recorded in %s yet.\n", empty);
    assert_int_equal(run_log("--list", option), 0);
    assert_string_equal(output, expected);
    assert_int_equal(run_log(option, NULL), 0);
    assert_string_equal(output, expected);
    rmdir(empty);
}
