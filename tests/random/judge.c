#include "judge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *judge_replay(const struct tape *tape, const struct trial *trial)
{
    static struct past past[TAPE_PAST_MAX];
    struct play again;
    struct outcome out;
    uint64_t events_hash = 0;

    play_begin(&again, past, tape->capacity);
    for (unsigned i = 0; i < tape->count; i++) {
        if (!tape->takes[i].accepted) {
            continue;
        }
        struct input input = tape_input(&tape->takes[i]);
        if (play_step(&again, &input, &out)) {
            return "what was accepted is accepted again";
        }
        events_hash = trial_hash(events_hash, &out);
    }
    if (memcmp(&again.game, &trial->play.game, sizeof again.game) != 0 ||
        rules_hash(&again.game) != rules_hash(&trial->play.game)) {
        return "the same inputs give the same game";
    }
    return events_hash == trial->events_hash ? NULL : "the same inputs give the same events";
}

/* The tape as text, to be freed. */
static char *text_of(const struct tape *tape)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (file) {
        tape_write(file, tape);
        fclose(file);
    }
    return text;
}

const char *judge_text(const struct tape *tape, const struct trial *trial)
{
    static struct tape again;
    char *text = text_of(tape);
    FILE *file = text ? fmemopen(text, strlen(text), "r") : NULL;
    const char *complaint = "an input list reads as it was written";

    if (file && tape_read(file, &again) == 0 && again.count == tape->count) {
        char *text_again = text_of(&again);
        for (unsigned i = 0; i < again.count; i++) {
            again.takes[i].accepted = tape->takes[i].accepted;
        }
        if (text_again && strcmp(text, text_again) == 0) {
            complaint = judge_replay(&again, trial);
        }
        free(text_again);
    }
    if (file) {
        fclose(file);
    }
    free(text);
    return complaint;
}

const char *judge_tape(struct tape *tape)
{
    static struct trial trial;
    struct outcome out;

    trial_begin(&trial, tape->capacity);
    for (unsigned i = 0; i < tape->count; i++) {
        struct input input = tape_input(&tape->takes[i]);
        int refusal;
        const char *complaint = trial_step(&trial, &input, &out, &refusal);
        if (complaint) {
            return complaint;
        }
        tape->takes[i].accepted = refusal == 0;
    }
    return judge_text(tape, &trial);
}

void *judge_share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        perror("shared memory");
        exit(EXIT_FAILURE);
    }
    return memory;
}

void judge_apart(void (*run)(void *context), void *context, char complaint[COMPLAINT_SIZE])
{
    int status = -1;

    complaint[0] = '\0';
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        run(context);
        fflush(NULL);
        _exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("process of its own");
        exit(EXIT_FAILURE);
    }
    if (status != 0) {
        snprintf(complaint, COMPLAINT_SIZE, "the program died");
    }
}

/*
 * Shrinking: big chunks first, then every small one wherever it may begin (a turn that changes
 * nothing goes only as a whole), until not even a single input can go.
 */

enum { CHUNK_SMALL = 16 };

struct suspicion {
    struct tape tape;
    char *complaint; /* shared */
};

static void run_quietly(void *context)
{
    struct suspicion *suspicion = context;
    int nowhere = open("/dev/null", O_WRONLY);

    dup2(nowhere, STDERR_FILENO);
    const char *complaint = judge_tape(&suspicion->tape);
    if (complaint) {
        snprintf(suspicion->complaint, COMPLAINT_SIZE, "%s", complaint);
    }
}

static void copy_without(struct tape *to, const struct tape *from, unsigned start, unsigned length)
{
    unsigned after = start + length < from->count ? start + length : from->count;

    to->capacity = from->capacity;
    to->count = start + from->count - after;
    memcpy(to->takes, from->takes, start * sizeof to->takes[0]);
    memcpy(to->takes + start, from->takes + after, (from->count - after) * sizeof to->takes[0]);
}

static bool still_fails(struct suspicion *suspicion, const char *complaint)
{
    judge_apart(run_quietly, suspicion, suspicion->complaint);
    return strcmp(suspicion->complaint, complaint) == 0;
}

/* One pass over the tape, with so many inputs from one chunk to the next; whether any could go. */
static bool drop_chunks(struct tape *tape, unsigned length, unsigned stride,
                        struct suspicion *suspicion, const char *complaint)
{
    bool dropped = false;

    for (unsigned start = 0; start < tape->count;) {
        copy_without(&suspicion->tape, tape, start, length);
        if (still_fails(suspicion, complaint)) {
            *tape = suspicion->tape;
            dropped = true;
        } else {
            start += stride;
        }
    }
    return dropped;
}

/* Fields that say nothing to an input of its kind only distract the reader. */
static void drop_fields(struct tape *tape, struct suspicion *suspicion, const char *complaint)
{
    for (unsigned i = 0; i < tape->count; i++) {
        const struct input *input = &tape->takes[i].input;
        struct input plain = trial_only_fields(input);

        plain.at_us = input->at_us;
        plain.abandon = input->abandon;
        suspicion->tape = *tape;
        suspicion->tape.takes[i].input = plain;
        if (still_fails(suspicion, complaint)) {
            *tape = suspicion->tape;
        }
    }
}

bool judge_shrink(struct tape *tape, const char *complaint)
{
    static struct suspicion suspicion;
    bool dropped;

    suspicion.complaint = judge_share(COMPLAINT_SIZE);
    suspicion.tape = *tape;
    if (!still_fails(&suspicion, complaint)) {
        munmap(suspicion.complaint, COMPLAINT_SIZE);
        return false;
    }
    for (unsigned length = (tape->count + 1) / 2; length > CHUNK_SMALL; length = (length + 1) / 2) {
        drop_chunks(tape, length, length, &suspicion, complaint);
    }
    do {
        dropped = false;
        for (unsigned length = CHUNK_SMALL; length > 0; length--) {
            dropped |= drop_chunks(tape, length, 1, &suspicion, complaint);
        }
    } while (dropped);
    drop_fields(tape, &suspicion, complaint);
    munmap(suspicion.complaint, COMPLAINT_SIZE);
    return true;
}
