#include "stage.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int stage_setup(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);

    if (!stage) {
        return -1;
    }
    *state = stage;
    strcpy(stage->folder, "/tmp/shipahoy-test-XXXXXX");
    if (!mkdtemp(stage->folder)) {
        return -1;
    }
    stage->settings = (struct hw_settings){
        .backend = HW_BACKEND_SIM,
        .buttons = {.name = {"end"}, .count = 1},
        .filters = {.tilt_settle_ms = 150,
                    .beam_min_us = 200,
                    .button_ms = 30,
                    .stuck_s = 30,
                    .beam_gap_um = 20000,
                    .counts_per_knot = 20},
    };
    snprintf(stage->settings.socket_path, HW_PATH_SIZE, "%s/sim", stage->folder);
    snprintf(stage->settings.record_path, HW_PATH_SIZE, "%s/record", stage->folder);
    return hw_open(&stage->hw, &stage->settings);
}

int stage_teardown(void **state)
{
    struct stage *stage = *state;

    hw_close(stage->hw);
    unlink(stage->settings.socket_path);
    unlink(stage->settings.record_path);
    int result = rmdir(stage->folder);
    free(stage);
    return result;
}

int stage_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    return fd;
}

bool stage_reach(int fd, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    memcpy(address.sun_path, path, strlen(path));
    return connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

int stage_connect(const char *path)
{
    int fd = stage_socket();

    if (!stage_reach(fd, path)) {
        close(fd);
        return -1;
    }
    return fd;
}

void stage_send(int fd, const char *text)
{
    size_t length = strlen(text);

    assert_int_equal(send(fd, text, length, MSG_NOSIGNAL), length);
}

static void await(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};

    if (poll(&wanted, 1, STAGE_DEADLINE_MS) != 1) {
        fail_msg("nothing came within %d ms", STAGE_DEADLINE_MS);
    }
}

void stage_expect_line(int fd, const char *line)
{
    char got[512];
    size_t length = 0;

    do {
        await(fd);
        assert_true(length < sizeof got - 1);
        assert_int_equal(recv(fd, got + length, 1, 0), 1);
    } while (got[length++] != '\n');
    got[length - 1] = '\0';
    assert_string_equal(got, line);
}

void stage_expect_end(int fd)
{
    char byte;

    await(fd);
    assert_int_equal(recv(fd, &byte, 1, 0), 0);
}

void stage_move(int fd, const char *line)
{
    stage_send(fd, line);
    stage_send(fd, "\n");
    stage_expect_line(fd, "ok");
}

static struct fact take_one(struct stage *stage)
{
    struct fact fact;

    await(hw_fd(stage->hw));
    assert_int_equal(hw_take(stage->hw, &fact, 1), 1);
    return fact;
}

struct fact stage_await(struct stage *stage, enum fact_kind kind)
{
    struct fact fact = take_one(stage);

    while (fact.kind != kind) {
        fact = take_one(stage);
    }
    return fact;
}

void stage_expect_until(struct stage *stage, enum fact_kind last, const char *kinds)
{
    char got[512] = "";
    struct fact fact;

    do {
        fact = take_one(stage);
        if (fact.kind != FACT_SENSED) {
            size_t length = strlen(got);
            snprintf(got + length, sizeof got - length, "%s%s", length ? " " : "",
                     fact_name(fact.kind));
        }
    } while (fact.kind != last);
    assert_string_equal(got, kinds);
}
