#include "fake_chips.h"

#include "hw/chip.h"
#include "rules/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct fake_event {
    uint64_t at_us;
    unsigned line;
    bool level;
    bool after_loss;
};

static struct fake_chip {
    bool present;
    bool dropped; /* events, and the kernel reports it */
    bool levels[FAKE_LINES];
    bool line_dropped[FAKE_LINES]; /* the same, per line since its last event */
    int refusals[FAKE_LINES];
    struct fake_event events[FAKE_EVENTS_MAX];
    unsigned event_count;
    unsigned openings;
} chips[FAKE_CHIPS];

static int watch = -1;

struct chip_lines {
    struct fake_chip *chip;
    bool orphaned; /* the chip was removed since */
    int fd;
    unsigned count;
    struct line_request requests[CHIP_LINES_MAX];
};

static struct chip_lines *opened[FAKE_CHIPS];

void fake_chips_reset(void)
{
    memset(chips, 0, sizeof chips);
    chips[0].present = chips[1].present = true;
}

static void wake(unsigned chip)
{
    if (opened[chip]) {
        eventfd_write(opened[chip]->fd, 1);
    }
}

void fake_chips_edge(unsigned chip, unsigned line, uint64_t at_us, bool level)
{
    chips[chip].levels[line] = level;
    chips[chip].events[chips[chip].event_count++] =
        (struct fake_event){at_us, line, level, chips[chip].line_dropped[line]};
    chips[chip].line_dropped[line] = false;
    wake(chip);
}

void fake_chips_lose(unsigned chip, unsigned line, bool level, bool reported)
{
    chips[chip].levels[line] = level;
    chips[chip].dropped = chips[chip].dropped || reported;
    chips[chip].line_dropped[line] = chips[chip].line_dropped[line] || reported;
}

void fake_chips_refuse(unsigned chip, unsigned line, int error)
{
    chips[chip].refusals[line] = error;
}

void fake_chips_unplug(unsigned chip)
{
    chips[chip].present = false;
    chips[chip].event_count = 0;
    if (opened[chip]) {
        opened[chip]->orphaned = true;
    }
    eventfd_write(watch, 1);
}

void fake_chips_plug(unsigned chip)
{
    chips[chip].present = true;
    eventfd_write(watch, 1);
}

unsigned fake_chips_openings(unsigned chip)
{
    return chips[chip].openings;
}

/*
 * Instead of chip_scan.c
 */

int chip_scan(struct chip_list *list)
{
    static const char *const paths[FAKE_CHIPS] = {"/dev/gpiochip0", "/dev/gpiochip1"};

    list->count = 0;
    for (unsigned i = 0; i < FAKE_CHIPS; i++) {
        if (chips[i].present && chip_describe(paths[i], &list->chips[list->count]) == 0) {
            list->count++;
        }
    }
    return list->count ? 0 : -ENOENT;
}

void chip_follow_link(const char *spelling, char path[LINE_TEXT_SIZE])
{
    struct text text = text_begin(path, LINE_TEXT_SIZE);

    text_add(&text, spelling);
}

int chip_watch_open(void)
{
    watch = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return watch;
}

void chip_watch_read(int fd)
{
    eventfd_t count;

    eventfd_read(fd, &count);
}

/*
 * Instead of the GPIO library
 */

static unsigned chip_number(const char *path)
{
    return (unsigned)(path[strlen(path) - 1] - '0');
}

int chip_describe(const char *path, struct chip_info *info)
{
    struct text text = text_begin(info->path, sizeof info->path);

    text_add(&text, path);
    chip_name_copy(info->name, path + strlen("/dev/"));
    chip_name_copy(info->label, "");
    info->line_count = FAKE_LINES;
    info->lines = calloc(FAKE_LINES, sizeof *info->lines);
    return info->lines ? 0 : -ENOMEM;
}

int chip_lines_open(struct chip_lines **lines, const char *path,
                    const struct line_request *requests, unsigned count)
{
    unsigned number = chip_number(path);
    struct fake_chip *chip = &chips[number];

    for (unsigned i = 0; i < count; i++) {
        if (chip->refusals[requests[i].offset]) {
            return -chip->refusals[requests[i].offset];
        }
    }
    *lines = calloc(1, sizeof **lines);
    if (!*lines) {
        return -ENOMEM;
    }
    (*lines)->chip = chip;
    (*lines)->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    (*lines)->count = count;
    memcpy((*lines)->requests, requests, count * sizeof *requests);
    opened[number] = *lines;
    chip->openings++;
    return 0;
}

int chip_lines_fd(const struct chip_lines *lines)
{
    return lines->fd;
}

static unsigned index_of(const struct chip_lines *lines, unsigned offset)
{
    unsigned index = 0;

    while (lines->requests[index].offset != offset) {
        index++;
    }
    return index;
}

int chip_lines_read(struct chip_lines *lines, struct line_event *events, size_t max, bool *lost)
{
    struct fake_chip *chip = lines->chip;
    unsigned count = chip->event_count < max ? chip->event_count : (unsigned)max;
    eventfd_t wakes;

    if (lines->orphaned) {
        return -ENODEV;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct fake_event *event = &chip->events[i];
        unsigned index = index_of(lines, event->line);
        events[i] = (struct line_event){event->at_us, index,
                                        event->level != lines->requests[index].active_low,
                                        event->after_loss};
    }
    chip->event_count -= count;
    memmove(chip->events, chip->events + count, chip->event_count * sizeof *chip->events);
    if (chip->event_count == 0) {
        eventfd_read(lines->fd, &wakes);
    }
    *lost = *lost || chip->dropped;
    chip->dropped = false;
    return (int)count;
}

int chip_lines_level(struct chip_lines *lines, unsigned index)
{
    const struct line_request *request = &lines->requests[index];

    return lines->orphaned ? -ENODEV : lines->chip->levels[request->offset] != request->active_low;
}

void chip_lines_close(struct chip_lines *lines)
{
    if (!lines) {
        return;
    }
    if (opened[lines->chip - chips] == lines) {
        opened[lines->chip - chips] = NULL;
    }
    close(lines->fd);
    free(lines);
}
