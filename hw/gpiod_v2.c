/*
 * libgpiod 2: one descriptor and one buffer for all lines of a chip. The kernel drops the oldest
 * events that are not read in time, which shows in the sequence numbers of the others.
 */
#include "chip.h"

#include "rules/text.h"

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdlib.h>

/* The kernel's maximum: half a second of a rope that is pulled fast. */
enum { EVENTS_KEPT = 1024, EVENTS_AT_ONCE = 64 };

struct chip_lines {
    struct gpiod_chip *chip;
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    unsigned long numbered; /* the last event that was read */
    unsigned count;
    unsigned offsets[CHIP_LINES_MAX];
    unsigned long line_numbered[CHIP_LINES_MAX]; /* the same, of each line */
};

static int describe_line(struct gpiod_chip *chip, unsigned offset, struct chip_line *line)
{
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);

    if (!info) {
        return -errno;
    }
    chip_name_copy(line->name, gpiod_line_info_get_name(info));
    chip_name_copy(line->consumer, gpiod_line_info_get_consumer(info));
    line->used = gpiod_line_info_is_used(info);
    gpiod_line_info_free(info);
    return 0;
}

static int describe_lines(struct gpiod_chip *chip, struct chip_info *info)
{
    int error = 0;

    info->lines = calloc(info->line_count, sizeof *info->lines);
    if (!info->lines) {
        return -ENOMEM;
    }
    for (unsigned i = 0; i < info->line_count && !error; i++) {
        error = describe_line(chip, i, &info->lines[i]);
    }
    if (error) {
        free(info->lines);
    }
    return error;
}

int chip_describe(const char *path, struct chip_info *info)
{
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_chip_info *chip_info = chip ? gpiod_chip_get_info(chip) : NULL;
    struct text text = text_begin(info->path, sizeof info->path);
    int error = chip_info ? 0 : -errno;

    if (chip_info) {
        text_add(&text, path);
        chip_name_copy(info->name, gpiod_chip_info_get_name(chip_info));
        chip_name_copy(info->label, gpiod_chip_info_get_label(chip_info));
        info->line_count = (unsigned)gpiod_chip_info_get_num_lines(chip_info);
        gpiod_chip_info_free(chip_info);
        error = describe_lines(chip, info);
    }
    if (chip) {
        gpiod_chip_close(chip);
    }
    return error;
}

static int add_request(struct gpiod_line_config *config, const struct line_request *request)
{
    static const enum gpiod_line_bias biases[] = {
        [BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
        [BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
        [BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
        [BIAS_NONE] = GPIOD_LINE_BIAS_DISABLED,
    };
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    const unsigned offset = request->offset;
    int error = 0;

    if (!settings) {
        return -errno;
    }
    gpiod_line_settings_set_active_low(settings, request->active_low);
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) ||
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) ||
        gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) ||
        gpiod_line_settings_set_bias(settings, biases[request->bias]) ||
        gpiod_line_config_add_line_settings(config, &offset, 1, settings)) {
        error = -errno;
    }
    gpiod_line_settings_free(settings);
    return error;
}

static int request_lines(struct chip_lines *lines, struct gpiod_request_config *request,
                         struct gpiod_line_config *config, const struct line_request *requests)
{
    int error = request && config ? 0 : -ENOMEM;

    for (unsigned i = 0; i < lines->count && !error; i++) {
        lines->offsets[i] = requests[i].offset;
        error = add_request(config, &requests[i]);
    }
    if (error) {
        return error;
    }
    gpiod_request_config_set_consumer(request, "shipahoyd");
    gpiod_request_config_set_event_buffer_size(request, EVENTS_KEPT);
    lines->request = gpiod_chip_request_lines(lines->chip, request, config);
    if (!lines->request || fcntl(gpiod_line_request_get_fd(lines->request), F_SETFL, O_NONBLOCK)) {
        return -errno;
    }
    return 0;
}

static int open_parts(struct chip_lines *lines, const char *path,
                      const struct line_request *requests)
{
    lines->chip = gpiod_chip_open(path);
    lines->events = gpiod_edge_event_buffer_new(EVENTS_AT_ONCE);
    if (!lines->chip || !lines->events) {
        return -errno;
    }
    struct gpiod_request_config *request = gpiod_request_config_new();
    struct gpiod_line_config *config = gpiod_line_config_new();
    int error = request_lines(lines, request, config, requests);
    gpiod_line_config_free(config);
    gpiod_request_config_free(request);
    return error;
}

int chip_lines_open(struct chip_lines **lines, const char *path,
                    const struct line_request *requests, unsigned count)
{
    struct chip_lines *opened = calloc(1, sizeof *opened);

    if (!opened) {
        return -ENOMEM;
    }
    opened->count = count;
    int error = open_parts(opened, path, requests);
    if (error) {
        chip_lines_close(opened);
        return error;
    }
    *lines = opened;
    return 0;
}

int chip_lines_fd(const struct chip_lines *lines)
{
    return gpiod_line_request_get_fd(lines->request);
}

static unsigned index_of(const struct chip_lines *lines, unsigned offset)
{
    unsigned index = 0;

    while (index < lines->count - 1 && lines->offsets[index] != offset) {
        index++;
    }
    return index;
}

int chip_lines_read(struct chip_lines *lines, struct line_event *events, size_t max, bool *lost)
{
    size_t wanted = max < EVENTS_AT_ONCE ? max : EVENTS_AT_ONCE;
    int count = gpiod_line_request_read_edge_events(lines->request, lines->events, wanted);

    if (count < 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    }
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event =
            gpiod_edge_event_buffer_get_event(lines->events, (unsigned long)i);
        unsigned long number = gpiod_edge_event_get_global_seqno(event);
        unsigned long line_number = gpiod_edge_event_get_line_seqno(event);
        unsigned index = index_of(lines, gpiod_edge_event_get_line_offset(event));
        events[i] = (struct line_event){
            .at_us = gpiod_edge_event_get_timestamp_ns(event) / 1000,
            .index = index,
            .level = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
            .after_loss = line_number != lines->line_numbered[index] + 1,
        };
        *lost = *lost || number != lines->numbered + 1;
        lines->numbered = number;
        lines->line_numbered[index] = line_number;
    }
    return count;
}

int chip_lines_level(struct chip_lines *lines, unsigned index)
{
    enum gpiod_line_value value =
        gpiod_line_request_get_value(lines->request, lines->offsets[index]);

    return value == GPIOD_LINE_VALUE_ERROR ? -errno : value == GPIOD_LINE_VALUE_ACTIVE;
}

void chip_lines_close(struct chip_lines *lines)
{
    if (!lines) {
        return;
    }
    if (lines->request) {
        gpiod_line_request_release(lines->request);
    }
    gpiod_edge_event_buffer_free(lines->events);
    if (lines->chip) {
        gpiod_chip_close(lines->chip);
    }
    free(lines);
}
