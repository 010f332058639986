/*
 * What a typical game costs the disk: `journal_cost DIRECTORY` records one there and prints its
 * bytes, and the time each append took.
 */
#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GAME_LENGTH = 300, SEEDS_MAX = 1000, US_A_SECOND = 1000000, NS_A_US = 1000 };

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * US_A_SECOND + now.tv_nsec / NS_A_US;
}

static int compare_times(const void *left, const void *right)
{
    int64_t one = *(const int64_t *)left;
    int64_t other = *(const int64_t *)right;

    return (one > other) - (one < other);
}

static void add_size(void *context, const char *name, uint64_t size)
{
    printf("file %-14s %llu bytes\n", name, (unsigned long long)size);
    (void)context;
}

/* A game long enough, with an id of eight letters on every other command as a phone sends them. */
static void make_game(struct recording *tape)
{
    for (uint64_t seed = 1; tape->count < GAME_LENGTH && seed < SEEDS_MAX; seed++) {
        tape->count = 0;
        tape->games = 0;
        recording_add_game(tape, seed, GAME_LENGTH);
    }
    for (unsigned i = 1; i < tape->count; i += 2) {
        if (rules_input_source(tape->records[i].input.kind) == SOURCE_COMMAND) {
            snprintf(tape->records[i].id, sizeof tape->records[i].id, "%08x", i * 2654435761U);
        }
    }
}

static int record_game(const struct disk *disk, const struct recording *tape)
{
    static int64_t took_us[RECORDING_MAX];
    const struct journal_limits limits = {.games_max = 1, .bytes_max = UINT64_MAX};
    struct journal_report report;
    struct journal *journal;
    int error = journal_open(&journal, disk, &limits, ignore_records, NULL, &report);

    for (unsigned i = 0; !error && i < tape->count; i++) {
        int64_t began_us = now_us();
        error = journal_append(journal, &tape->records[i]);
        took_us[i] = now_us() - began_us;
    }
    if (!error) {
        qsort(took_us, tape->count, sizeof took_us[0], compare_times);
        printf("append: median %lld us, p99 %lld us\n", (long long)took_us[tape->count / 2],
               (long long)took_us[tape->count * 99 / 100]);
        journal_close(journal);
    }
    return error;
}

int main(int argc, char **argv)
{
    static struct recording tape;
    struct disk disk;

    if (argc != 2) {
        fprintf(stderr, "usage: journal_cost DIRECTORY\n");
        return 64;
    }
    make_game(&tape);
    int error = disk_open(&disk, argv[1]);
    if (!error) {
        error = record_game(&disk, &tape);
        printf("records: %u\n", tape.count);
        disk.list(disk.self, add_size, NULL);
        disk_close(&disk);
    }
    if (error) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(-error));
        return 1;
    }
    return 0;
}
