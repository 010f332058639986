#include "hw/replay.h"

#include "edge_line.h"
#include "filters.h"
#include "rules/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { REPLAY_LINE_SIZE = 256 };
static_assert((int)REPLAY_MESSAGE_SIZE >= (int)EDGE_ERROR_SIZE, "a message fits");

struct replay {
    struct replay_listener listener;
    struct sensor_names names;
    struct filters filters;
    struct fact_list facts;
    uint64_t now_us;
    bool zero_wanted;
    bool silent[SENSOR_COUNT]; /* reported by the listener */
    bool has_silent;
};

static void report_silent(struct replay *replay)
{
    for (unsigned sensor = 1; sensor < SENSOR_COUNT && replay->has_silent; sensor++) {
        if (replay->silent[sensor]) {
            replay->silent[sensor] = false;
            filters_fault(&replay->filters, sensor, HEALTH_SILENT, replay->now_us, &replay->facts);
        }
    }
    replay->has_silent = false;
}

/* The listener may zero the rope or report a silent sensor, which adds facts. */
static void emit_facts(struct replay *replay)
{
    while (replay->facts.count || replay->zero_wanted || replay->has_silent) {
        struct fact_list facts = replay->facts;
        replay->facts.count = 0;
        for (unsigned i = 0; i < facts.count; i++) {
            replay->listener.fact(replay->listener.self, &facts.facts[i]);
        }
        if (replay->zero_wanted) {
            replay->zero_wanted = false;
            filters_zero_rope(&replay->filters, replay->now_us, &replay->facts);
        }
        report_silent(replay);
    }
}

/* Edges of several lines may be recorded out of order; time does not go back. */
static void set_time(struct replay *replay, uint64_t now_us)
{
    replay->now_us = now_us > replay->now_us ? now_us : replay->now_us;
    replay->listener.time(replay->listener.self, replay->now_us);
    emit_facts(replay);
}

struct replay *replay_open(const struct button_names *buttons,
                           const struct filter_settings *settings,
                           const struct replay_listener *listener)
{
    struct replay *replay = calloc(1, sizeof *replay);

    if (replay) {
        replay->listener = *listener;
        sensor_names_init(&replay->names, buttons);
        filters_init(&replay->filters, settings);
    }
    return replay;
}

void replay_close(struct replay *replay)
{
    free(replay);
}

uint64_t replay_now_us(const struct replay *replay)
{
    return replay->now_us;
}

static uint64_t next_deadline_us(const struct replay *replay)
{
    const struct replay_listener *listener = &replay->listener;
    uint64_t filters_us = filters_next_deadline_us(&replay->filters);
    uint64_t listener_us = listener->due_us ? listener->due_us(listener->self) : NEVER_US;

    return listener_us < filters_us ? listener_us : filters_us;
}

void replay_wait(struct replay *replay, uint64_t until_us)
{
    for (uint64_t due_us = next_deadline_us(replay); due_us <= until_us;
         due_us = next_deadline_us(replay)) {
        set_time(replay, due_us);
        filters_tick(&replay->filters, due_us, &replay->facts);
        emit_facts(replay);
    }
    set_time(replay, until_us);
}

/* is_last: it may lack its newline. */
static int replay_line(struct replay *replay, char *line, bool is_last, char error[EDGE_ERROR_SIZE])
{
    struct edge edge;

    if (!is_last && !strchr(line, '\n')) {
        struct text text = text_begin(error, EDGE_ERROR_SIZE);
        text_add(&text, "the line is too long, or no text");
        return -EINVAL;
    }
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
    replay_wait(replay, edge.at_us);
    filters_edge(&replay->filters, &edge, &replay->facts);
    emit_facts(replay);
    return 0;
}

int replay_file(struct replay *replay, FILE *file, struct replay_problem *problem)
{
    char line[REPLAY_LINE_SIZE];
    struct replay_problem found = {0};

    while (fgets(line, sizeof line, file)) {
        found.line++;
        if (replay_line(replay, line, feof(file), found.message)) {
            *problem = found;
            return -EINVAL;
        }
    }
    return 0;
}

void replay_zero_rope(struct replay *replay)
{
    replay->zero_wanted = true;
}

void replay_report_silent(struct replay *replay, unsigned sensor)
{
    if (sensor > SENSOR_NONE && sensor < SENSOR_COUNT) {
        replay->silent[sensor] = true;
        replay->has_silent = true;
    }
}
