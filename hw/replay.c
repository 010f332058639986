#include "replay.h"

#include "rules/text.h"

#include <errno.h>
#include <string.h>

enum { REPLAY_LINE_SIZE = 256 };

struct replay {
    struct sensor_names names;
    struct filters filters;
    struct fact_list facts;
    uint64_t last_us;
    replay_fact_fn *tell;
    void *context;
};

static void tell_facts(struct replay *replay)
{
    for (unsigned i = 0; i < replay->facts.count; i++) {
        replay->tell(replay->context, &replay->facts.facts[i]);
    }
    replay->facts.count = 0;
}

static int replay_line(struct replay *replay, char *line, char error[EDGE_ERROR_SIZE])
{
    struct edge edge;

    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#') {
        return 0;
    }
    if (edge_line_read(&replay->names, line, &edge, error)) {
        return -EINVAL;
    }
    if (edge.at_us == EDGE_UNTIMED_US) {
        struct text text = text_begin(error, EDGE_ERROR_SIZE);
        text_add(&text, "the time is missing: a line is @TIME SENSOR LEVEL");
        return -EINVAL;
    }
    filters_edge(&replay->filters, &edge, &replay->facts);
    replay->last_us = edge.at_us > replay->last_us ? edge.at_us : replay->last_us;
    tell_facts(replay);
    return 0;
}

int replay_file(FILE *file, const struct button_names *buttons,
                const struct filter_settings *settings, uint64_t tail_us, replay_fact_fn *tell,
                void *context, struct replay_problem *problem)
{
    char line[REPLAY_LINE_SIZE];
    struct replay replay = {.tell = tell, .context = context};
    struct replay_problem found = {0};

    sensor_names_init(&replay.names, buttons);
    filters_init(&replay.filters, settings);
    while (fgets(line, sizeof line, file)) {
        found.line++;
        if (replay_line(&replay, line, found.message)) {
            *problem = found;
            return -EINVAL;
        }
    }
    filters_tick(&replay.filters, replay.last_us + tail_us, &replay.facts);
    tell_facts(&replay);
    return 0;
}
