/* libgpiod 1.6: a descriptor per line. The kernel keeps 16 events per line, and drops newer ones.
 */
#include "chip.h"

#include "rules/text.h"

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS_AT_ONCE = 16 };

struct chip_lines {
    struct gpiod_chip *chip;
    int epoll_fd;
    unsigned count;
    struct gpiod_line *lines[CHIP_LINES_MAX];
};

static int describe_lines(struct gpiod_chip *chip, struct chip_info *info)
{
    info->line_count = gpiod_chip_num_lines(chip);
    info->lines = calloc(info->line_count, sizeof *info->lines);
    if (!info->lines) {
        return -ENOMEM;
    }
    for (unsigned i = 0; i < info->line_count; i++) {
        struct gpiod_line *line = gpiod_chip_get_line(chip, i);
        if (!line) {
            int error = -errno;
            free(info->lines);
            return error;
        }
        chip_name_copy(info->lines[i].name, gpiod_line_name(line));
        chip_name_copy(info->lines[i].consumer, gpiod_line_consumer(line));
        info->lines[i].used = gpiod_line_is_used(line);
    }
    return 0;
}

int chip_describe(const char *path, struct chip_info *info)
{
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct text text = text_begin(info->path, sizeof info->path);

    if (!chip) {
        return -errno;
    }
    text_add(&text, path);
    chip_name_copy(info->name, gpiod_chip_name(chip));
    chip_name_copy(info->label, gpiod_chip_label(chip));
    int error = describe_lines(chip, info);
    gpiod_chip_close(chip);
    return error;
}

static int request_flags(const struct line_request *request)
{
    static const int biases[] = {
        [BIAS_AS_IS] = 0,
        [BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
        [BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
        [BIAS_NONE] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
    };

    return biases[request->bias] | (request->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
}

static int request_line(struct chip_lines *lines, const struct line_request *request)
{
    struct gpiod_line *line = gpiod_chip_get_line(lines->chip, request->offset);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = lines->count};

    if (!line ||
        gpiod_line_request_both_edges_events_flags(line, "shipahoyd", request_flags(request))) {
        return -errno;
    }
    lines->lines[lines->count++] = line;
    int fd = gpiod_line_event_get_fd(line);
    if (fcntl(fd, F_SETFL, O_NONBLOCK) || epoll_ctl(lines->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
        return -errno;
    }
    return 0;
}

int chip_lines_open(struct chip_lines **lines, const char *path,
                    const struct line_request *requests, unsigned count)
{
    struct chip_lines *opened = calloc(1, sizeof *opened);
    int error = 0;

    if (!opened) {
        return -ENOMEM;
    }
    opened->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    opened->chip = gpiod_chip_open(path);
    if (opened->epoll_fd < 0 || !opened->chip) {
        error = -errno;
    }
    for (unsigned i = 0; i < count && !error; i++) {
        error = request_line(opened, &requests[i]);
    }
    if (error) {
        chip_lines_close(opened);
        return error;
    }
    *lines = opened;
    return 0;
}

int chip_lines_fd(const struct chip_lines *lines)
{
    return lines->epoll_fd;
}

static int read_line(struct chip_lines *lines, unsigned index, struct line_event *events,
                     size_t max)
{
    struct gpiod_line_event taken[EVENTS_AT_ONCE];
    unsigned wanted = max < EVENTS_AT_ONCE ? (unsigned)max : EVENTS_AT_ONCE;
    int count = gpiod_line_event_read_multiple(lines->lines[index], taken, wanted);

    if (count < 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    }
    for (int i = 0; i < count; i++) {
        events[i] = (struct line_event){
            .at_us = (uint64_t)taken[i].ts.tv_sec * 1000000 + (uint64_t)taken[i].ts.tv_nsec / 1000,
            .index = index,
            .level = taken[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
        };
    }
    return count;
}

int chip_lines_read(struct chip_lines *lines, struct line_event *events, size_t max, bool *lost)
{
    struct epoll_event ready[CHIP_LINES_MAX];
    int ready_count = epoll_wait(lines->epoll_fd, ready, CHIP_LINES_MAX, 0);
    size_t count = 0;

    for (int i = 0; i < ready_count && count < max; i++) {
        int taken = read_line(lines, ready[i].data.u32, events + count, max - count);
        if (taken < 0) {
            return taken;
        }
        if (taken == 0 && ready[i].events & (EPOLLHUP | EPOLLERR)) {
            return -ENODEV;
        }
        /* The kernel does not report dropped events, but a full buffer may have lost some. */
        *lost = *lost || taken == EVENTS_AT_ONCE;
        count += (size_t)taken;
    }
    return (int)count;
}

int chip_lines_level(struct chip_lines *lines, unsigned index)
{
    int level = gpiod_line_get_value(lines->lines[index]);

    return level < 0 ? -errno : level;
}

void chip_lines_close(struct chip_lines *lines)
{
    if (!lines) {
        return;
    }
    if (lines->chip) {
        gpiod_chip_close(lines->chip);
    }
    if (lines->epoll_fd >= 0) {
        close(lines->epoll_fd);
    }
    free(lines);
}
