/*
 * From an edge on the sim socket to its event at a subscriber: the daemon with its games in memory
 * and on the disk, the floor (bench_floor) without and with a record on the disk, a shell pipeline,
 * Node-RED if BENCH_NODE_RED names it, and the daemon of another build if there is one, in turns
 * against one broker. And from the message of a sensor over MQTT to the same event, with a minimal
 * subscriber (bench_echo) as the floor.
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
#include <sys/stat.h>
#include <unistd.h>

enum {
    ROUNDS = 300,
    ROUNDS_WARM = 10, /* before anything counts */
    READING_MS = 120, /* over twice ROPE_PERIOD_US: the next reading will be told at once */
    PAUSE_MS = 40,    /* so that what follows an event does not disturb the next */
    LINE_SIZE = 1024,
    COMMAND_SIZE = 1024,
};

/* Those of the other build come last, because they may be absent. */
enum contender_kind {
    MEMORY,
    DISK,
    FLOOR,
    DISK_FLOOR,
    SHELL,
    NODE_RED,
    RADIO,
    RADIO_FLOOR,
    OTHER_MEMORY,
    OTHER_DISK,
    OTHER_RADIO,
    CONTENDERS_MAX
};

struct contender {
    const char *name;
    const char *table;
    bool is_table;
    bool is_absent;
    const char *message;     /* the topic of what is measured from; NULL: a line on fd */
    struct listener replies; /* of a table */
    char edge[LINE_SIZE];    /* what is measured from */
    int fd;
    struct samples samples;
};

static unsigned contender_count = OTHER_MEMORY;
static struct contender contenders[CONTENDERS_MAX] = {
    [MEMORY] = {.name = "shipahoyd, games in memory", .table = "memory", .is_table = true},
    [DISK] = {.name = "shipahoyd, games on the disk", .table = "disk", .is_table = true},
    [FLOOR] = {.name = "floor: C, libmosquitto", .table = "floor"},
    [DISK_FLOOR] = {.name = "floor, a record on the disk first", .table = "floor2"},
    [SHELL] = {.name = "socat | mosquitto_pub -l", .table = "shell"},
    [NODE_RED] = {.name = "Node-RED, a flow", .table = "node-red"},
    [RADIO] = {.name = "shipahoyd, games in memory",
               .table = "radio",
               .is_table = true,
               .message = "sensors/radio/b"},
    [RADIO_FLOOR] = {.name = "floor: C, answers a message",
                     .table = "answer",
                     .message = "sensors/answer/b"},
    [OTHER_MEMORY] = {.name = "other build, games in memory", .table = "memory2", .is_table = true},
    [OTHER_DISK] = {.name = "other build, games on the disk", .table = "disk2", .is_table = true},
    [OTHER_RADIO] = {.name = "other build, games in memory",
                     .table = "radio2",
                     .is_table = true,
                     .message = "sensors/radio2/b"},
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

/* A line of the rope that reports over MQTT. */
static void say_sensor(struct contender *table, const char *line, const char *level)
{
    char topic[COMMAND_SIZE];

    snprintf(topic, sizeof topic, "sensors/%s/%s", table->table, line);
    listener_say(&table->replies, topic, level);
}

/* The first count of the rope, which the die allows. */
static void pull(struct contender *table, unsigned level)
{
    if (table->message) {
        snprintf(table->edge, sizeof table->edge, "%u", level);
        say_sensor(table, "a", table->edge);
        return;
    }
    snprintf(table->edge, sizeof table->edge, "rope.a %u\n", level);
    send_line(table, table->edge);
    snprintf(table->edge, sizeof table->edge, "rope.b %u\n", level);
}

/* A knot is one count: the first edge after a choice is within the die's 1, the second is not. */
static void pull_first_knot(struct contender *table, unsigned round)
{
    char answers[LINE_SIZE];

    while (recv(table->fd, answers, sizeof answers, MSG_DONTWAIT) > 0) {
    }
    say(table, "select", "{\"piece\":\"red-1\"}");
    pull(table, round % 2 == 0);
}

static double measure_us(const struct contender *contender, struct listener *listener)
{
    double began_us = rig_now_us();

    if (contender->message) {
        listener_say(listener, contender->message, contender->edge);
    } else {
        send_line(contender, contender->edge);
    }
    listener_await(listener, listener->heard + 1);
    return listener->heard_us - began_us;
}

/*
 * Setting up
 */

static void start_table(struct rig *rig, const char *program, enum contender_kind kind,
                        enum rig_place place)
{
    struct contender *table = &contenders[kind];
    char socket_name[COMMAND_SIZE];

    rig_start_daemon(rig, program, table->table, place);
    game_open(&table->replies, rig->port, table->table);
    game_begin(&table->replies, table->table);
    listener_await(&table->replies, 1);
    say(table, "end-phase", "{}");
    say(table, "roll-move", "{\"value\":1}");
    snprintf(socket_name, sizeof socket_name, "%s.sock", table->table);
    table->fd = rig_connect(rig, socket_name);
}

/* journal: the file that it writes to first, or NULL. */
static void start_floor(struct rig *rig, enum contender_kind kind, size_t size, const char *journal)
{
    struct contender *floor = &contenders[kind];
    char socket_name[COMMAND_SIZE];
    char socket_path[RIG_PATH_SIZE];
    char topic[COMMAND_SIZE];
    char port[16];
    char bytes[16];

    snprintf(socket_name, sizeof socket_name, "%s.sock", floor->table);
    rig_path(rig, socket_name, socket_path);
    snprintf(topic, sizeof topic, "bench/%s/event/rope-over", floor->table);
    snprintf(port, sizeof port, "%u", rig->port);
    snprintf(bytes, sizeof bytes, "%zu", size);
    snprintf(floor->edge, sizeof floor->edge, "rope.b 1\n");
    rig_start(rig,
              (const char *const[]){BENCH_FLOOR, socket_path, port, topic, bytes, journal, NULL});
    floor->fd = rig_connect(rig, socket_name);
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

/* A table whose rope reports over MQTT. */
static void start_radio(struct rig *rig, const char *program, enum contender_kind kind)
{
    struct contender *table = &contenders[kind];
    char sections[COMMAND_SIZE];

    snprintf(sections, sizeof sections, "a = mqtt sensors/%s/a\nb = mqtt sensors/%s/b\n",
             table->table, table->table);
    rig->sections = sections;
    start_table(rig, program, kind, RIG_MEMORY);
    rig->sections = NULL;
    /* Where the encoder stands; only what follows is a movement. */
    say_sensor(table, "a", "0");
    say_sensor(table, "b", "0");
}

static void await_online(const struct rig *rig, const char *table)
{
    struct listener replies;

    game_open(&replies, rig->port, table);
    listener_close(&replies);
}

static void start_radio_floor(struct rig *rig, size_t size)
{
    struct contender *floor = &contenders[RADIO_FLOOR];
    char port[16];
    char bytes[16];

    snprintf(port, sizeof port, "%u", rig->port);
    snprintf(bytes, sizeof bytes, "%zu", size);
    snprintf(floor->edge, sizeof floor->edge, "1");
    rig_start(rig, (const char *const[]){BENCH_ECHO, port, "bench/answer/status", floor->message,
                                         "bench/answer/event/rope-over", bytes, NULL});
    await_online(rig, floor->table);
}

/* TCP in, function, MQTT out: what people would build without this project. */
static void write_flow(const struct rig *rig, unsigned port, size_t size)
{
    char path[RIG_PATH_SIZE];
    FILE *file = rig_create(rig, "node-red/flows.json", path);

    fprintf(
        file,
        "[{\"id\":\"tab\",\"type\":\"tab\"},"
        "{\"id\":\"broker\",\"type\":\"mqtt-broker\",\"broker\":\"127.0.0.1\",\"port\":\"%u\","
        "\"autoConnect\":true,\"protocolVersion\":\"5\",\"keepalive\":\"600\","
        "\"cleansession\":true,\"birthTopic\":\"bench/node-red/status\","
        "\"birthPayload\":\"online\",\"birthRetain\":\"true\"},"
        "{\"id\":\"in\",\"z\":\"tab\",\"type\":\"tcp in\",\"server\":\"server\",\"port\":\"%u\","
        "\"datamode\":\"stream\",\"datatype\":\"utf8\",\"newline\":\"\\n\","
        "\"wires\":[[\"event\"]]},"
        "{\"id\":\"event\",\"z\":\"tab\",\"type\":\"function\",\"outputs\":1,"
        "\"func\":\"msg.payload = 'x'.repeat(%zu);\\nreturn msg;\",\"wires\":[[\"out\"]]},"
        "{\"id\":\"out\",\"z\":\"tab\",\"type\":\"mqtt out\",\"broker\":\"broker\","
        "\"topic\":\"bench/node-red/event/rope-over\",\"qos\":\"1\",\"retain\":\"false\","
        "\"wires\":[]}]\n",
        rig->port, port, size);
    fclose(file);
    file = rig_create(rig, "node-red/settings.js", path);
    fprintf(file, "module.exports = {flowFile: 'flows.json', httpAdminRoot: false, httpNodeRoot: "
                  "false, telemetry: {enabled: false}};\n");
    fclose(file);
}

static void start_node_red(struct rig *rig, size_t size)
{
    struct contender *flow = &contenders[NODE_RED];
    const char *program = getenv("BENCH_NODE_RED");
    char folder[RIG_PATH_SIZE];
    unsigned port = rig_free_port();

    flow->is_absent = !program;
    if (flow->is_absent) {
        return;
    }
    rig_path(rig, "node-red", folder);
    if (mkdir(folder, 0700)) {
        rig_fail("%s cannot be made", folder);
    }
    write_flow(rig, port, size);
    snprintf(flow->edge, sizeof flow->edge, "rope.b 1\n");
    rig_start(rig, (const char *const[]){program, "--userDir", folder, NULL});
    await_online(rig, flow->table);
    flow->fd = rig_connect_port(port);
}

static void pull_first_knots(unsigned round)
{
    for (unsigned kind = 0; kind < contender_count; kind++) {
        if (contenders[kind].is_table) {
            pull_first_knot(&contenders[kind], round);
        }
    }
    rig_pause_ms(READING_MS);
}

/* What runs before a contender leaves its code in the caches, so the order is another each time. */
static void shuffle(unsigned order[CONTENDERS_MAX])
{
    for (unsigned i = 0; i < contender_count; i++) {
        unsigned place = (unsigned)random() % (i + 1);
        order[i] = order[place];
        order[place] = i;
    }
}

/* Each contender once. */
static void measure_round(struct listener *listener, unsigned round)
{
    unsigned order[CONTENDERS_MAX] = {0};

    shuffle(order);
    pull_first_knots(round);
    for (unsigned i = 0; i < contender_count; i++) {
        struct contender *contender = &contenders[order[i]];
        if (contender->is_absent) {
            continue;
        }
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
    char journal[RIG_PATH_SIZE];

    start_table(rig, rig->daemon, MEMORY, RIG_MEMORY);
    start_table(rig, rig->daemon, DISK, RIG_DISK);
    start_radio(rig, rig->daemon, RADIO);
    if (rig->other) {
        start_table(rig, rig->other, OTHER_MEMORY, RIG_MEMORY);
        start_table(rig, rig->other, OTHER_DISK, RIG_DISK);
        start_radio(rig, rig->other, OTHER_RADIO);
        contender_count = CONTENDERS_MAX;
    }
    for (unsigned round = 0; round < ROUNDS_BEFORE; round++) {
        pull_first_knots(round);
        for (unsigned i = contender_count; i-- > 0;) {
            if (contenders[i].is_table) {
                measure_us(&contenders[i], listener);
            }
        }
    }
    size_t size = listener->heard_size;
    if (size >= LINE_SIZE - 1) {
        rig_fail("an event of %zu bytes is too long to be compared", size);
    }
    snprintf(journal, sizeof journal, "%.200s/floor", rig->folders[RIG_DISK]);
    start_floor(rig, FLOOR, size, NULL);
    start_floor(rig, DISK_FLOOR, size, journal);
    start_shell(rig, size);
    start_node_red(rig, size);
    start_radio_floor(rig, size);
    printf("%u edges each, in turns; events of %zu bytes, QoS 1, MQTT 5\n", ROUNDS, size);
}

/*
 * The table
 */

static double median_us(enum contender_kind kind)
{
    return samples_percentile(&contenders[kind].samples, 50);
}

static void print_some(const char *title, bool by_message, enum contender_kind floor)
{
    printf("%-32s %9s %9s %9s %9s\n", title, "best", "median", "p99", "x floor");
    for (unsigned kind = 0; kind < contender_count; kind++) {
        struct contender *contender = &contenders[kind];
        if (contender->is_absent || !contender->message == by_message) {
            continue;
        }
        printf("%-32s %9.0f %9.0f %9.0f %9.2f\n", contender->name,
               samples_percentile(&contender->samples, 0),
               samples_percentile(&contender->samples, 50),
               samples_percentile(&contender->samples, 99),
               median_us((enum contender_kind)kind) / median_us(floor));
    }
}

static void print_all(void)
{
    print_some("edge to event, us", false, FLOOR);
    printf("%-32s %39s\n", "target, with games in memory", "1.20");
    printf("%-32s %19.0f\n", "disk sync, by the medians", median_us(DISK) - median_us(MEMORY));
    print_some("message to event, us", true, RADIO_FLOOR);
    printf("%-32s %39s\n", "target", "1.30");
}

static void close_all(void)
{
    for (unsigned kind = 0; kind < contender_count; kind++) {
        if (contenders[kind].fd > 0) {
            close(contenders[kind].fd);
        }
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
