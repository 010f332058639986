#include "fixture.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int fixture_setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    if (!fixture) {
        return -1;
    }
    *state = fixture;
    strcpy(fixture->folder, "/tmp/shipahoy-test-XXXXXX");
    if (!mkdtemp(fixture->folder)) {
        return -1;
    }
    fixture->settings = (struct hw_settings){
        .backend = HW_BACKEND_SIM,
        .buttons = {.name = {"end"}, .count = 1},
        .filters = {.tilt_settle_ms = 150,
                    .beam_min_us = 200,
                    .button_ms = 30,
                    .stuck_s = 30,
                    .beam_gap_um = 20000,
                    .counts_per_knot = 20},
    };
    snprintf(fixture->settings.socket_path, HW_PATH_SIZE, "%s/sim", fixture->folder);
    snprintf(fixture->settings.record_path, HW_PATH_SIZE, "%s/record", fixture->folder);
    if (hw_open(&fixture->hw, &fixture->settings)) {
        return -1;
    }
    fixture->client = fixture_connect(fixture);
    return 0;
}

void fixture_close(struct fixture *fixture)
{
    hw_close(fixture->hw);
    fixture->hw = NULL;
}

int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;

    close(fixture->client);
    fixture_close(fixture);
    unlink(fixture->settings.socket_path);
    unlink(fixture->settings.record_path);
    int result = rmdir(fixture->folder);
    free(fixture);
    return result;
}

int fixture_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    return fd;
}

void fixture_reach(const struct fixture *fixture, int fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    memcpy(address.sun_path, fixture->settings.socket_path, strlen(fixture->settings.socket_path));
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
}

int fixture_connect(const struct fixture *fixture)
{
    int fd = fixture_socket();

    fixture_reach(fixture, fd);
    return fd;
}

void fixture_send(int fd, const char *text)
{
    size_t length = strlen(text);

    assert_int_equal(send(fd, text, length, MSG_NOSIGNAL), length);
}

static void await(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};

    if (poll(&wanted, 1, FIXTURE_DEADLINE_MS) != 1) {
        fail_msg("nothing came within %d ms", FIXTURE_DEADLINE_MS);
    }
}

void fixture_expect(int fd, const char *lines)
{
    char got[512];
    size_t length = 0;

    assert_true(strlen(lines) < sizeof got);
    while (length <= strlen(lines)) {
        await(fd);
        ssize_t count = recv(fd, got + length, strlen(lines) + 1 - length, 0);
        assert_true(count > 0);
        length += (size_t)count;
    }
    assert_int_equal(got[length - 1], '\n');
    got[length - 1] = '\0';
    assert_string_equal(got, lines);
}

void fixture_expect_end(int fd)
{
    char byte;

    await(fd);
    assert_int_equal(recv(fd, &byte, 1, 0), 0);
}

void fixture_move(int fd, const char *line)
{
    fixture_send(fd, line);
    fixture_send(fd, "\n");
    fixture_expect(fd, "ok");
}

static struct fact take_one(struct fixture *fixture)
{
    struct fact fact;

    await(hw_fd(fixture->hw));
    assert_int_equal(hw_take(fixture->hw, &fact, 1), 1);
    return fact;
}

struct fact fixture_await(struct fixture *fixture, enum fact_kind kind)
{
    struct fact fact = take_one(fixture);

    while (fact.kind != kind) {
        fact = take_one(fixture);
    }
    return fact;
}

void fixture_expect_until(struct fixture *fixture, enum fact_kind last, const char *kinds)
{
    char got[512] = "";
    struct fact fact;

    do {
        fact = take_one(fixture);
        if (fact.kind != FACT_SENSED) {
            size_t length = strlen(got);
            snprintf(got + length, sizeof got - length, "%s%s", length ? " " : "",
                     fact_name(fact.kind));
        }
    } while (fact.kind != last);
    assert_string_equal(got, kinds);
}
