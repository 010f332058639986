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

static int client_of(struct fixture *fixture)
{
    int fd = fixture_connect(fixture->settings.socket_path);

    assert_true(fd >= 0);
    return fd;
}

TEST_EACH(fixture_setup, fixture_teardown)

TEST(each_line_is_answered_in_order)
{
    int fd = client_of(*state);

    fixture_send(fd, "cannon.beam 1\nnonsense\nrope.a 2\nrope.a 1\n");
    fixture_expect_line(fd, "ok");
    fixture_expect_line(fd, "error: there is no sensor \"nonsense\"; "
                            "a line is SENSOR LEVEL, such as cannon.beam 1");
    fixture_expect_line(fd, "error: \"2\" is not a level: 1 is active, 0 is not");
    fixture_expect_line(fd, "ok");
    close(fd);
}

TEST(a_query_is_answered_with_the_level)
{
    struct fixture *fixture = *state;
    int fd = client_of(fixture);

    fixture_send(fd, "rope.b ?\nrope.b 1\nrope.b ?\nrope.b 0\nrope.b ?\nrope.c ?\n");
    fixture_expect_line(fd, "0");
    fixture_expect_line(fd, "ok");
    fixture_expect_line(fd, "1");
    fixture_expect_line(fd, "ok");
    fixture_expect_line(fd, "0");
    fixture_expect_line(fd, "error: there is no sensor \"rope.c\"; the nearest is rope.a");
    close(fd);
}

TEST(a_query_includes_injected_edges)
{
    struct fixture *fixture = *state;
    int fd = client_of(fixture);

    assert_int_equal(hw_inject_edge(fixture->hw, SENSOR_TILT + PIECE_BLUE_1, 1), 0);
    fixture_await(fixture, FACT_SENSED);
    fixture_send(fd, "blue-1.tilt ?\n");
    fixture_expect_line(fd, "1");
    close(fd);
}

TEST(a_time_in_the_future_is_filtered_as_if_it_had_passed)
{
    struct fixture *fixture = *state;
    int fd = client_of(fixture);
    unsigned long long at_us = hw_now_us(fixture->hw);
    char lines[512];

    /* A minute of play, sent at once. */
    snprintf(lines, sizeof lines,
             "@%llu red-1.tilt 1\n@%llu red-1.tilt 0\n@%llu red-1.tilt 1\n"
             "@%llu rope.button 1\n@%llu button.end 1\n",
             at_us + 10 * SECOND, at_us + 11 * SECOND, at_us + 20 * SECOND, at_us + 30 * SECOND,
             at_us + 60 * SECOND);
    fixture_send(fd, lines);
    fixture_expect_until(fixture, FACT_PRESSED, "toppled raised toppled rope-held health pressed");
    close(fd);
}

TEST(a_time_more_than_a_day_ahead_is_refused)
{
    int fd = client_of(*state);

    fixture_send(fd, "@4000000000000000000 cannon.beam 1\n");
    fixture_expect_line(fd, "error: that time is more than a day away");
    close(fd);
}

TEST(a_time_in_the_past_is_accepted)
{
    struct fixture *fixture = *state;
    int fd = client_of(fixture);

    fixture_move(fd, "@1 red-1.tilt 1");
    assert_int_equal(fixture_await(fixture, FACT_TOPPLED).at_us, 1);
    fixture_move(fd, "@0 red-1.tilt 0");
    fixture_await(fixture, FACT_RAISED);
    close(fd);
}

TEST(half_a_line_waits_for_its_other_half)
{
    int fd = client_of(*state);

    fixture_send(fd, "cannon.be");
    fixture_send(fd, "am 1\r\nrope");
    fixture_expect_line(fd, "ok");
    fixture_send(fd, ".b 0\n");
    fixture_expect_line(fd, "ok");
    close(fd);
}

TEST(a_line_that_never_ends_is_answered_once_and_skipped)
{
    int fd = client_of(*state);
    char endless[1000];

    memset(endless, 'x', sizeof endless);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(send(fd, endless, sizeof endless, MSG_NOSIGNAL), sizeof endless);
    }
    fixture_send(fd, "\nrope.a 1\n");
    fixture_expect_line(fd, "error: the line is too long");
    fixture_expect_line(fd, "ok");
    close(fd);
}

TEST(bytes_that_are_not_text_are_answered_and_skipped)
{
    static const char junk[] = "rope.a\0 1\n\xff\xfe\x1b\n";
    int fd = client_of(*state);

    assert_int_equal(send(fd, junk, sizeof junk - 1, MSG_NOSIGNAL), sizeof junk - 1);
    fixture_expect_line(fd, "error: the line is not text");
    fixture_expect_line(fd, "error: there is no sensor \"???\"; "
                            "a line is SENSOR LEVEL, such as cannon.beam 1");
    fixture_move(fd, "rope.a 1");
    close(fd);
}

TEST(more_answers_than_fit_are_all_sent)
{
    int fd = client_of(*state);
    char empty_lines[2000];

    memset(empty_lines, '\n', sizeof empty_lines);
    assert_int_equal(send(fd, empty_lines, sizeof empty_lines, MSG_NOSIGNAL), sizeof empty_lines);
    shutdown(fd, SHUT_WR);
    for (unsigned i = 0; i < sizeof empty_lines; i++) {
        fixture_expect_line(fd, "error: there is no sensor \"\"; "
                                "a line is SENSOR LEVEL, such as cannon.beam 1");
    }
    fixture_expect_end(fd);
    close(fd);
}

TEST(all_edges_of_a_client_that_disconnects_at_once_count)
{
    struct fixture *fixture = *state;
    struct filter_settings settings = fixture->settings.filters;

    settings.tilt_settle_ms = 1;
    hw_apply(fixture->hw, &settings);
    for (unsigned round = 0; round < 50; round++) {
        int fd = client_of(fixture);
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

TEST(a_client_that_does_not_read_does_not_affect_others)
{
    struct fixture *fixture = *state;
    int silent = client_of(fixture);
    int fd = client_of(fixture);

    flood(silent);
    fixture_move(fd, "red-2.tilt 1");
    assert_int_equal(fixture_await(fixture, FACT_TOPPLED).piece, PIECE_RED_2);
    close(silent);
    fixture_move(fd, "red-2.tilt 0");
    fixture_await(fixture, FACT_RAISED);
    close(fd);
}

TEST(a_new_client_replaces_the_one_that_is_idle_for_longest)
{
    struct fixture *fixture = *state;
    int fds[SIM_CLIENTS_MAX];

    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        fds[i] = client_of(fixture);
        fixture_move(fds[i], "rope.b 0");
    }
    fixture_move(fds[0], "rope.b 0");
    int fd = client_of(fixture);
    fixture_move(fd, "rope.b 0");
    fixture_expect_line(fds[1], "error: too many clients");
    fixture_expect_end(fds[1]);
    fixture_move(fds[0], "rope.b 0");
    for (unsigned i = 2; i < SIM_CLIENTS_MAX; i++) {
        fixture_move(fds[i], "rope.b 0");
        close(fds[i]);
    }
    close(fds[0]);
    close(fds[1]);
    close(fd);
}

TEST(a_client_is_disconnected_when_no_descriptor_is_left)
{
    struct fixture *fixture = *state;
    struct rlimit usual;
    int fd = client_of(fixture);
    int late = fixture_socket();
    int lowest_free = dup(fd);

    fixture_move(fd, "rope.b 0");
    close(lowest_free);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    struct rlimit no_more = {.rlim_cur = (rlim_t)lowest_free, .rlim_max = usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &no_more), 0);
    assert_true(fixture_reach(late, fixture->settings.socket_path));
    fixture_expect_end(late);
    fixture_move(fd, "rope.b 0");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    close(late);
    close(fd);
}

TEST(a_socket_in_use_is_not_replaced)
{
    struct fixture *fixture = *state;
    struct hw *second = NULL;
    int fd = client_of(fixture);

    assert_int_equal(hw_open(&second, &fixture->settings), -EADDRINUSE);
    assert_null(second);
    fixture_move(fd, "rope.b 0");
    close(fd);
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

TEST(a_stale_socket_is_replaced_and_removed_at_the_end)
{
    struct fixture *fixture = *state;

    hw_close(fixture->hw);
    fixture->hw = NULL;
    assert_int_equal(access(fixture->settings.socket_path, F_OK), -1);
    leave_stale_socket(fixture->settings.socket_path);
    assert_int_equal(hw_open(&fixture->hw, &fixture->settings), 0);
    int fd = client_of(fixture);
    fixture_move(fd, "rope.b 0");
    close(fd);
}

TEST(a_file_that_is_not_a_socket_is_not_changed)
{
    struct fixture *fixture = *state;
    struct stat status;

    hw_close(fixture->hw);
    fixture->hw = NULL;
    close(open(fixture->settings.socket_path, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(hw_open(&fixture->hw, &fixture->settings), -EEXIST);
    assert_int_equal(stat(fixture->settings.socket_path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
}

TEST(an_impossible_path_is_an_error)
{
    struct fixture *fixture = *state;
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
