/* The simulation backend on its socket: the protocol, and clients that violate it. */
#include "fixture.h"

#include "hw/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

TEST_EACH(fixture_setup, fixture_teardown)

HW_TEST(each_line_is_answered_in_order)
{
    fixture_send(fixture->client, "cannon.beam 1\nnonsense\nrope.a 2\nrope.a 1\n");
    fixture_expect(fixture->client, "ok\n"
                                    "error: there is no sensor \"nonsense\"; "
                                    "a line is SENSOR LEVEL, such as cannon.beam 1\n"
                                    "error: \"2\" is not a level: 1 is active, 0 is not\nok");
}

HW_TEST(a_query_is_answered_with_the_level)
{
    fixture_send(fixture->client, "rope.b ?\nrope.b 1\nrope.b ?\nrope.b 0\nrope.b ?\nrope.c ?\n");
    fixture_expect(fixture->client, "0\nok\n1\nok\n0\n"
                                    "error: there is no sensor \"rope.c\"; the nearest is rope.a");
}

HW_TEST(a_query_includes_injected_edges)
{
    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_TILT + PIECE_BLUE_1, 1), 0);
    fixture_await(fixture, FACT_SENSED);
    fixture_send(fixture->client, "blue-1.tilt ?\n");
    fixture_expect(fixture->client, "1");
}

HW_TEST(a_time_in_the_future_is_filtered_as_if_it_had_passed)
{
    unsigned long long at_us = hw_now_us(fixture->hw);
    char lines[512];

    /* A minute of play, sent at once. */
    snprintf(lines, sizeof lines,
             "@%llu red-1.tilt 1\n@%llu red-1.tilt 0\n@%llu red-1.tilt 1\n"
             "@%llu rope.button 1\n@%llu button.end 1\n",
             at_us + 10 * SECOND, at_us + 11 * SECOND, at_us + 20 * SECOND, at_us + 30 * SECOND,
             at_us + 60 * SECOND);
    fixture_send(fixture->client, lines);
    fixture_expect_until(fixture, FACT_PRESSED, "toppled raised toppled rope-held health pressed");
}

HW_TEST(a_time_more_than_a_day_ahead_is_refused)
{
    fixture_send(fixture->client, "@4000000000000000000 cannon.beam 1\n");
    fixture_expect(fixture->client, "error: that time is more than a day away");
}

HW_TEST(a_time_in_the_past_is_accepted)
{
    fixture_move(fixture->client, "@1 red-1.tilt 1");
    assert_int_equal(fixture_await(fixture, FACT_TOPPLED).at_us, 1);
    fixture_move(fixture->client, "@0 red-1.tilt 0");
    fixture_await(fixture, FACT_RAISED);
}

HW_TEST(half_a_line_waits_for_its_other_half)
{
    fixture_send(fixture->client, "cannon.be");
    fixture_send(fixture->client, "am 1\r\nrope");
    fixture_expect(fixture->client, "ok");
    fixture_send(fixture->client, ".b 0\n");
    fixture_expect(fixture->client, "ok");
}

HW_TEST(a_line_that_never_ends_is_answered_once_and_skipped)
{
    char endless[1000];

    memset(endless, 'x', sizeof endless);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(send(fixture->client, endless, sizeof endless, MSG_NOSIGNAL),
                         sizeof endless);
    }
    fixture_send(fixture->client, "\nrope.a 1\n");
    fixture_expect(fixture->client, "error: the line is too long\nok");
}

HW_TEST(bytes_that_are_not_text_are_answered_and_skipped)
{
    static const char junk[] = "rope.a\0 1\n\xff\xfe\x1b\n";

    assert_int_equal(send(fixture->client, junk, sizeof junk - 1, MSG_NOSIGNAL), sizeof junk - 1);
    fixture_expect(fixture->client, "error: the line is not text\n"
                                    "error: there is no sensor \"???\"; "
                                    "a line is SENSOR LEVEL, such as cannon.beam 1");
    fixture_move(fixture->client, "rope.a 1");
}

HW_TEST(more_answers_than_fit_are_all_sent)
{
    char empty_lines[2000];

    memset(empty_lines, '\n', sizeof empty_lines);
    assert_int_equal(send(fixture->client, empty_lines, sizeof empty_lines, MSG_NOSIGNAL),
                     sizeof empty_lines);
    shutdown(fixture->client, SHUT_WR);
    for (unsigned i = 0; i < sizeof empty_lines; i++) {
        fixture_expect(fixture->client, "error: there is no sensor \"\"; "
                                        "a line is SENSOR LEVEL, such as cannon.beam 1");
    }
    fixture_expect_end(fixture->client);
}

HW_TEST(all_edges_of_a_client_that_disconnects_at_once_count)
{
    struct filter_settings settings = fixture->settings.filters;

    settings.tilt_settle_ms = 1;
    hw_apply(fixture->hw, &settings);
    for (unsigned round = 0; round < 50; round++) {
        int fd = fixture_connect(fixture);
        char text[8192];
        size_t length = 0;
        while (length < 7000) {
            length += (size_t)snprintf(text + length, sizeof text - length, "rope.a 1\n");
        }
        snprintf(text + length, sizeof text - length, "red-1.tilt %u\n", (round + 1) % 2);
        fixture_send(fd, text);
        close(fd);
        fixture_await(fixture, round % 2 ? FACT_RAISED : FACT_TOPPLED);
    }
}

/* Sends without reading until the other side takes no more. */
static void flood(int fd)
{
    char lines[4096];
    size_t sent = 0;

    memset(lines, '\n', sizeof lines);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (unsigned i = 0; i < 100000; i++) {
        ssize_t count = send(fd, lines, sizeof lines, MSG_NOSIGNAL);
        sent += count > 0 ? (size_t)count : 0;
        if (count < 0) {
            break;
        }
    }
    assert_true(sent > 0);
}

HW_TEST(a_client_that_does_not_read_does_not_affect_others)
{
    int silent = fixture_connect(fixture);

    flood(silent);
    fixture_move(fixture->client, "red-2.tilt 1");
    assert_int_equal(fixture_await(fixture, FACT_TOPPLED).piece, PIECE_RED_2);
    close(silent);
    fixture_move(fixture->client, "red-2.tilt 0");
    fixture_await(fixture, FACT_RAISED);
}

HW_TEST(a_new_client_replaces_the_one_that_is_idle_for_longest)
{
    enum { OTHERS = SIM_CLIENTS_MAX };
    int others[OTHERS]; /* one too many */

    for (unsigned i = 0; i < OTHERS; i++) {
        if (i == OTHERS - 1) {
            fixture_move(fixture->client, "rope.b 0");
        }
        others[i] = fixture_connect(fixture);
        fixture_move(others[i], "rope.b 0");
    }
    fixture_expect(others[0], "error: too many clients");
    fixture_expect_end(others[0]);
    fixture_move(fixture->client, "rope.b 0");
    for (unsigned i = 1; i < OTHERS; i++) {
        fixture_move(others[i], "rope.b 0");
        close(others[i]);
    }
    close(others[0]);
}

HW_TEST(a_client_is_disconnected_when_no_descriptor_is_left)
{
    struct rlimit usual;
    int late = fixture_socket();
    int lowest_free = dup(late);

    fixture_move(fixture->client, "rope.b 0");
    close(lowest_free);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    struct rlimit no_more = {.rlim_cur = (rlim_t)lowest_free, .rlim_max = usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &no_more), 0);
    fixture_reach(fixture, late);
    fixture_expect_end(late);
    fixture_move(fixture->client, "rope.b 0");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    close(late);
}

HW_TEST(a_socket_in_use_is_not_replaced)
{
    struct hw *second = NULL;

    assert_int_equal(hw_open(&second, &fixture->settings), -EADDRINUSE);
    assert_null(second);
    fixture_move(fixture->client, "rope.b 0");
}

/* A socket file that nobody listens on, as a killed process leaves it. */
static void leave_stale_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    memcpy(address.sun_path, path, strlen(path));
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

HW_TEST(a_stale_socket_is_replaced_and_removed_at_the_end)
{
    fixture_close(fixture);
    assert_int_equal(access(fixture->settings.socket_path, F_OK), -1);
    leave_stale_socket(fixture->settings.socket_path);
    assert_int_equal(hw_open(&fixture->hw, &fixture->settings), 0);
    int again = fixture_connect(fixture);
    fixture_move(again, "rope.b 0");
    close(again);
}

HW_TEST(a_file_that_is_not_a_socket_is_not_changed)
{
    struct stat status;

    fixture_close(fixture);
    close(open(fixture->settings.socket_path, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(hw_open(&fixture->hw, &fixture->settings), -EEXIST);
    assert_int_equal(stat(fixture->settings.socket_path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
}

HW_TEST(an_impossible_path_is_an_error)
{
    struct hw_settings settings = fixture->settings;
    struct hw *hw;

    settings.socket_path[0] = '\0';
    assert_int_equal(hw_open(&hw, &settings), -EINVAL);
    memset(settings.socket_path, 'x', HW_PATH_SIZE - 1);
    settings.socket_path[HW_PATH_SIZE - 1] = '\0';
    assert_int_equal(hw_open(&hw, &settings), -ENAMETOOLONG);
    snprintf(settings.socket_path, HW_PATH_SIZE, "%s/none/sim", fixture->folder);
    assert_int_equal(hw_open(&hw, &settings), -ENOENT);
}
