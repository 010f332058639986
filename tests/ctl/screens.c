/* The scoreboard of `shipahoyctl watch`: what was published, and the screen that follows. */
#include "tests/support/test.h"

#include "ctl/draw_watch.h"
#include "ctl/live.h"
#include "ctl/plain.h"
#include "ctl/screen.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATH_SIZE = 512, SCREEN_MAX = 65536 };

/* What is known of a table. */
struct known {
    struct view view;
    struct link link;
};

/* A connected watcher who has heard every line (`TOPIC PAYLOAD`) of screens/NAME.topics. */
static void watch_topics(struct known *known, const char *name)
{
    char path[PATH_SIZE];
    char *line = NULL;
    size_t capacity = 0;

    snprintf(path, sizeof path, SCREENS_DIR "/%s.topics", name);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    *known = (struct known){.link = {.connected = true, .broker = "pi.local:1883"}};
    while (getline(&line, &capacity, file) > 0) {
        char *payload = strchr(line, ' ');
        assert_non_null(payload);
        *payload++ = '\0';
        if (strcmp(line, "status") == 0) {
            known->link.daemon = link_read_status(payload, strcspn(payload, "\n"));
        } else {
            view_hear(&known->view, line, payload, strcspn(payload, "\n"));
        }
    }
    free(line);
    fclose(file);
}

/* The screen must be what screens/NAME.screen shows; if it is not, it is printed. */
static void assert_screen(const char *text, const char *name)
{
    static char expected[SCREEN_MAX];
    char path[PATH_SIZE];

    snprintf(path, sizeof path, SCREENS_DIR "/%s.screen", name);
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(expected, 1, sizeof expected - 1, file) : 0;
    expected[size > 0 ? size - 1 : 0] = '\0'; /* a file ends with a line end, a screen does not */
    if (file) {
        fclose(file);
    }
    if (strcmp(text, expected) != 0) {
        printf("%s is now:\n%s\n", path, text);
        fail();
    }
}

static char *draw(const struct known *known, int rows, int columns, bool utf8)
{
    WINDOW *window = newpad(rows, columns);

    assert_non_null(window);
    draw_watch(&known->view, &known->link, "/home/anna/shipahoy/build/ctl --config 'the den.ini'",
               window, utf8);
    char *text = screen_text(window);
    assert_non_null(text);
    delwin(window);
    return text;
}

static void assert_drawn(const char *topics, const char *screen, int rows, int columns)
{
    struct known known;

    watch_topics(&known, topics);
    char *text = draw(&known, rows, columns, true);
    assert_screen(text, screen);
    free(text);
}

TEST(a_game_fits_80_columns_and_24_rows)
{
    assert_drawn("merchant", "merchant-80x24", 24, 80);
}

TEST(a_wide_screen_has_the_events_beside_the_board)
{
    assert_drawn("merchant", "merchant-130x20", 20, 130);
}

TEST(long_sentences_go_on_in_the_next_row_and_the_newest_is_whole)
{
    assert_drawn("long", "long-60x14", 14, 60);
}

TEST(the_lobby_says_how_to_begin_a_game)
{
    assert_drawn("lobby", "lobby-80x12", 12, 80);
}

TEST(the_end_names_the_winner_and_an_offline_daemon_is_said)
{
    assert_drawn("over", "over-80x24", 24, 80);
}

TEST(escape_sequences_in_names_are_shown_and_not_obeyed)
{
    assert_drawn("hostile", "hostile-80x24", 24, 80);
}

TEST(a_terminal_without_utf8_gets_ascii)
{
    struct known known;

    watch_topics(&known, "merchant");
    char *text = draw(&known, 24, 80, false);
    for (const char *at = text; *at; at++) {
        assert_true((unsigned char)*at < 0x80);
    }
    free(text);
}

TEST(a_lost_broker_is_said_with_its_reason)
{
    struct known known;

    watch_topics(&known, "merchant");
    known.link.connected = false;
    snprintf(known.link.trouble, sizeof known.link.trouble, "Connection refused");
    char *text = draw(&known, 24, 80, true);
    assert_non_null(strstr(text, "No connection to the broker pi.local:1883: Connection refused"));
    free(text);
}

TEST(every_size_of_window_ends_with_the_connection)
{
    struct known known;

    watch_topics(&known, "merchant");
    for (int rows = 1; rows <= 30; rows++) {
        for (int columns = 1; columns <= 140; columns += 3) {
            char *text = draw(&known, rows, columns, false);
            bool is_large = rows >= 10 && columns >= 40;
            assert_true(!is_large || strstr(strrchr(text, '\n'), "\n Live, event 41"));
            free(text);
        }
    }
}

static int open_hidden_in_utc(void **state)
{
    (void)state;
    setenv("TZ", "UTC", 1);
    tzset();
    plain_use_utf8();
    return screen_open_hidden();
}

static int close_hidden(void **state)
{
    (void)state;
    screen_close_hidden();
    return 0;
}

TEST_ALL(open_hidden_in_utc, close_hidden)
