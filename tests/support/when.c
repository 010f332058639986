/* when: lines said to the game. */
#include "table.h"

#include "rules/line.h"

#include <stdlib.h>
#include <string.h>

struct table *table_of(void **state)
{
    assert_non_null(*state); /* a test begins with given */
    return *state;
}

static void say(struct table *table, const struct input *input)
{
    table->said = *input;
    table->before = table->play;
    table->refusal = play_step(&table->play, &table->said, &table->outcome);
    table->compared = false;
}

/* Reads `@2950ms ` or `@3000001us ` into the clock, if it is there; returns what follows. */
static const char *read_clock(struct table *table, const char *line)
{
    char *unit;

    if (line[0] != '@') {
        return line;
    }
    uint64_t time = strtoull(line + 1, &unit, 10);
    if (strncmp(unit, "ms ", 3) == 0) {
        table->clock_us = time * 1000;
    } else if (strncmp(unit, "us ", 3) == 0) {
        table->clock_us = time;
    } else {
        fail_msg("no unit of time in \"%s\"", line);
    }
    return unit + 3;
}

/* False for a line that is no input. */
static bool read_line(struct table *table, const char *line, struct input *input)
{
    line = read_clock(table, line);
    if (strcmp(line, "new-game abandon") == 0) {
        *input = (struct input){.kind = INPUT_NEW_GAME, .abandon = true};
    } else if (line_read_input(line, input)) {
        return false;
    }
    input->at_us = table->clock_us;
    input->setup = input->kind == INPUT_NEW_GAME ? &table->setup : NULL;
    return true;
}

/* A refusal that no `then` expected must not go unnoticed. */
static bool went_well(const struct table *table)
{
    return table->compared || !table->refusal;
}

void table_when(void **state, const char *const *lines, const char *file, int line)
{
    struct table *table = table_of(state);
    struct input input;

    for (const char *previous = "the line before"; *lines; previous = *lines++) {
        if (!went_well(table)) {
            print_error("when: \"%s\" was refused, %s %s\n", previous,
                        rules_refusal_name((enum refusal)table->refusal),
                        rules_rule_name(table->outcome.rule));
            _fail(file, line);
        }
        if (!read_line(table, *lines, &input)) {
            print_error("when: cannot understand \"%s\"\n", *lines);
            _fail(file, line);
        }
        say(table, &input);
    }
}

void table_when_said(void **state, const struct input *input, const char *file, int line)
{
    struct table *table = table_of(state);

    if (!went_well(table)) {
        print_error("when: the line before was refused\n");
        _fail(file, line);
    }
    say(table, input);
}
