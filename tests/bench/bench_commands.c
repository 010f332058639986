/*
 * Commands a second, sustained: a window of commands on their way, every one accepted, recorded,
 * published and answered. The daemon with its games in memory and on the disk, the floor, a program
 * that answers every command without doing anything (bench_echo), and the daemon of another build
 * if there is one.
 */
#include "game_play.h"
#include "listener.h"
#include "process.h"
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COMMANDS = 1800, /* 300 turns, for one table and round */
    WINDOW = 32,     /* commands without a reply, at most */
    ROUNDS = 5,      /* the best of so many is reported: the least disturbed one */
};

/* Those of the other build come last, because they may be absent. */
enum contender_kind { MEMORY, DISK, FLOOR, OTHER_MEMORY, OTHER_DISK, CONTENDERS_MAX };

struct contender {
    const char *name;
    const char *table;
    pid_t pid;
    double best_us; /* for a command */
    double cpu_us;  /* in that round, for a command */
    double worst_us;
};

static unsigned contender_count = OTHER_MEMORY;
static struct contender contenders[CONTENDERS_MAX] = {
    [MEMORY] = {.name = "shipahoyd, games in memory", .table = "memory"},
    [DISK] = {.name = "shipahoyd, games on the disk", .table = "disk"},
    [FLOOR] = {.name = "floor: C, answers only", .table = "floor"},
    [OTHER_MEMORY] = {.name = "other build, games in memory", .table = "memory2"},
    [OTHER_DISK] = {.name = "other build, games on the disk", .table = "disk2"},
};

static void play(struct listener *replies, const char *table)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (i >= WINDOW) {
            listener_await(replies, 2 + i - WINDOW);
        }
        game_say(replies, table, i);
    }
    listener_await(replies, 1 + COMMANDS);
}

static void measure(const struct rig *rig, struct contender *contender)
{
    struct listener replies;

    game_open(&replies, rig->port, contender->table);
    game_begin(&replies, contender->table);
    listener_await(&replies, 1);
    struct process_effort before = process_effort(contender->pid);
    double began_us = rig_now_us();
    play(&replies, contender->table);
    double each_us = (rig_now_us() - began_us) / COMMANDS;
    struct process_effort after = process_effort(contender->pid);
    if (replies.refused) {
        rig_fail("%s: %u commands were refused", contender->name, replies.refused);
    }
    if (contender->best_us == 0 || each_us < contender->best_us) {
        contender->best_us = each_us;
        contender->cpu_us = (after.cpu_us - before.cpu_us) / COMMANDS;
    }
    contender->worst_us = each_us > contender->worst_us ? each_us : contender->worst_us;
    listener_close(&replies);
}

static void start_table(struct rig *rig, const char *program, enum contender_kind kind,
                        enum rig_place place)
{
    contenders[kind].pid = rig_start_daemon(rig, program, contenders[kind].table, place);
}

static void start_all(struct rig *rig)
{
    char port[16];

    snprintf(port, sizeof port, "%u", rig->port);
    start_table(rig, rig->daemon, MEMORY, RIG_MEMORY);
    start_table(rig, rig->daemon, DISK, RIG_DISK);
    if (rig->other) {
        start_table(rig, rig->other, OTHER_MEMORY, RIG_MEMORY);
        start_table(rig, rig->other, OTHER_DISK, RIG_DISK);
        contender_count = CONTENDERS_MAX;
    }
    contenders[FLOOR].pid =
        rig_start(rig, (const char *const[]){BENCH_ECHO, port, "bench/floor/status",
                                             "bench/floor/command/+", "bench/floor/reply", NULL});
}

static void print_all(void)
{
    printf("%u rounds of %u commands in turns, %u on their way at once\n", ROUNDS, COMMANDS,
           WINDOW);
    printf("%-32s %9s %9s %9s\n", "commands a second", "best", "worst", "cpu us");
    for (unsigned kind = 0; kind < contender_count; kind++) {
        const struct contender *contender = &contenders[kind];
        printf("%-32s %9.0f %9.0f %9.0f\n", contender->name, 1e6 / contender->best_us,
               1e6 / contender->worst_us, contender->cpu_us);
    }
}

int main(void)
{
    static struct rig rig;

    rig_open(&rig);
    start_all(&rig);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned kind = 0; kind < contender_count; kind++) {
            measure(&rig, &contenders[kind]);
        }
    }
    print_all();
    rig_close(&rig);
    return EXIT_SUCCESS;
}
