#include "verify.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *verify_replay(const struct input_list *list, const struct checked_play *checked)
{
    static struct past past[LIST_PAST_MAX];
    struct play again;
    struct outcome out;
    uint64_t events_hash = 0;

    play_begin(&again, past, list->capacity);
    for (unsigned i = 0; i < list->count; i++) {
        if (!list->entries[i].accepted) {
            continue;
        }
        struct input input = list_entry_input(&list->entries[i]);
        if (play_step(&again, &input, &out)) {
            return "what was accepted is accepted again";
        }
        events_hash = hash_events(events_hash, &out);
    }
    if (memcmp(&again.game, &checked->play.game, sizeof again.game) != 0 ||
        rules_hash(&again.game) != rules_hash(&checked->play.game)) {
        return "the same inputs give the same game";
    }
    return events_hash == checked->events_hash ? NULL : "the same inputs give the same events";
}

const char *verify_text(const struct input_list *list)
{
    static struct input_list again;
    FILE *file = tmpfile();
    bool same = false;

    if (file) {
        input_list_write(file, list);
        rewind(file);
        same = input_list_read(file, &again) == 0 && again.count == list->count;
        fclose(file);
    }
    for (unsigned i = 0; same && i < list->count; i++) {
        again.entries[i].accepted = list->entries[i].accepted;
        same = memcmp(&again.entries[i], &list->entries[i], sizeof again.entries[i]) == 0;
    }
    return same ? NULL : "an input list reads as it was written";
}

const char *verify_list(struct input_list *list)
{
    static struct checked_play checked;
    struct outcome out;

    checked_begin(&checked, list->capacity);
    for (unsigned i = 0; i < list->count; i++) {
        struct input input = list_entry_input(&list->entries[i]);
        int refusal;
        const char *failure = checked_step(&checked, &input, &out, &refusal);
        if (failure) {
            return failure;
        }
        list->entries[i].accepted = refusal == 0;
    }
    return verify_replay(list, &checked);
}

void *share_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        perror("shared memory");
        exit(EXIT_FAILURE);
    }
    return memory;
}

void run_isolated(void (*run)(void *context), void *context, char failure[FAILURE_SIZE])
{
    int status = -1;

    failure[0] = '\0';
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
        snprintf(failure, FAILURE_SIZE, "the program died");
    }
}

/*
 * Shrinking: big chunks first, then every small one wherever it may begin (a turn that changes
 * nothing goes only as a whole), until not even a single input can go.
 */

enum { CHUNK_SMALL = 16 };

struct attempt {
    struct input_list list;
    char *failure; /* shared */
};

static void run_quietly(void *context)
{
    struct attempt *attempt = context;
    int nowhere = open("/dev/null", O_WRONLY);

    dup2(nowhere, STDERR_FILENO);
    const char *failure = verify_list(&attempt->list);
    if (failure) {
        snprintf(attempt->failure, FAILURE_SIZE, "%s", failure);
    }
}

static void copy_without(struct input_list *to, const struct input_list *from, unsigned start,
                         unsigned length)
{
    unsigned after = start + length < from->count ? start + length : from->count;

    to->capacity = from->capacity;
    to->count = start + from->count - after;
    memcpy(to->entries, from->entries, start * sizeof to->entries[0]);
    memcpy(to->entries + start, from->entries + after,
           (from->count - after) * sizeof to->entries[0]);
}

static bool still_fails(struct attempt *attempt, const char *failure)
{
    run_isolated(run_quietly, attempt, attempt->failure);
    return strcmp(attempt->failure, failure) == 0;
}

/* One pass over the list, with so many inputs from one chunk to the next; whether any could go. */
static bool drop_chunks(struct input_list *list, unsigned length, unsigned stride,
                        struct attempt *attempt, const char *failure)
{
    bool dropped = false;

    for (unsigned start = 0; start < list->count;) {
        copy_without(&attempt->list, list, start, length);
        if (still_fails(attempt, failure)) {
            *list = attempt->list;
            dropped = true;
        } else {
            start += stride;
        }
    }
    return dropped;
}

bool shrink_list(struct input_list *list, const char *failure)
{
    static struct attempt attempt;
    bool dropped;

    attempt.failure = share_memory(FAILURE_SIZE);
    attempt.list = *list;
    if (!still_fails(&attempt, failure)) {
        munmap(attempt.failure, FAILURE_SIZE);
        return false;
    }
    for (unsigned length = (list->count + 1) / 2; length > CHUNK_SMALL; length = (length + 1) / 2) {
        drop_chunks(list, length, length, &attempt, failure);
    }
    do {
        dropped = false;
        for (unsigned length = CHUNK_SMALL; length > 0; length--) {
            dropped |= drop_chunks(list, length, 1, &attempt, failure);
        }
    } while (dropped);
    munmap(attempt.failure, FAILURE_SIZE);
    return true;
}
