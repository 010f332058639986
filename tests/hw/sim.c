/* The simulated table on its socket: the protocol, and clients that do not keep to it. */
#include "stage.h"

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

static int client_of(struct stage *stage)
{
    int fd = stage_connect(stage->settings.socket_path);

    assert_true(fd >= 0);
    return fd;
}

static void each_line_is_answered_in_order(void **state)
{
    int fd = client_of(*state);

    stage_send(fd, "cannon.beam 1\nnonsense\nrope.a 2\nrope.a 1\n");
    stage_expect_line(fd, "ok");
    stage_expect_line(fd, "error: there is no sensor \"nonsense\"; "
                          "a line is SENSOR LEVEL, such as cannon.beam 1");
    stage_expect_line(fd, "error: \"2\" is not a level: 1 is active, 0 is not");
    stage_expect_line(fd, "ok");
    close(fd);
}

static void a_typing_error_is_answered_with_the_nearest_sensor(void **state)
{
    int fd = client_of(*state);

    stage_send(fd, "button.ned 1\n");
    stage_expect_line(fd, "error: there is no sensor \"button.ned\"; the nearest is button.end");
    close(fd);
}

static void a_question_is_answered_with_the_level(void **state)
{
    struct stage *stage = *state;
    int fd = client_of(stage);

    stage_send(fd, "rope.b ?\nrope.b 1\nrope.b ?\nrope.b 0\nrope.b ?\nrope.c ?\n");
    stage_expect_line(fd, "0");
    stage_expect_line(fd, "ok");
    stage_expect_line(fd, "1");
    stage_expect_line(fd, "ok");
    stage_expect_line(fd, "0");
    stage_expect_line(fd, "error: there is no sensor \"rope.c\"; the nearest is rope.a");
    close(fd);
}

static void a_question_hears_of_injected_edges(void **state)
{
    struct stage *stage = *state;
    int fd = client_of(stage);

    assert_int_equal(hw_inject_edge(stage->hw, SENSOR_TILT + PIECE_BLUE_1, 1), 0);
    stage_await(stage, FACT_SENSED);
    stage_send(fd, "blue-1.tilt ?\n");
    stage_expect_line(fd, "1");
    close(fd);
}

static void edges_become_facts(void **state)
{
    struct stage *stage = *state;
    int fd = client_of(stage);
    char line[64];
    uint64_t at_us = hw_now_us(stage->hw) + SECOND;

    snprintf(line, sizeof line, "@%llu cannon.beam 1", (unsigned long long)at_us);
    stage_move(fd, line);
    snprintf(line, sizeof line, "@%llu cannon.beam 0", (unsigned long long)at_us + 4 * MS);
    stage_move(fd, line);
    struct fact fact = stage_await(stage, FACT_BALL_LEFT);
    assert_true(fact.at_us == at_us);
    assert_int_equal(fact.evidence.width_us, 4 * MS);
    close(fd);
}

static void a_time_ahead_is_judged_as_if_it_had_passed(void **state)
{
    struct stage *stage = *state;
    int fd = client_of(stage);
    unsigned long long at_us = hw_now_us(stage->hw);
    char lines[512];

    /* A minute of play, sent at once. */
    snprintf(lines, sizeof lines,
             "@%llu red-1.tilt 1\n@%llu red-1.tilt 0\n@%llu red-1.tilt 1\n"
             "@%llu rope.button 1\n@%llu button.end 1\n",
             at_us + 10 * SECOND, at_us + 11 * SECOND, at_us + 20 * SECOND, at_us + 30 * SECOND,
             at_us + 60 * SECOND);
    stage_send(fd, lines);
    stage_expect_until(stage, FACT_PRESSED, "toppled raised toppled rope-held health pressed");
    close(fd);
}

static void a_time_more_than_a_day_ahead_is_refused(void **state)
{
    int fd = client_of(*state);

    stage_send(fd, "@4000000000000000000 cannon.beam 1\n");
    stage_expect_line(fd, "error: that time is more than a day away");
    close(fd);
}

static void a_time_that_has_passed_is_harmless(void **state)
{
    struct stage *stage = *state;
    int fd = client_of(stage);

    stage_move(fd, "@1 red-1.tilt 1");
    assert_int_equal(stage_await(stage, FACT_TOPPLED).at_us, 1);
    stage_move(fd, "@0 red-1.tilt 0");
    stage_await(stage, FACT_RAISED);
    close(fd);
}

static void half_a_line_waits_for_its_other_half(void **state)
{
    int fd = client_of(*state);

    stage_send(fd, "cannon.be");
    stage_send(fd, "am 1\r\nrope");
    stage_expect_line(fd, "ok");
    stage_send(fd, ".b 0\n");
    stage_expect_line(fd, "ok");
    close(fd);
}

static void a_line_that_never_ends_is_answered_once_and_skipped(void **state)
{
    int fd = client_of(*state);
    char endless[1000];

    memset(endless, 'x', sizeof endless);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(send(fd, endless, sizeof endless, MSG_NOSIGNAL), sizeof endless);
    }
    stage_send(fd, "\nrope.a 1\n");
    stage_expect_line(fd, "error: the line is too long");
    stage_expect_line(fd, "ok");
    close(fd);
}

static void bytes_that_are_no_text_are_answered_and_skipped(void **state)
{
    static const char junk[] = "rope.a\0 1\n\xff\xfe\x1b\n";
    int fd = client_of(*state);

    assert_int_equal(send(fd, junk, sizeof junk - 1, MSG_NOSIGNAL), sizeof junk - 1);
    stage_expect_line(fd, "error: the line is not text");
    stage_expect_line(fd, "error: there is no sensor \"???\"; "
                          "a line is SENSOR LEVEL, such as cannon.beam 1");
    stage_move(fd, "rope.a 1");
    close(fd);
}

static void more_answers_than_fit_come_all_the_same(void **state)
{
    int fd = client_of(*state);
    char empty_lines[2000];

    memset(empty_lines, '\n', sizeof empty_lines);
    assert_int_equal(send(fd, empty_lines, sizeof empty_lines, MSG_NOSIGNAL), sizeof empty_lines);
    shutdown(fd, SHUT_WR);
    for (unsigned i = 0; i < sizeof empty_lines; i++) {
        stage_expect_line(fd, "error: there is no sensor \"\"; "
                              "a line is SENSOR LEVEL, such as cannon.beam 1");
    }
    stage_expect_end(fd);
    close(fd);
}

static void a_client_that_leaves_at_once_is_heard_to_the_end(void **state)
{
    struct stage *stage = *state;
    struct filter_settings settings = stage->settings.filters;

    settings.tilt_settle_ms = 1;
    hw_apply(stage->hw, &settings);
    for (unsigned round = 0; round < 50; round++) {
        int fd = client_of(stage);
        char text[8192];
        size_t length = 0;
        while (length < 7000) {
            length += (size_t)snprintf(text + length, sizeof text - length, "rope.a 1\n");
        }
        snprintf(text + length, sizeof text - length, "red-1.tilt %u\n", (round + 1) % 2);
        stage_send(fd, text);
        close(fd);
        stage_await(stage, round % 2 ? FACT_RAISED : FACT_TOPPLED);
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

static void a_client_that_does_not_read_is_not_heard_and_nobody_else_suffers(void **state)
{
    struct stage *stage = *state;
    int deaf = client_of(stage);
    int fd = client_of(stage);

    flood(deaf);
    stage_move(fd, "red-2.tilt 1");
    assert_int_equal(stage_await(stage, FACT_TOPPLED).piece, PIECE_RED_2);
    close(deaf);
    stage_move(fd, "red-2.tilt 0");
    stage_await(stage, FACT_RAISED);
    close(fd);
}

static void the_client_that_was_idle_for_longest_gives_way_to_a_new_one(void **state)
{
    struct stage *stage = *state;
    int fds[SIM_CLIENTS_MAX];

    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        fds[i] = client_of(stage);
        stage_move(fds[i], "rope.b 0");
    }
    stage_move(fds[0], "rope.b 0");
    int fd = client_of(stage);
    stage_move(fd, "rope.b 0");
    stage_expect_line(fds[1], "error: too many clients");
    stage_expect_end(fds[1]);
    stage_move(fds[0], "rope.b 0");
    for (unsigned i = 2; i < SIM_CLIENTS_MAX; i++) {
        stage_move(fds[i], "rope.b 0");
        close(fds[i]);
    }
    close(fds[0]);
    close(fds[1]);
    close(fd);
}

static void idle_clients_lock_out_nobody(void **state)
{
    struct stage *stage = *state;
    int idle[40];

    for (unsigned i = 0; i < 40; i++) {
        idle[i] = client_of(stage);
        stage_send(idle[i], "rope"); /* half a line is idle, too */
    }
    int fd = client_of(stage);
    stage_move(fd, "rope.b 0");
    close(fd);
    for (unsigned i = 0; i < 40; i++) {
        close(idle[i]);
    }
}

static void a_client_without_a_descriptor_left_for_it_is_sent_away(void **state)
{
    struct stage *stage = *state;
    struct rlimit usual;
    int fd = client_of(stage);
    int late = stage_socket();
    int lowest_free = dup(fd);

    stage_move(fd, "rope.b 0");
    close(lowest_free);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    struct rlimit no_more = {.rlim_cur = (rlim_t)lowest_free, .rlim_max = usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &no_more), 0);
    assert_true(stage_reach(late, stage->settings.socket_path));
    stage_expect_end(late);
    stage_move(fd, "rope.b 0");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    close(late);
    close(fd);
}

static void a_socket_in_use_is_left_alone(void **state)
{
    struct stage *stage = *state;
    struct hw *second = NULL;
    int fd = client_of(stage);

    assert_int_equal(hw_open(&second, &stage->settings), -EADDRINUSE);
    assert_null(second);
    stage_move(fd, "rope.b 0");
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

static void a_stale_socket_is_replaced_and_removed_at_the_end(void **state)
{
    struct stage *stage = *state;

    hw_close(stage->hw);
    stage->hw = NULL;
    assert_int_equal(access(stage->settings.socket_path, F_OK), -1);
    leave_stale_socket(stage->settings.socket_path);
    assert_int_equal(hw_open(&stage->hw, &stage->settings), 0);
    int fd = client_of(stage);
    stage_move(fd, "rope.b 0");
    close(fd);
}

static void a_file_that_is_no_socket_is_not_touched(void **state)
{
    struct stage *stage = *state;
    struct stat status;

    hw_close(stage->hw);
    stage->hw = NULL;
    close(open(stage->settings.socket_path, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(hw_open(&stage->hw, &stage->settings), -EEXIST);
    assert_int_equal(stat(stage->settings.socket_path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
}

static void a_path_that_cannot_be_is_an_error(void **state)
{
    struct stage *stage = *state;
    struct hw_settings settings = stage->settings;
    struct hw *hw;

    settings.socket_path[0] = '\0';
    assert_int_equal(hw_open(&hw, &settings), -EINVAL);
    memset(settings.socket_path, 'x', HW_PATH_SIZE - 1);
    settings.socket_path[HW_PATH_SIZE - 1] = '\0';
    assert_int_equal(hw_open(&hw, &settings), -ENAMETOOLONG);
    snprintf(settings.socket_path, HW_PATH_SIZE, "%s/none/sim", stage->folder);
    assert_int_equal(hw_open(&hw, &settings), -ENOENT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(each_line_is_answered_in_order),
        CASE(a_typing_error_is_answered_with_the_nearest_sensor),
        CASE(a_question_is_answered_with_the_level),
        CASE(a_question_hears_of_injected_edges),
        CASE(edges_become_facts),
        CASE(a_time_ahead_is_judged_as_if_it_had_passed),
        CASE(a_time_more_than_a_day_ahead_is_refused),
        CASE(a_time_that_has_passed_is_harmless),
        CASE(half_a_line_waits_for_its_other_half),
        CASE(a_line_that_never_ends_is_answered_once_and_skipped),
        CASE(bytes_that_are_no_text_are_answered_and_skipped),
        CASE(more_answers_than_fit_come_all_the_same),
        CASE(a_client_that_leaves_at_once_is_heard_to_the_end),
        CASE(a_client_that_does_not_read_is_not_heard_and_nobody_else_suffers),
        CASE(the_client_that_was_idle_for_longest_gives_way_to_a_new_one),
        CASE(idle_clients_lock_out_nobody),
        CASE(a_client_without_a_descriptor_left_for_it_is_sent_away),
        CASE(a_socket_in_use_is_left_alone),
        CASE(a_stale_socket_is_replaced_and_removed_at_the_end),
        CASE(a_file_that_is_no_socket_is_not_touched),
        CASE(a_path_that_cannot_be_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
