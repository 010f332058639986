/*
 * What the daemon costs the machine: memory, wakeups at rest, bytes written for a game, and its
 * start; beside the broker that runs next to it.
 */
#include "game_play.h"
#include "listener.h"
#include "process.h"
#include "rig.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    STARTS = 15,
    GAME = 300,       /* inputs of a typical game */
    LONG_GAME = 3000, /* longer than what can be undone */
    REST_S = 20,
    INI_SIZE = 8192,
    TOPIC_SIZE = 64,
    SETTLE_MS = 2000, /* after a start or a game: acknowledgements, sensors, all of it */
};

static void print_memory(const char *what, pid_t pid)
{
    printf("%-44s %10.0f KiB %10.0f KiB\n", what, process_number(pid, "status", "VmRSS"),
           process_number(pid, "smaps_rollup", "Pss"));
}

static void print_start(const char *what, struct rig *rig, const char *program, const char *table)
{
    struct samples samples = {0};

    for (unsigned i = 0; i < STARTS; i++) {
        pid_t pid = rig_start_daemon(rig, program, table, RIG_DISK);
        samples_add(&samples, rig->start_ms);
        rig_stop(rig, pid);
    }
    printf("%-44s %10.1f ms  %10.1f ms\n", what, samples_percentile(&samples, 0),
           samples_percentile(&samples, 50));
}

/* One command after the other, as people play. */
static void play(const struct rig *rig, const char *table, unsigned inputs)
{
    struct listener replies;

    game_open(&replies, rig->port, table);
    game_begin(&replies, table);
    for (unsigned i = 0; i + 1 < inputs; i++) {
        listener_await(&replies, i + 1);
        game_say(&replies, table, i);
    }
    listener_await(&replies, inputs);
    if (replies.refused) {
        rig_fail("%u commands were refused", replies.refused);
    }
    listener_close(&replies);
}

static void print_bytes(const struct rig *rig, const char *table, pid_t pid)
{
    char path[RIG_PATH_SIZE];
    struct stat info = {0};
    double before = process_number(pid, "io", "write_bytes");

    play(rig, table, GAME);
    rig_pause_ms(SETTLE_MS);
    double written = process_number(pid, "io", "write_bytes") - before;
    snprintf(path, sizeof path, "%.200s/%.30s/open-game", rig->folders[RIG_DISK], table);
    if (stat(path, &info)) {
        rig_fail("%s is not there", path);
    }
    printf("%-44s %10.0f KiB %10.1f bytes a record\n", "written to the disk, a game of 300 inputs",
           written / 1024, (double)info.st_size / GAME);
    printf("%-44s %10.0f KiB\n", "its file", (double)info.st_size / 1024);
}

static void print_rest(const char *what, pid_t pid)
{
    struct process_effort before = process_effort(pid);

    rig_pause_ms(REST_S * 1000);
    struct process_effort after = process_effort(pid);
    printf("%-44s %10.2f /s  %10.1f us CPU/s\n", what, (after.wakeups - before.wakeups) / REST_S,
           (after.cpu_us - before.cpu_us) / REST_S);
}

/* What any client costs that is made with the same library. */
static pid_t start_floor(struct rig *rig)
{
    struct listener status;
    char port[16];

    snprintf(port, sizeof port, "%u", rig->port);
    pid_t pid =
        rig_start(rig, (const char *const[]){BENCH_ECHO, port, "bench/floor/status",
                                             "bench/floor/command/+", "bench/floor/reply", NULL});
    game_open(&status, rig->port, "floor");
    listener_close(&status);
    return pid;
}

/*
 * Forty sensors, twenty of them by radio: twelve ships, a pirate ship, a monster and a button over
 * MQTT, and two nodes with five sensors. All have reported.
 */
static void print_radio(struct rig *rig)
{
    static const char *const colours[] = {"red", "blue", "green", "yellow"};
    static char ini[INI_SIZE];
    struct listener client;
    char topic[TOPIC_SIZE];
    size_t length = (size_t)snprintf(
        ini, sizeof ini,
        "a = node reel a\nb = node reel b\nbutton = node reel button\n"
        "[cannon]\nbeam = node cannon beam\nbeam2 = node cannon beam2\nbeam_gap_mm = 20\n"
        "[piece.pirate]\ntilt = mqtt z/pirate contact=false\n"
        "[piece.monster]\ntilt = mqtt z/monster contact=false\n"
        "[button.next]\nline = mqtt z/button action=single once\ncommand = end-phase\n");

    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 1; j <= 3; j++) {
            length += (size_t)snprintf(ini + length, sizeof ini - length,
                                       "[piece.%s-%u]\ntilt = mqtt z/%s-%u contact=false "
                                       "alive=z/bridge/state alive=z/%s-%u/availability\n"
                                       "beam = beams:%u\n",
                                       colours[i], j, colours[i], j, colours[i], j, 3 * i + j);
        }
        length += (size_t)snprintf(ini + length, sizeof ini - length,
                                   "[piece.%s-tower]\ntilt = tilts:%u\n"
                                   "[harbour.%s]\ndock = docks:%u\n",
                                   colours[i], i, colours[i], i);
    }
    rig->sections = ini;
    pid_t pid = rig_start_daemon(rig, rig->daemon, "forty", RIG_DISK);
    rig->sections = NULL;
    play(rig, "forty", GAME);
    listener_open(&client, rig->port, "bench/forty/sensor/yellow-3/tilt");
    for (unsigned i = 0; i < 12; i++) {
        snprintf(topic, sizeof topic, "z/%s-%u", colours[i / 3], i % 3 + 1);
        listener_say(&client, topic, "{\"battery\":97,\"contact\":true,\"linkquality\":120}");
    }
    do {
        listener_await(&client, client.heard + 1);
    } while (!strstr(client.heard_text, "\"heard\":true"));
    listener_close(&client);
    rig_pause_ms(SETTLE_MS);
    print_memory("40 sensors, 20 of them by radio", pid);
    print_rest("wakeups with these, at rest (aim: under 2)", pid);
    rig_stop(rig, pid);
}

/* The folder of its games has the name of its table. */
static void print_daemon(struct rig *rig, const char *program, const char *table,
                         const char *empty_table)
{
    pid_t pid = rig_start_daemon(rig, program, table, RIG_DISK);

    rig_pause_ms(SETTLE_MS);
    printf("%-44s %14s %14s\n", "memory (aim: under 6 MB resident)", "resident", "its own share");
    print_memory("shipahoyd, started", pid);
    print_bytes(rig, table, pid);
    print_memory("shipahoyd, after that game", pid);
    play(rig, table, LONG_GAME);
    rig_pause_ms(SETTLE_MS);
    print_memory("shipahoyd, after a game of 3000 inputs", pid);
    print_rest("wakeups of shipahoyd at rest (aim: under 2)", pid);
    rig_stop(rig, pid);
    printf("%-44s %13s %13s\n", "start to READY=1 (aim: under 100 ms)", "best", "median");
    print_start("shipahoyd, first start", rig, program, empty_table);
    print_start("shipahoyd, into a game of 3000 inputs", rig, program, table);
}

int main(void)
{
    static struct rig rig;

    rig_open(&rig);
    print_daemon(&rig, rig.daemon, "cost", "empty");
    print_radio(&rig);
    if (rig.other) {
        printf("\nthe other build\n");
        print_daemon(&rig, rig.other, "cost2", "empty2");
    }
    printf("\nbeside it\n");
    print_memory("floor: C, answers only", start_floor(&rig));
    print_memory("mosquitto", rig.broker);
    print_rest("wakeups of mosquitto at rest", rig.broker);
    rig_close(&rig);
    return EXIT_SUCCESS;
}
