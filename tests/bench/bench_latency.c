/*
 * From an edge on the sim socket to its event at a subscriber: the daemon with its games in memory
 * and on the disk, the floor (bench_floor), and a shell pipeline, in turns against one broker.
 *
 * The edge is the end of a cannon pulse outside the shooting step, and the event is the foul that
 * follows: one input, one record, one event. A beam must stay clear for beam_min_us before the ball
 * is believed to have left; that wait is the filter's purpose, so it is shown and taken off.
 */
#include "game_play.h"
#include "listener.h"
#include "rig.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ROUNDS = 300,
    ROUNDS_WARM = 10, /* before anything counts */
    PULSE_MS = 1,
    PAUSE_MS = 75,     /* four in turns: over BEAM_REFRACTORY_US, and all is quiet again */
    BEAM_MIN_US = 200, /* [timing] beam_min_us, by default */
    LINE_SIZE = 1024,
    COMMAND_SIZE = 1024,
};

enum contender_kind { MEMORY, DISK, FLOOR, SHELL, CONTENDERS };

struct contender {
    const char *name;
    const char *table;
    const char *opening; /* what comes before the edge, "" if nothing has to */
    double wait_us;      /* the filter's */
    char edge[LINE_SIZE];
    int fd;
    struct samples samples;
};

static struct contender contenders[CONTENDERS] = {
    [MEMORY] = {"shipahoyd, games in memory", "memory", "cannon.beam 1\n", BEAM_MIN_US},
    [DISK] = {"shipahoyd, games on the disk", "disk", "cannon.beam 1\n", BEAM_MIN_US},
    [FLOOR] = {"floor: C, libmosquitto", "floor", "", 0},
    [SHELL] = {"socat | mosquitto_pub -l", "shell", "", 0},
};

static void send_line(const struct contender *contender, const char *line)
{
    if (send(contender->fd, line, strlen(line), MSG_NOSIGNAL) != (ssize_t)strlen(line)) {
        rig_fail("%s does not take its line", contender->name);
    }
}

/* Breaks the beam; edges have the time at which they were read, so the daemon must have done so. */
static void break_beam(const struct contender *contender)
{
    char answer[LINE_SIZE];

    while (recv(contender->fd, answer, sizeof answer, MSG_DONTWAIT) > 0) {
    }
    send_line(contender, contender->opening);
    if (recv(contender->fd, answer, sizeof answer, 0) <= 0) {
        rig_fail("%s does not answer", contender->name);
    }
    rig_pause_ms(PULSE_MS);
}

/* One edge and its event. */
static double measure_us(struct contender *contender, struct listener *listener)
{
    if (contender->opening[0]) {
        break_beam(contender);
    }
    double began_us = rig_now_us();
    send_line(contender, contender->edge);
    listener_await(listener, listener->heard + 1);
    return listener->heard_us - began_us;
}

/*
 * Setting up
 */

/* To close combat, where a ball is a foul and nothing else follows. */
static void begin_game(const struct rig *rig, const char *table)
{
    struct listener replies;
    char topic[COMMAND_SIZE];
    enum { PHASES = 2 };

    game_open(&replies, rig->port, table);
    game_begin(&replies, table);
    snprintf(topic, sizeof topic, "bench/%s/command/end-phase", table);
    for (unsigned i = 0; i < PHASES; i++) {
        listener_say(&replies, topic, "{}");
    }
    listener_await(&replies, 1 + PHASES);
    if (replies.refused) {
        rig_fail("%s: the game does not begin", table);
    }
    listener_close(&replies);
}

static void start_daemon(struct rig *rig, enum contender_kind kind, enum rig_place place)
{
    struct contender *contender = &contenders[kind];
    char socket_name[COMMAND_SIZE];

    rig_start_daemon(rig, contender->table, place);
    begin_game(rig, contender->table);
    snprintf(contender->edge, sizeof contender->edge, "cannon.beam 0\n");
    snprintf(socket_name, sizeof socket_name, "%s.sock", contender->table);
    contender->fd = rig_connect(rig, socket_name);
}

static void start_floor(struct rig *rig, size_t size)
{
    struct contender *floor = &contenders[FLOOR];
    char socket_path[RIG_PATH_SIZE];
    char port[16];
    char bytes[16];

    rig_path(rig, "floor.sock", socket_path);
    snprintf(port, sizeof port, "%u", rig->port);
    snprintf(bytes, sizeof bytes, "%zu", size);
    snprintf(floor->edge, sizeof floor->edge, "cannon.beam 0\n");
    rig_start(rig, (const char *const[]){BENCH_FLOOR, socket_path, port, "bench/floor/event/foul",
                                         bytes, NULL});
    floor->fd = rig_connect(rig, "floor.sock");
}

/* What comes is what is published, so the line itself has the size. */
static void start_shell(struct rig *rig, size_t size)
{
    struct contender *shell = &contenders[SHELL];
    char command[COMMAND_SIZE];
    char socket_path[RIG_PATH_SIZE];

    rig_path(rig, "shell.sock", socket_path);
    snprintf(command, sizeof command,
             "socat -u UNIX-LISTEN:%s STDOUT | mosquitto_pub -V 5 --nodelay -q 1 -l "
             "-h 127.0.0.1 -p %u -t bench/shell/event/foul",
             socket_path, rig->port);
    memset(shell->edge, 'x', size);
    shell->edge[size] = '\n';
    rig_start(rig, (const char *const[]){"sh", "-c", command, NULL});
    shell->fd = rig_connect(rig, "shell.sock");
}

/* All publish as many bytes as the daemon does. */
static void start_all(struct rig *rig, struct listener *listener)
{
    start_daemon(rig, MEMORY, RIG_MEMORY);
    start_daemon(rig, DISK, RIG_DISK);
    measure_us(&contenders[MEMORY], listener);
    size_t size = listener->heard_size;
    rig_pause_ms(CONTENDERS * PAUSE_MS);
    if (size >= LINE_SIZE - 1) {
        rig_fail("an event of %zu bytes is too long to be compared", size);
    }
    start_floor(rig, size);
    start_shell(rig, size);
    printf("%u edges each, in turns; events of %zu bytes, QoS 1, MQTT 5\n", ROUNDS, size);
}

static void measure_all(struct listener *listener)
{
    for (unsigned round = 0; round < ROUNDS_WARM + ROUNDS; round++) {
        for (unsigned kind = 0; kind < CONTENDERS; kind++) {
            rig_pause_ms(PAUSE_MS);
            double took_us = measure_us(&contenders[kind], listener);
            if (round >= ROUNDS_WARM) {
                samples_add(&contenders[kind].samples, took_us);
            }
        }
    }
}

/*
 * The table
 */

static double median_us(enum contender_kind kind)
{
    return samples_percentile(&contenders[kind].samples, 50) - contenders[kind].wait_us;
}

static void print_all(void)
{
    double floor_us = median_us(FLOOR);

    printf("%-32s %9s %9s %9s %9s\n", "edge to event, us", "best", "median", "p99", "x floor");
    for (unsigned kind = 0; kind < CONTENDERS; kind++) {
        struct contender *contender = &contenders[kind];
        double wait_us = contender->wait_us;
        printf("%-32s %9.0f %9.0f %9.0f %9.2f\n", contender->name,
               samples_percentile(&contender->samples, 0) - wait_us,
               samples_percentile(&contender->samples, 50) - wait_us,
               samples_percentile(&contender->samples, 99) - wait_us,
               median_us((enum contender_kind)kind) / floor_us);
    }
    printf("%-32s %19.0f\n", "disk sync, by the medians", median_us(DISK) - median_us(MEMORY));
    printf("%-32s %19d\n", "taken off: the beam's filter", BEAM_MIN_US);
}

int main(void)
{
    static struct rig rig;
    static struct listener listener;

    rig_open(&rig);
    listener_open(&listener, rig.port, "bench/+/event/foul");
    start_all(&rig, &listener);
    measure_all(&listener);
    print_all();
    for (unsigned kind = 0; kind < CONTENDERS; kind++) {
        close(contenders[kind].fd);
    }
    listener_close(&listener);
    rig_close(&rig);
    return EXIT_SUCCESS;
}
