#include "rejudge_words.h"

#include "journal/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The record has the time of the table, which goes on over restarts; a recording has the clock of
 * the sensors. What a sensor saw has both, so it tells how far they are apart around it.
 */
struct reading {
    struct words *words;
    size_t placed; /* words whose time is the clock's already */
    uint64_t offset_us;
    bool has_offset;
};

static void place_words(struct reading *reading)
{
    for (; reading->placed < reading->words->count; reading->placed++) {
        reading->words->said[reading->placed].at_us -= reading->offset_us;
    }
}

static int add_word(struct words *words, const struct record *record)
{
    struct word *said = realloc(words->said, (words->count + 1) * sizeof *said);

    if (!said) {
        return -ENOMEM;
    }
    words->said = said;
    struct word *word = &said[words->count];
    *word = (struct word){.at_us = record->input.at_us, .input = record->input};
    if (record->input.kind == INPUT_NEW_GAME) {
        word->setup = malloc(sizeof *word->setup);
        if (!word->setup) {
            return -ENOMEM;
        }
        *word->setup = record->setup;
    }
    word->input.setup = word->setup;
    words->count++;
    return 0;
}

static int read_record(void *self, const struct record *record)
{
    struct reading *reading = self;
    enum source source = rules_input_source(record->input.kind);

    if (source == SOURCE_COMMAND) {
        int error =
            record->evidence.sensor == SENSOR_ROPE_BUTTON ? 0 : add_word(reading->words, record);
        if (!error && reading->has_offset) {
            place_words(reading);
        }
        return error;
    }
    if (record->evidence.sensor != SENSOR_NONE) {
        reading->offset_us = record->input.at_us - record->evidence.at_us;
        reading->has_offset = true;
        place_words(reading);
    }
    return 0;
}

bool words_read(struct words *words, const char *path)
{
    struct reading reading = {.words = words};
    struct journal_report report = {0};
    const char *problem = "";
    int error = journal_read_file(path, read_record, &reading, &report);

    if (error) {
        problem = strerror(-error);
    } else if (report.problem[0]) {
        problem = report.problem;
    } else if (!reading.has_offset) {
        problem = "no sensor had a part in this game, so nobody knows when in a recording it was";
    }
    if (problem[0]) {
        fprintf(stderr, "%s: %s\n", path, problem);
        words_free(words);
    }
    return !problem[0];
}

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free(words->said[i].setup);
    }
    free(words->said);
    *words = (struct words){0};
}

const struct word *words_next(const struct words *words, uint64_t until_us)
{
    const struct word *word = words->next < words->count ? &words->said[words->next] : NULL;

    return word && word->at_us <= until_us ? word : NULL;
}

void words_said(struct words *words)
{
    words->next++;
}

uint64_t words_end_us(const struct words *words, uint64_t end_us)
{
    for (size_t i = 0; i < words->count; i++) {
        end_us = words->said[i].at_us > end_us ? words->said[i].at_us : end_us;
    }
    return end_us;
}
