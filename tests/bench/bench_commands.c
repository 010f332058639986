/*
 * Commands a second, sustained: a window of commands on their way, every one accepted, recorded,
 * told and answered. The daemon with its games in memory and on the disk, and the floor: a program
 * that answers every command without doing anything (bench_echo).
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

enum contender_kind { MEMORY, DISK, FLOOR, CONTENDERS };

struct contender {
    const char *name;
    const char *table;
    pid_t pid;
    double best_us; /* for a command */
    double cpu_us;  /* in that round, for a command */
    double worst_us;
};

static struct contender contenders[CONTENDERS] = {
    [MEMORY] = {.name = "shipahoyd, games in memory", .table = "memory"},
    [DISK] = {.name = "shipahoyd, games on the disk", .table = "disk"},
    [FLOOR] = {.name = "floor: C, answers only", .table = "floor"},
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

static void start_all(struct rig *rig)
{
    char port[16];

    snprintf(port, sizeof port, "%u", rig->port);
    contenders[MEMORY].pid = rig_start_daemon(rig, contenders[MEMORY].table, RIG_MEMORY);
    contenders[DISK].pid = rig_start_daemon(rig, contenders[DISK].table, RIG_DISK);
    contenders[FLOOR].pid =
        rig_start(rig, (const char *const[]){BENCH_ECHO, port, "bench/floor/status",
                                             "bench/floor/command/+", "bench/floor/reply", NULL});
}

static void print_all(void)
{
    printf("%u rounds of %u commands in turns, %u on their way at once\n", ROUNDS, COMMANDS,
           WINDOW);
    printf("%-32s %9s %9s %9s\n", "commands a second", "best", "worst", "cpu us");
    for (unsigned kind = 0; kind < CONTENDERS; kind++) {
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
        for (unsigned kind = 0; kind < CONTENDERS; kind++) {
            measure(&rig, &contenders[kind]);
        }
    }
    print_all();
    rig_close(&rig);
    return EXIT_SUCCESS;
}
