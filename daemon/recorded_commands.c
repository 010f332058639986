#include "recorded_commands.h"

#include "journal/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The journal has the time of the table, which continues across restarts; a recording has the clock
 * of the sensors. A record that a sensor caused has both times, and gives their difference.
 */
struct reading {
    struct recorded_commands *commands;
    size_t placed; /* commands whose time is that of the clock already */
    uint64_t offset_us;
    bool has_offset;
};

static void place_commands(struct reading *reading)
{
    for (; reading->placed < reading->commands->count; reading->placed++) {
        reading->commands->list[reading->placed].at_us -= reading->offset_us;
    }
}

static int add_command(struct recorded_commands *commands, const struct record *record)
{
    struct recorded_command *list = realloc(commands->list, (commands->count + 1) * sizeof *list);

    if (!list) {
        return -ENOMEM;
    }
    commands->list = list;
    struct recorded_command *command = &list[commands->count];
    *command = (struct recorded_command){.at_us = record->input.at_us, .input = record->input};
    if (record->input.kind == INPUT_NEW_GAME) {
        command->setup = malloc(sizeof *command->setup);
        if (!command->setup) {
            return -ENOMEM;
        }
        *command->setup = record->setup;
    }
    command->input.setup = command->setup;
    commands->count++;
    return 0;
}

static int read_record(void *self, const struct record *record)
{
    struct reading *reading = self;
    enum source source = rules_input_source(record->input.kind);

    if (source == SOURCE_COMMAND) {
        int error = record->evidence.sensor == SENSOR_ROPE_BUTTON
                        ? 0
                        : add_command(reading->commands, record);
        if (!error && reading->has_offset) {
            place_commands(reading);
        }
        return error;
    }
    if (record->evidence.sensor != SENSOR_NONE) {
        reading->offset_us = record->input.at_us - record->evidence.at_us;
        reading->has_offset = true;
        place_commands(reading);
    }
    return 0;
}

bool recorded_commands_read(struct recorded_commands *commands, const char *path)
{
    struct reading reading = {.commands = commands};
    struct journal_report report = {0};
    const char *problem = "";
    int error = journal_read_file(path, read_record, &reading, &report);

    if (error) {
        problem = strerror(-error);
    } else if (report.problem[0]) {
        problem = report.problem;
    } else if (!reading.has_offset) {
        problem = "no sensor took part in this game, so its time in a recording is not known";
    }
    if (problem[0]) {
        fprintf(stderr, "%s: %s\n", path, problem);
        recorded_commands_free(commands);
    }
    return !problem[0];
}

void recorded_commands_free(struct recorded_commands *commands)
{
    for (size_t i = 0; i < commands->count; i++) {
        free(commands->list[i].setup);
    }
    free(commands->list);
    *commands = (struct recorded_commands){0};
}

const struct recorded_command *recorded_commands_next(const struct recorded_commands *commands,
                                                      uint64_t until_us)
{
    const struct recorded_command *command =
        commands->next < commands->count ? &commands->list[commands->next] : NULL;

    return command && command->at_us <= until_us ? command : NULL;
}

void recorded_commands_done(struct recorded_commands *commands)
{
    commands->next++;
}

uint64_t recorded_commands_end_us(const struct recorded_commands *commands, uint64_t end_us)
{
    for (size_t i = 0; i < commands->count; i++) {
        end_us = commands->list[i].at_us > end_us ? commands->list[i].at_us : end_us;
    }
    return end_us;
}
