/*
 * How fast edges become facts: through the filters alone, and through the simulated table's socket
 * and the sensor thread, where the rope must have counted every one of them.
 */
#include "hw/filters.h"
#include "hw/hw.h"
#include "hw/queue.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    REPEATS = 7, /* the best of so many is reported: the least disturbed one */
    EDGES = 200000,
    SOCKET_EDGES = 400000,
    SOCKET_TEXT = SOCKET_EDGES * 9, /* `rope.a 1` and a newline */
    COUNTS_PER_KNOT = 20,
    IDLE_S = 2,
    NS_A_SECOND = 1000000000,
};

static const struct filter_settings settings = {.tilt_settle_ms = 150,
                                                .beam_min_us = 200,
                                                .button_ms = 30,
                                                .stuck_s = 30,
                                                .counts_per_knot = COUNTS_PER_KNOT};

static struct edge edges[EDGES];

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * NS_A_SECOND + (double)now.tv_nsec;
}

/* The i-th edge of an encoder that is pulled. */
static struct edge encoder_edge(unsigned i)
{
    return (struct edge){.sensor = i % 2 ? SENSOR_ROPE_B : SENSOR_ROPE_A, .level = i % 4 < 2};
}

static void pull_rope(void)
{
    for (unsigned i = 0; i < EDGES; i++) {
        edges[i] = encoder_edge(i);
        edges[i].at_us = 1000000 + i * 100;
    }
}

static void rattle_one_piece(void)
{
    for (unsigned i = 0; i < EDGES; i++) {
        edges[i] = (struct edge){1000000 + i * UINT64_C(2000), SENSOR_TILT + PIECE_RED_1,
                                 i % 2 == 0, EDGE_CHANGE};
    }
}

static void move_everything(void)
{
    for (unsigned i = 0; i < EDGES; i++) {
        unsigned sensor = 1 + i % (SENSOR_COUNT - 1);
        edges[i] = (struct edge){1000000 + i * UINT64_C(1000), (uint16_t)sensor,
                                 i / (SENSOR_COUNT - 1) % 2 == 0, EDGE_CHANGE};
    }
}

static void print_filters(const char *what, void (*draw)(void))
{
    static struct filters filters;
    static struct fact_list list;
    double best = 0;

    draw();
    for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
        filters_init(&filters, &settings);
        double began = now_ns();
        for (unsigned i = 0; i < EDGES; i++) {
            filters_edge(&filters, &edges[i], &list);
            list.count = 0;
        }
        double each = (now_ns() - began) / EDGES;
        best = repeat == 0 || each < best ? each : best;
    }
    printf("%-44s %10.0f ns %10.2f M/s\n", what, best, 1e3 / best);
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    memcpy(address.sun_path, path, strlen(path));
    if (connect(fd, (const struct sockaddr *)&address, sizeof address)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return fd;
}

/* Writes everything while it takes the answers, as a client must. */
static void send_all(int fd, const char *text, size_t size)
{
    char answers[65536];
    size_t sent = 0;

    while (sent < size) {
        struct pollfd wanted = {.fd = fd, .events = POLLIN | POLLOUT};
        poll(&wanted, 1, -1);
        if (wanted.revents & POLLOUT) {
            ssize_t count = send(fd, text + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
            sent += count > 0 ? (size_t)count : 0;
        }
        while (recv(fd, answers, sizeof answers, MSG_DONTWAIT) > 0) {
        }
    }
}

/* Until the rope has counted them all; a lost edge would make it wait for ever, so it gives up. */
static int32_t await_knots(struct hw *hw, int32_t knots_milli)
{
    struct pollfd wanted = {.fd = hw_fd(hw), .events = POLLIN};
    int32_t last = 0;
    struct fact fact;

    while (last != knots_milli && poll(&wanted, 1, 2000) == 1) {
        while (hw_take(hw, &fact, 1) == 1) {
            last = fact.kind == FACT_ROPE_AT ? fact.knots_milli : last;
        }
    }
    return last;
}

static void print_socket(struct hw *hw, const char *path)
{
    static char text[SOCKET_TEXT + 1];
    static const struct button_names no_buttons;
    struct sensor_names names;
    int fd = connect_to(path);
    size_t length = 0;

    sensor_names_init(&names, &no_buttons);
    for (unsigned i = 0; i < SOCKET_EDGES; i++) {
        struct edge edge = encoder_edge(i);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %u\n",
                                   sensor_name(&names, edge.sensor), edge.level);
    }
    double began = now_ns();
    send_all(fd, text, length);
    int32_t knots = await_knots(hw, SOCKET_EDGES / COUNTS_PER_KNOT * 1000) / 1000;
    double each = (now_ns() - began) / SOCKET_EDGES;
    printf("%-44s %10.0f ns %10.2f M/s\n", "encoder edge, sent on the sim socket", each,
           1e3 / each);
    printf("%-44s %10d of %d\n", "edges that the rope has counted", knots * COUNTS_PER_KNOT,
           SOCKET_EDGES);
    close(fd);
}

static void print_idle(void)
{
    struct rusage before;
    struct rusage after;
    struct timespec pause = {.tv_sec = IDLE_S};

    getrusage(RUSAGE_SELF, &before);
    nanosleep(&pause, NULL);
    getrusage(RUSAGE_SELF, &after);
    /* One of them is the end of the pause. */
    printf("%-44s %10ld a second\n", "wakeups of a table at rest",
           (after.ru_nvcsw - before.ru_nvcsw - 1) / IDLE_S);
}

int main(void)
{
    char folder[] = "/tmp/shipahoy-bench-XXXXXX";
    struct hw_settings table = {.backend = HW_BACKEND_SIM, .filters = settings};
    struct hw *hw;

    print_filters("edge through the filters, rope pulled", pull_rope);
    print_filters("edge through the filters, tilt rattling", rattle_one_piece);
    print_filters("edge through the filters, all sensors", move_everything);
    if (!mkdtemp(folder)) {
        perror(folder);
        return EXIT_FAILURE;
    }
    snprintf(table.socket_path, sizeof table.socket_path, "%s/sim", folder);
    if (hw_open(&hw, &table)) {
        return EXIT_FAILURE;
    }
    print_socket(hw, table.socket_path);
    await_knots(hw, -1);
    print_idle();
    hw_close(hw);
    rmdir(folder);
    printf("%-44s %10zu bytes\n", "struct filters, all sensors", sizeof(struct filters));
    printf("%-44s %10zu bytes\n", "struct queue", sizeof(struct queue));
    return EXIT_SUCCESS;
}
