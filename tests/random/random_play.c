/*
 * Random play: seeded games with every promise about a step checked after each one.
 *
 * A failure is printed with its seed and the shortest input list found that still leads to it; that
 * list can be given back with --replay.
 */
#include "invent.h"
#include "judge.h"
#include "options.h"
#include "reach.h"
#include "rules/line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_DEFAULT = 1000000,
    STEPS_FOR_REACH = 300000, /* a shorter run is not expected to see everything */
    STEPS_A_TEXT = 8,         /* one line of text is tried in so many steps */
    ROUNDS_A_LIST = 20,       /* one input list is written and read in so many games */
    STEPS_AFTER_END = 10,     /* that a finished game is still talked to, more or less */
    TEXT_SIZE = LINE_SIZE + 100,
};

/* What the playing process leaves behind, also when it dies. */
struct campaign {
    uint64_t seed;
    uint64_t steps;
    char complaint[COMPLAINT_SIZE];
    struct reach reach;
    struct tape tape;
};

/* A line may be refused, but then nothing was written; one that is accepted can be said again. */
static const char *try_text(struct inventor *inventor, const struct input *about,
                            struct reach *reach)
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
    reach_note_text(reach, refusal);
    if (refusal) {
        return read.kind == INPUT_COUNT ? NULL : "a line that is refused writes nothing";
    }
    line_write_input(&read, again, sizeof again);
    return line_read_input(again, &read_again) == 0 && read_again.kind == read.kind
               ? NULL
               : "a line that was read can be written and read again";
}

static const char *play_step_of_round(struct campaign *campaign, struct inventor *inventor,
                                      struct trial *trial)
{
    enum phase phase = trial->play.game.phase;
    struct input input = invent_input(inventor, &trial->play.game);
    struct take *take = tape_add(&campaign->tape, &input);
    struct outcome out;
    int refusal;
    const char *complaint = trial_step(trial, &input, &out, &refusal);

    if (complaint) {
        return complaint;
    }
    take->accepted = refusal == 0;
    reach_note_step(&campaign->reach, phase, &input, refusal, &out, &trial->play.game);
    return campaign->reach.steps % STEPS_A_TEXT == 0 ? try_text(inventor, &input, &campaign->reach)
                                                     : NULL;
}

/* From the empty table to some time after the end of a game, or until the tape is full. */
static const char *play_round(struct campaign *campaign, struct inventor *inventor,
                              struct trial *trial)
{
    struct tape *tape = &campaign->tape;

    tape->count = 0;
    tape->capacity = chance_between(&inventor->chance, TAPE_PAST_MIN, TAPE_PAST_MAX);
    trial_begin(trial, tape->capacity);
    while (tape->count < TAPE_MAX && campaign->reach.steps < campaign->steps) {
        const char *complaint = play_step_of_round(campaign, inventor, trial);
        if (complaint) {
            return complaint;
        }
        if (trial->play.game.phase == PHASE_OVER &&
            chance_below(&inventor->chance, STEPS_AFTER_END) == 0) {
            break;
        }
    }
    reach_note_choices(&campaign->reach, trial->listed, trial->swept, trial->tried);
    return inventor->round % ROUNDS_A_LIST == 0 ? judge_text(tape, trial)
                                                : judge_replay(tape, trial);
}

static void play_campaign(void *context)
{
    static struct trial trial;
    struct campaign *campaign = context;
    struct inventor inventor = {.chance = {.state = campaign->seed}};
    const char *complaint = NULL;

    for (unsigned round = 0; !complaint && campaign->reach.steps < campaign->steps; round++) {
        invent_round(&inventor, round);
        complaint = play_round(campaign, &inventor, &trial);
    }
    if (complaint) {
        snprintf(campaign->complaint, sizeof campaign->complaint, "%s", complaint);
    }
}

static int run_campaign(uint64_t seed, uint64_t steps)
{
    struct campaign *campaign = judge_share(sizeof *campaign);

    campaign->seed = seed;
    campaign->steps = steps;
    judge_apart(play_campaign, campaign, campaign->complaint);
    if (campaign->complaint[0]) {
        printf("# failed: %s\n# seed %" PRIu64 ", step %" PRIu64 ", shrinking %u inputs\n",
               campaign->complaint, seed, campaign->reach.steps, campaign->tape.count);
        if (!judge_shrink(&campaign->tape, campaign->complaint)) {
            printf("# not shrunk: these inputs alone do not lead to it\n");
        }
        tape_write(stdout, &campaign->tape);
        return EXIT_FAILURE;
    }
    printf("seed %" PRIu64 ": ", seed);
    unsigned missing = reach_report(&campaign->reach, stdout);
    return missing && steps >= STEPS_FOR_REACH ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_tape(const char *path)
{
    static struct tape tape;
    FILE *file = fopen(path, "r");

    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return EXIT_USAGE;
    }
    int line = tape_read(file, &tape);
    fclose(file);
    if (line) {
        fprintf(stderr, "%s:%d: this is no line of an input list\n", path, line);
        return EXIT_USAGE;
    }
    const char *complaint = judge_tape(&tape);
    printf("%u inputs: %s\n", tape.count, complaint ? complaint : "no promise is broken");
    return complaint ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "usage: random_play [--seed N] [--steps N]\n"
        "       random_play --replay FILE    judge an input list as a failure prints it\n";
    struct options options = {.seed = 1, .steps = STEPS_DEFAULT};
    int code = options_read(argc, argv, usage, &options);

    if (code != OPTIONS_READ) {
        return code;
    }
    return options.replay ? run_tape(options.replay) : run_campaign(options.seed, options.steps);
}
