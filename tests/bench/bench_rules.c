/*
 * How fast the rules are: steps of random games that were recorded first, against the floor of
 * copying a game; and what a replay and an undo cost in a long game.
 */
#include "input_list.h"
#include "invent.h"
#include "rules/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SEED = 1,
    REPEATS = 7, /* the best of so many is reported: the least disturbed one */
    STEPS_RECORDED = 8192,
    LONG_GAME = 1000,
    LOOPS = 50, /* of everything that was recorded, in one measurement */
    NS_A_SECOND = 1000000000,
};

struct recording {
    struct list_entry entries[STEPS_RECORDED];
    struct game games[STEPS_RECORDED]; /* of a refused input: the game that refused it */
    unsigned count;
};

static struct recording accepted;
static struct recording refused;
static struct input_list long_game;
static struct past past[LONG_GAME];

/* Keeps the measured work from being optimized away. */
static volatile uint64_t sink;

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * NS_A_SECOND + (double)now.tv_nsec;
}

static void record(struct recording *recording, const struct game *game, const struct input *input)
{
    struct list_entry *entry = &recording->entries[recording->count];

    if (recording->count == STEPS_RECORDED) {
        return;
    }
    recording->games[recording->count++] = *game;
    entry->input = *input;
    entry->has_setup = input->setup != NULL;
    if (entry->has_setup) {
        entry->setup = *input->setup;
    }
}

/* Games one after the other; undo is for struct play, and refused here. */
static void record_games(void)
{
    struct inventor inventor = {.chance = {.state = SEED}};
    struct game game = {0};
    unsigned round = 0;

    while (accepted.count < STEPS_RECORDED || refused.count < STEPS_RECORDED) {
        struct outcome out;
        if (game.phase == PHASE_LOBBY || game.phase == PHASE_OVER) {
            invent_round(&inventor, round++);
        }
        struct game before = game;
        struct input input = invent_input(&inventor, &game);
        record(rules_step(&game, &input, &out) ? &refused : &accepted, &before, &input);
    }
}

/* One game of LONG_GAME accepted inputs; an input that would end it is not taken. */
static void record_long_game(void)
{
    struct inventor inventor = {.chance = {.state = SEED}};
    struct game game = {0};

    invent_round(&inventor, 0);
    while (long_game.count < LONG_GAME) {
        struct game next = game;
        struct outcome out;
        struct input input = invent_input(&inventor, &game);
        bool begins = input.kind == INPUT_NEW_GAME && game.phase == PHASE_LOBBY;

        if ((begins || input.kind != INPUT_NEW_GAME) && rules_step(&next, &input, &out) == 0 &&
            next.phase != PHASE_OVER) {
            input_list_add(&long_game, &input);
            game = next;
        }
    }
}

/*
 * What is measured: each returns how many things it did
 */

static unsigned step_accepted(void)
{
    struct game game = {0};
    struct outcome out;

    for (unsigned i = 0; i < accepted.count; i++) {
        struct input input = list_entry_input(&accepted.entries[i]);
        sink += (unsigned)rules_step(&game, &input, &out);
    }
    return accepted.count;
}

static unsigned step_refused(void)
{
    struct outcome out;

    for (unsigned i = 0; i < refused.count; i++) {
        struct input input = list_entry_input(&refused.entries[i]);
        sink += (unsigned)rules_step(&refused.games[i], &input, &out);
    }
    return refused.count;
}

static unsigned copy_games(void)
{
    struct game game;

    for (unsigned i = 0; i < accepted.count; i++) {
        memcpy(&game, &accepted.games[i], sizeof game);
        __asm__ volatile("" : : "r"(&game) : "memory");
    }
    return accepted.count;
}

static unsigned hash_games(void)
{
    for (unsigned i = 0; i < accepted.count; i++) {
        sink += rules_hash(&accepted.games[i]);
    }
    return accepted.count;
}

static unsigned check_games(void)
{
    for (unsigned i = 0; i < accepted.count; i++) {
        sink += rules_violation(&accepted.games[i]) != NULL;
    }
    return accepted.count;
}

static unsigned list_choices(void)
{
    static struct choices choices;
    struct play play = {0};

    for (unsigned i = 0; i < accepted.count; i++) {
        play.game = accepted.games[i];
        choices_list(&play, 0, &choices);
        sink += choices.count;
    }
    return accepted.count;
}

static void replay_into(struct play *play)
{
    struct outcome out;

    play_begin(play, past, LONG_GAME);
    for (unsigned i = 0; i < long_game.count; i++) {
        struct input input = list_entry_input(&long_game.entries[i]);
        sink += (unsigned)play_step(play, &input, &out);
    }
}

static unsigned replay_long_game(void)
{
    struct play play;

    replay_into(&play);
    return 1;
}

static unsigned undo_in_long_game(void)
{
    static struct play play;
    const struct input undo = {.kind = INPUT_UNDO};
    struct outcome out;

    /* The first undo needs a game to be undone; the others each take back one more input. */
    if (play.count < LONG_GAME / 2) {
        replay_into(&play);
    }
    sink += (unsigned)play_step(&play, &undo, &out);
    return 1;
}

static double best_ns(unsigned (*measured)(void), unsigned loops)
{
    double best = 0;

    for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
        double began = now_ns();
        unsigned done = 0;
        for (unsigned loop = 0; loop < loops; loop++) {
            done += measured();
        }
        double each = (now_ns() - began) / done;
        best = repeat == 0 || each < best ? each : best;
    }
    return best;
}

/* The position whose list entries longest, in the best of its repeats. */
static double slowest_choices_ns(void)
{
    static struct choices choices;
    struct play play = {0};
    double slowest = 0;

    for (unsigned i = 0; i < accepted.count; i++) {
        double best = 0;
        play.game = accepted.games[i];
        for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
            double began = now_ns();
            choices_list(&play, 0, &choices);
            double took = now_ns() - began;
            best = repeat == 0 || took < best ? took : best;
        }
        slowest = best > slowest ? best : slowest;
    }
    return slowest;
}

static void print_rate(const char *what, unsigned (*measured)(void))
{
    double each_ns = best_ns(measured, LOOPS);

    printf("%-44s %10.0f ns %10.2f M/s\n", what, each_ns, 1e3 / each_ns);
}

static void print_time(const char *what, unsigned (*measured)(void))
{
    printf("%-44s %10.1f us\n", what, best_ns(measured, 1) / 1e3);
}

static void print_size(const char *what, size_t size)
{
    printf("%-44s %10zu bytes\n", what, size);
}

/* What was recorded must be accepted and refused again, or something else is measured. */
static bool is_recorded_well(void)
{
    uint64_t before = sink;

    step_accepted();
    bool all_accepted = sink == before;
    before = sink;
    step_refused();
    return all_accepted && sink - before >= refused.count;
}

int main(void)
{
    record_games();
    record_long_game();
    if (!is_recorded_well()) {
        fputs("the recorded games do not play again as they did\n", stderr);
        return EXIT_FAILURE;
    }
    print_rate("rules_step, accepted", step_accepted);
    print_rate("rules_step, refused", step_refused);
    print_rate("floor: copying a struct game", copy_games);
    print_rate("rules_hash", hash_games);
    print_rate("rules_violation", check_games);
    print_time("the list of possible commands", list_choices);
    printf("%-44s %10.1f us\n", "the same, in the slowest position", slowest_choices_ns() / 1e3);
    print_time("replay of a game of 1000 inputs", replay_long_game);
    undo_in_long_game();
    print_time("undo in a game of 1000 inputs", undo_in_long_game);
    print_size("struct game", sizeof(struct game));
    print_size("struct input", sizeof(struct input));
    print_size("struct event", sizeof(struct event));
    print_size("struct outcome", sizeof(struct outcome));
    print_size("struct past, one remembered input", sizeof(struct past));
    return EXIT_SUCCESS;
}
