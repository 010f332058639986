/*
 * Random play: seeded games with every promise about a step checked after each one.
 *
 * A failure is printed with its seed and the shortest input list found that still leads to it; that
 * list can be given back with --replay.
 */
#include "coverage.h"
#include "invent.h"
#include "options.h"
#include "rules/line.h"
#include "tests/support/sweep_step.h"
#include "verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_DEFAULT = 1000000,
    STEPS_FOR_COVERAGE = 300000, /* a shorter run is not expected to see everything */
    STEPS_A_TEXT = 8,            /* one line of text is tried in so many steps */
    ROUNDS_A_LIST = 20,          /* one input list is written and read in so many games */
    STEPS_AFTER_END = 10,        /* that a finished game is still talked to, more or less */
    TEXT_SIZE = LINE_SIZE + 100,
};

/* What the playing process leaves behind, also when it dies. */
struct campaign {
    uint64_t seed;
    uint64_t steps;
    char failure[FAILURE_SIZE];
    struct coverage coverage;
    struct input_list list;
};

/* A line may be refused, but then nothing was written; one that is accepted can be said again. */
static const char *try_text(struct inventor *inventor, const struct input *about,
                            struct coverage *coverage)
{
    char text[TEXT_SIZE];
    char again[LINE_SIZE];
    struct input read = {.kind = INPUT_COUNT};
    struct input read_again;

    if (!memchr(about->sensor, '\0', SENSOR_SIZE)) {
        return NULL;
    }
    invent_text(inventor, about, text, sizeof text);
    int refusal = line_read_input(text, &read);
    coverage_note_text(coverage, refusal);
    if (refusal) {
        return read.kind == INPUT_COUNT ? NULL : "a line that is refused writes nothing";
    }
    line_write_input(&read, again, sizeof again);
    return line_read_input(again, &read_again) == 0 && read_again.kind == read.kind
               ? NULL
               : "a line that was read can be written and read again";
}

static const char *play_step_of_round(struct campaign *campaign, struct inventor *inventor,
                                      struct checked_play *checked)
{
    enum phase phase = checked->play.game.phase;
    struct input input = invent_input(inventor, &checked->play.game);
    struct list_entry *entry = input_list_add(&campaign->list, &input);
    struct outcome out;
    int refusal;
    const char *failure = checked_step(checked, &input, &out, &refusal);

    if (failure) {
        return failure;
    }
    entry->accepted = refusal == 0;
    coverage_note_step(&campaign->coverage, phase, &input, refusal, &out, &checked->play.game);
    return campaign->coverage.steps % STEPS_A_TEXT == 0
               ? try_text(inventor, &input, &campaign->coverage)
               : NULL;
}

/* From the empty table to some time after the end of a game, or until the list is full. */
static const char *play_round(struct campaign *campaign, struct inventor *inventor,
                              struct checked_play *checked)
{
    struct input_list *list = &campaign->list;

    list->count = 0;
    list->capacity = chance_between(&inventor->chance, LIST_PAST_MIN, LIST_PAST_MAX);
    checked_begin(checked, list->capacity);
    while (list->count < LIST_MAX && campaign->coverage.steps < campaign->steps) {
        const char *failure = play_step_of_round(campaign, inventor, checked);
        if (failure) {
            return failure;
        }
        if (checked->play.game.phase == PHASE_OVER &&
            chance_below(&inventor->chance, STEPS_AFTER_END) == 0) {
            break;
        }
    }
    coverage_note_choices(&campaign->coverage, checked->listed, checked->swept, checked->tried);
    const char *failure = inventor->round % ROUNDS_A_LIST == 0 ? verify_text(list) : NULL;
    return failure ? failure : verify_replay(list, checked);
}

static void play_campaign(void *context)
{
    static struct checked_play checked;
    struct campaign *campaign = context;
    struct inventor inventor = {.chance = {.state = campaign->seed}};
    const char *failure = NULL;

    for (unsigned round = 0; !failure && campaign->coverage.steps < campaign->steps; round++) {
        invent_round(&inventor, round);
        failure = play_round(campaign, &inventor, &checked);
    }
    if (failure) {
        snprintf(campaign->failure, sizeof campaign->failure, "%s", failure);
    }
}

static int run_campaign(uint64_t seed, uint64_t steps)
{
    struct campaign *campaign = share_memory(sizeof *campaign);

    campaign->seed = seed;
    campaign->steps = steps;
    run_isolated(play_campaign, campaign, campaign->failure);
    if (campaign->failure[0]) {
        printf("# failed: %s\n# seed %" PRIu64 ", step %" PRIu64 ", shrinking %u inputs\n",
               campaign->failure, seed, campaign->coverage.steps, campaign->list.count);
        if (!shrink_list(&campaign->list, campaign->failure)) {
            printf("# not shrunk: these inputs alone do not lead to it\n");
        }
        input_list_write(stdout, &campaign->list);
        return EXIT_FAILURE;
    }
    printf("seed %" PRIu64 ": ", seed);
    unsigned missing = coverage_report(&campaign->coverage, stdout);
    return missing && steps >= STEPS_FOR_COVERAGE ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_list(const char *path)
{
    static struct input_list list;
    FILE *file = fopen(path, "r");

    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return EXIT_USAGE;
    }
    int line = input_list_read(file, &list);
    fclose(file);
    if (line) {
        fprintf(stderr, "%s:%d: this is no line of an input list\n", path, line);
        return EXIT_USAGE;
    }
    const char *failure = verify_list(&list);
    printf("%u inputs: %s\n", list.count, failure ? failure : "no promise is broken");
    return failure ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "usage: random_play [--seed N] [--steps N]\n"
        "       random_play --replay FILE    check an input list that a failure printed\n";
    struct options options = {.seed = 1, .steps = STEPS_DEFAULT / sweep_step(4)};
    int code = options_read(argc, argv, usage, &options);

    if (code != OPTIONS_READ) {
        return code;
    }
    return options.replay ? run_list(options.replay) : run_campaign(options.seed, options.steps);
}
