/*
 * Plays the journal of a game again and prints its events, one a line: `print_trace FILE`. The
 * version of the rules in the file does not matter here: that the events stay the same is what
 * traces test.
 */
#include "journal/file.h"
#include "rules/line.h"
#include "rules/play.h"

#include <stdio.h>
#include <string.h>

static struct past past[JOURNAL_RECORDS_MAX];
static struct play play;

static bool step(struct record *record)
{
    static struct outcome outcome;
    char line[LINE_SIZE];

    record->input.setup = &record->setup;
    int refusal = play_step(&play, &record->input, &outcome);
    if (refusal) {
        fprintf(stderr, "refused: %s\n", rules_refusal_name((enum refusal)refusal));
        return false;
    }
    for (unsigned i = 0; i < outcome.count; i++) {
        line_write_event(&outcome.events[i], line, sizeof line);
        printf("%u %s\n", outcome.events[i].seq, line);
    }
    return true;
}

static bool play_file(FILE *file)
{
    char line[JOURNAL_FIRST_LINE_SIZE_MAX + 1];
    struct record record;
    unsigned number = 1;
    bool is_good = fgets(line, sizeof line, file) != NULL; /* the header */

    while (is_good && fgets(line, sizeof line, file) && line[0] != ' ') {
        char *sum = strrchr(line, '#');
        number++;
        if (sum && sum > line) {
            sum[-1] = '\0';
        }
        is_good = record_read(line, &record) == 0 && step(&record);
    }
    if (!is_good) {
        fprintf(stderr, "line %u cannot be played\n", number);
    }
    return is_good;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "re") : NULL;

    if (!file) {
        fprintf(stderr, "usage: print_trace FILE\n");
        return 64;
    }
    play_begin(&play, past, JOURNAL_RECORDS_MAX);
    bool is_good = play_file(file);
    fclose(file);
    return is_good ? 0 : 1;
}
