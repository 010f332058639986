/*
 * From an edge on the sim socket to its event at a subscriber: the daemon with its games in memory
 * and on the disk, the floor (bench_floor), and a shell pipeline, in turns against one broker.
 *
 * The edge is the one that pulls the rope further than the die allows, and the event is rope-over
 * (M5): one input, one record, one event, and no filter that would have to wait before it believes.
 */
#include "game_play.h"
#include "listener.h"
#include "rig.h"
#include "samples.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ROUNDS = 300,
    ROUNDS_WARM = 10, /* before anything counts */
    READING_MS = 120, /* over twice ROPE_PERIOD_US: the next reading will be told at once */
    PAUSE_MS = 40,    /* so that what follows an event does not disturb the next */
    LINE_SIZE = 1024,
    COMMAND_SIZE = 1024,
};

enum contender_kind { MEMORY, DISK, FLOOR, SHELL, CONTENDERS };

struct contender {
    const char *name;
    const char *table;
    bool is_table;
    struct listener replies; /* of a table */
    char edge[LINE_SIZE];    /* what is measured from */
    int fd;
    struct samples samples;
};

static struct contender contenders[CONTENDERS] = {
    [MEMORY] = {.name = "shipahoyd, games in memory", .table = "memory", .is_table = true},
    [DISK] = {.name = "shipahoyd, games on the disk", .table = "disk", .is_table = true},
    [FLOOR] = {.name = "floor: C, libmosquitto", .table = "floor"},
    [SHELL] = {.name = "socat | mosquitto_pub -l", .table = "shell"},
};

static void send_line(const struct contender *contender, const char *line)
{
    if (send(contender->fd, line, strlen(line), MSG_NOSIGNAL) != (ssize_t)strlen(line)) {
        rig_fail("%s does not take its line", contender->name);
    }
}

static void say(struct contender *table, const char *verb, const char *fields)
{
    char topic[COMMAND_SIZE];

    snprintf(topic, sizeof topic, "bench/%s/command/%s", table->table, verb);
    listener_say(&table->replies, topic, fields);
    listener_await(&table->replies, table->replies.heard + 1);
    if (table->replies.refused) {
        rig_fail("%s refuses %s", table->name, verb);
    }
}

/* A knot is one count: the first edge after a choice is within the die's 1, the second is not. */
static void pull_first_knot(struct contender *table, unsigned round)
{
    char answers[LINE_SIZE];

    while (recv(table->fd, answers, sizeof answers, MSG_DONTWAIT) > 0) {
    }
    say(table, "select", "{\"piece\":\"red-1\"}");
    snprintf(table->edge, sizeof table->edge, "rope.a %u\n", round % 2 == 0);
    send_line(table, table->edge);
    snprintf(table->edge, sizeof table->edge, "rope.b %u\n", round % 2 == 0);
}

static double measure_us(const struct contender *contender, struct listener *listener)
{
    double began_us = rig_now_us();

    send_line(contender, contender->edge);
    listener_await(listener, listener->heard + 1);
    return listener->heard_us - began_us;
}

/*
 * Setting up
 */

static void start_table(struct rig *rig, enum contender_kind kind, enum rig_place place)
{
    struct contender *table = &contenders[kind];
    char socket_name[COMMAND_SIZE];

    rig_start_daemon(rig, table->table, place);
    game_open(&table->replies, rig->port, table->table);
    game_begin(&table->replies, table->table);
    listener_await(&table->replies, 1);
    say(table, "end-phase", "{}");
    say(table, "roll-move", "{\"value\":1}");
    snprintf(socket_name, sizeof socket_name, "%s.sock", table->table);
    table->fd = rig_connect(rig, socket_name);
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
    snprintf(floor->edge, sizeof floor->edge, "rope.b 1\n");
    rig_start(rig, (const char *const[]){BENCH_FLOOR, socket_path, port,
                                         "bench/floor/event/rope-over", bytes, NULL});
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
             "-h 127.0.0.1 -p %u -t bench/shell/event/rope-over",
             socket_path, rig->port);
    memset(shell->edge, 'x', size);
    shell->edge[size] = '\n';
    rig_start(rig, (const char *const[]){"sh", "-c", command, NULL});
    shell->fd = rig_connect(rig, "shell.sock");
}

static void pull_first_knots(unsigned round)
{
    for (unsigned kind = 0; kind < CONTENDERS; kind++) {
        if (contenders[kind].is_table) {
            pull_first_knot(&contenders[kind], round);
        }
    }
    rig_pause_ms(READING_MS);
}

/* Each contender once, and another one first in every round. */
static void measure_round(struct listener *listener, unsigned round)
{
    pull_first_knots(round);
    for (unsigned i = 0; i < CONTENDERS; i++) {
        struct contender *contender = &contenders[(i + round) % CONTENDERS];
        double took_us = measure_us(contender, listener);
        if (round >= ROUNDS_WARM) {
            samples_add(&contender->samples, took_us);
        }
        rig_pause_ms(PAUSE_MS);
    }
}

/* All publish as many bytes as the daemon does. */
static void start_all(struct rig *rig, struct listener *listener)
{
    enum { ROUNDS_BEFORE = 2 }; /* an even number: the lines of the rope are low again */

    start_table(rig, MEMORY, RIG_MEMORY);
    start_table(rig, DISK, RIG_DISK);
    for (unsigned round = 0; round < ROUNDS_BEFORE; round++) {
        pull_first_knots(round);
        measure_us(&contenders[MEMORY], listener);
        measure_us(&contenders[DISK], listener);
    }
    size_t size = listener->heard_size;
    if (size >= LINE_SIZE - 1) {
        rig_fail("an event of %zu bytes is too long to be compared", size);
    }
    start_floor(rig, size);
    start_shell(rig, size);
    printf("%u edges each, in turns; events of %zu bytes, QoS 1, MQTT 5\n", ROUNDS, size);
}

/*
 * The table
 */

static double median_us(enum contender_kind kind)
{
    return samples_percentile(&contenders[kind].samples, 50);
}

static void print_all(void)
{
    printf("%-32s %9s %9s %9s %9s\n", "edge to event, us", "best", "median", "p99", "x floor");
    for (unsigned kind = 0; kind < CONTENDERS; kind++) {
        struct contender *contender = &contenders[kind];
        printf("%-32s %9.0f %9.0f %9.0f %9.2f\n", contender->name,
               samples_percentile(&contender->samples, 0),
               samples_percentile(&contender->samples, 50),
               samples_percentile(&contender->samples, 99),
               median_us((enum contender_kind)kind) / median_us(FLOOR));
    }
    printf("%-32s %39s\n", "target, with games in memory", "1.20");
    printf("%-32s %19.0f\n", "disk sync, by the medians", median_us(DISK) - median_us(MEMORY));
}

static void close_all(void)
{
    for (unsigned kind = 0; kind < CONTENDERS; kind++) {
        close(contenders[kind].fd);
        if (contenders[kind].is_table) {
            listener_close(&contenders[kind].replies);
        }
    }
}

int main(void)
{
    static struct rig rig;
    static struct listener listener;

    rig_open(&rig);
    listener_open(&listener, rig.port, "bench/+/event/rope-over");
    start_all(&rig, &listener);
    for (unsigned round = 0; round < ROUNDS_WARM + ROUNDS; round++) {
        measure_round(&listener, round);
    }
    print_all();
    close_all();
    listener_close(&listener);
    rig_close(&rig);
    return EXIT_SUCCESS;
}
