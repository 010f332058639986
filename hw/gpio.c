#include "gpio.h"

#include "line_tracker.h"
#include "rules/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

/* Lines that are requested together: all sensors of a chip, up to CHIP_LINES_MAX. */
struct group {
    char path[CHIP_PATH_SIZE];
    struct chip_lines *lines; /* NULL: the chip has gone */
    bool ready;               /* there may be something to read */
    uint64_t retry_us;        /* while the chip has gone: when to look for it next */
    uint64_t pause_us;        /* the pause before that */
    uint16_t sensors[CHIP_LINES_MAX];
    uint32_t offsets[CHIP_LINES_MAX];
    unsigned count;
};

struct gpio {
    int epoll_fd;
    int timer_fd; /* the next retry, and immediately after opening */
    int watch_fd; /* chips come and go */
    char default_chip[LINE_TEXT_SIZE];
    struct line_config lines[SENSOR_COUNT];
    struct group groups[CHIPS_MAX];
    unsigned group_count;
    struct line_tracker trackers[SENSOR_COUNT];
    uint8_t status[SENSOR_COUNT]; /* not taken yet: 1 << enum line_status_kind */
};

/*
 * Groups: opened, lost when their chip goes away, opened again when it is back
 */

static void add_status(struct gpio *gpio, const struct group *group, enum line_status_kind kind)
{
    for (unsigned i = 0; i < group->count; i++) {
        gpio->status[group->sensors[i]] |= (uint8_t)(1U << kind);
    }
}

static struct line_request request_of(const struct gpio *gpio, const struct group *group,
                                      unsigned index)
{
    const struct line_config *line = &gpio->lines[group->sensors[index]];

    return (struct line_request){
        .offset = group->offsets[index], .active_low = line->active_low, .bias = line->bias};
}

static int add_to_epoll(const struct gpio *gpio, int fd, void *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};

    return epoll_ctl(gpio->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* 0, or -errno and the group has no lines. */
static int open_group(struct gpio *gpio, struct group *group)
{
    struct line_request requests[CHIP_LINES_MAX];

    for (unsigned i = 0; i < group->count; i++) {
        requests[i] = request_of(gpio, group, i);
    }
    int error = chip_lines_open(&group->lines, group->path, requests, group->count);
    if (error) {
        return error;
    }
    error = add_to_epoll(gpio, chip_lines_fd(group->lines), group);
    if (error) {
        chip_lines_close(group->lines);
        group->lines = NULL;
        return error;
    }
    group->ready = true;
    for (unsigned i = 0; i < group->count; i++) {
        struct line_tracker *tracker = &gpio->trackers[group->sensors[i]];
        *tracker = (struct line_tracker){.level = tracker->level, .uncertain = true};
    }
    return 0;
}

static void set_timer(struct gpio *gpio)
{
    uint64_t next_us = NEVER_US;
    struct itimerspec timer = {0};

    for (unsigned i = 0; i < gpio->group_count; i++) {
        const struct group *group = &gpio->groups[i];
        if (!group->lines && group->retry_us < next_us) {
            next_us = group->retry_us;
        }
    }
    if (next_us != NEVER_US) {
        timer.it_value.tv_sec = (time_t)(next_us / 1000000);
        timer.it_value.tv_nsec = (long)(next_us % 1000000 * 1000);
    }
    timerfd_settime(gpio->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

static void lose_group(struct gpio *gpio, struct group *group)
{
    chip_lines_close(group->lines);
    group->lines = NULL;
    group->pause_us = GPIO_RETRY_MIN_US;
    group->retry_us = monotonic_us() + group->pause_us;
    add_status(gpio, group, LINE_GONE);
    set_timer(gpio);
}

/* Finds the lines again: the chip may have come back with another number. */
static int locate_group(const struct gpio *gpio, struct group *group, const struct chip_list *list)
{
    for (unsigned i = 0; i < group->count; i++) {
        char problem[LINES_PROBLEM_SIZE];
        struct line_place place;
        int error =
            lines_find(list, gpio->default_chip, &gpio->lines[group->sensors[i]], &place, problem);
        if (error) {
            return error;
        }
        const char *path = list->chips[place.chip].path;
        if (i == 0) {
            memcpy(group->path, path, sizeof group->path);
        } else if (strcmp(group->path, path) != 0) {
            return -EXDEV;
        }
        group->offsets[i] = place.offset;
    }
    return 0;
}

static void reopen_group(struct gpio *gpio, struct group *group, const struct chip_list *list)
{
    if (!locate_group(gpio, group, list) && !open_group(gpio, group)) {
        add_status(gpio, group, LINE_BACK);
        return;
    }
    group->pause_us *= 2;
    if (group->pause_us > GPIO_RETRY_MAX_US) {
        group->pause_us = GPIO_RETRY_MAX_US;
    }
    group->retry_us = monotonic_us() + group->pause_us;
}

/* Looks for the chips of lost groups that are due, or of all lost groups. */
static void retry_groups(struct gpio *gpio, bool all)
{
    uint64_t now_us = monotonic_us();
    struct chip_list list = {.count = 0};
    bool scanned = false;

    for (unsigned i = 0; i < gpio->group_count; i++) {
        struct group *group = &gpio->groups[i];
        if (group->lines || (!all && group->retry_us > now_us)) {
            continue;
        }
        if (!scanned) {
            chip_scan(&list);
            scanned = true;
        }
        reopen_group(gpio, group, &list);
    }
    if (scanned) {
        chip_list_clear(&list);
        set_timer(gpio);
    }
}

/* Older kernels do not wake a reader whose chip has gone, so every chip is tried. */
static void check_groups(struct gpio *gpio)
{
    for (unsigned i = 0; i < gpio->group_count; i++) {
        struct group *group = &gpio->groups[i];
        if (group->lines && chip_lines_level(group->lines, 0) < 0) {
            lose_group(gpio, group);
        }
    }
}

/*
 * Reading
 */

static void add_edge(struct edge *edges, size_t *count, uint64_t at_us, uint16_t sensor, bool level)
{
    edges[(*count)++] = (struct edge){.at_us = at_us, .sensor = sensor, .level = level};
}

/* Returns false if the chip has gone. */
static bool read_events(struct gpio *gpio, struct group *group, struct edge *edges, size_t max,
                        size_t *count)
{
    struct line_event events[CHIP_LINES_MAX];
    bool lost = false;
    int taken;

    do {
        size_t room = max - *count < CHIP_LINES_MAX ? max - *count : CHIP_LINES_MAX;
        taken = room ? chip_lines_read(group->lines, events, room, &lost) : 0;
        for (int i = 0; i < taken; i++) {
            uint16_t sensor = group->sensors[events[i].index];
            struct line_tracker *tracker = &gpio->trackers[sensor];
            if (line_tracker_event(tracker, events[i].at_us, events[i].level)) {
                add_edge(edges, count, events[i].at_us, sensor, tracker->level);
            }
            /* The level does not reveal the loss of an even number of events. */
            gpio->status[sensor] |= (uint8_t)(events[i].after_loss << LINE_LOSSY);
        }
    } while (taken > 0);
    for (unsigned i = 0; lost && i < group->count; i++) {
        gpio->trackers[group->sensors[i]].uncertain = true;
    }
    return taken == 0;
}

/* Reads the level of each line of which an event may be missing. Returns false: the chip has gone.
 */
static bool read_levels(struct gpio *gpio, const struct group *group, struct edge *edges,
                        size_t max, size_t *count)
{
    for (unsigned i = 0; i < group->count && *count < max; i++) {
        uint16_t sensor = group->sensors[i];
        struct line_tracker *tracker = &gpio->trackers[sensor];
        if (!tracker->uncertain) {
            continue;
        }
        bool is_first = tracker->read_us == 0;
        uint64_t now_us = monotonic_us();
        int level = chip_lines_level(group->lines, i);
        if (level < 0) {
            return false;
        }
        if (line_tracker_reading(tracker, now_us, level)) {
            add_edge(edges, count, now_us, sensor, level);
            gpio->status[sensor] |= (uint8_t)(!is_first << LINE_LOSSY);
        }
    }
    return true;
}

static void handle_event(struct gpio *gpio, void *source)
{
    uint64_t expirations;

    if (source == &gpio->watch_fd) {
        chip_watch_read(gpio->watch_fd);
        check_groups(gpio);
        retry_groups(gpio, true);
    } else if (source == &gpio->timer_fd) {
        (void)!read(gpio->timer_fd, &expirations, sizeof expirations);
        retry_groups(gpio, false);
    } else {
        ((struct group *)source)->ready = true;
    }
}

static size_t gpio_read(void *self, struct edge *edges, size_t max)
{
    struct gpio *gpio = self;
    struct epoll_event events[CHIPS_MAX + 2];
    int ready = epoll_wait(gpio->epoll_fd, events, CHIPS_MAX + 2, 0);
    size_t count = 0;

    for (int i = 0; i < ready; i++) {
        handle_event(gpio, events[i].data.ptr);
    }
    for (unsigned i = 0; i < gpio->group_count; i++) {
        struct group *group = &gpio->groups[i];
        if (!group->lines || !group->ready) {
            continue;
        }
        if (!read_events(gpio, group, edges, max, &count) ||
            !read_levels(gpio, group, edges, max, &count)) {
            lose_group(gpio, group);
        }
        group->ready = count == max;
    }
    return count;
}

static bool gpio_status(void *self, struct line_status *status)
{
    struct gpio *gpio = self;

    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        for (unsigned kind = 0; kind < LINE_STATUS_COUNT; kind++) {
            if (gpio->status[sensor] & 1U << kind) {
                gpio->status[sensor] &= (uint8_t) ~(1U << kind);
                *status = (struct line_status){(uint16_t)sensor, (enum line_status_kind)kind};
                return true;
            }
        }
    }
    return false;
}

static int gpio_fd(void *self)
{
    return ((struct gpio *)self)->epoll_fd;
}

static void gpio_close(void *self)
{
    struct gpio *gpio = self;

    for (unsigned i = 0; i < gpio->group_count; i++) {
        chip_lines_close(gpio->groups[i].lines);
    }
    close_fd(gpio->watch_fd);
    close_fd(gpio->timer_fd);
    close_fd(gpio->epoll_fd);
    free(gpio);
}

/*
 * Opening
 */

struct opening {
    struct gpio *gpio;
    const struct sensor_names *names;
    struct chip_list chips;
    lines_problem_fn *report;
    void *context;
};

static void report_error(const struct opening *opening, const char *subject, int error)
{
    char message[LINES_PROBLEM_SIZE];
    struct text text = text_begin(message, sizeof message);

    text_add(&text, subject);
    text_add(&text, ": ");
    text_add(&text, strerror(-error));
    opening->report(opening->context, SENSOR_NONE, message);
}

/* Requests the lines of a group one by one, to report those that cannot be opened. */
static void report_lines(const struct opening *opening, const struct group *group, int error)
{
    bool found = false;

    for (unsigned i = 0; i < group->count; i++) {
        uint16_t sensor = group->sensors[i];
        struct line_request request = request_of(opening->gpio, group, i);
        struct chip_lines *line = NULL;
        int line_error = chip_lines_open(&line, group->path, &request, 1);

        chip_lines_close(line);
        if (line_error) {
            lines_report(opening->names, sensor, &opening->gpio->lines[sensor],
                         strerror(-line_error), opening->report, opening->context);
            found = true;
        }
    }
    if (!found) {
        report_error(opening, group->path, error);
    }
}

static void add_to_group(struct gpio *gpio, const char *path, const struct wire *wire)
{
    struct group *group = gpio->groups;
    const struct group *end = gpio->groups + gpio->group_count;

    while (group < end && (strcmp(group->path, path) != 0 || group->count == CHIP_LINES_MAX)) {
        group++;
    }
    if (group == end) {
        memcpy(group->path, path, sizeof group->path);
        gpio->group_count++;
    }
    group->offsets[group->count] = wire->place.offset;
    group->sensors[group->count++] = wire->sensor;
}

static int find_and_open(struct opening *opening)
{
    struct gpio *gpio = opening->gpio;
    struct wire wires[SENSOR_COUNT];
    int error = chip_scan(&opening->chips);

    if (error && error != -ENOENT) {
        report_error(opening, "no GPIO chip can be opened", error);
        return error;
    }
    int count = lines_find_all(&opening->chips, gpio->default_chip, gpio->lines, opening->names,
                               wires, opening->report, opening->context);
    for (int i = 0; i < count; i++) {
        add_to_group(gpio, opening->chips.chips[wires[i].place.chip].path, &wires[i]);
    }
    int result = count < 0 ? count : 0;
    for (unsigned i = 0; i < gpio->group_count; i++) {
        error = open_group(gpio, &gpio->groups[i]);
        if (error) {
            report_lines(opening, &gpio->groups[i], error);
            result = result ? result : error;
        }
    }
    return result;
}

static int open_descriptors(struct gpio *gpio)
{
    /* Makes the first read get the levels that the lines have now. */
    struct itimerspec at_once = {.it_value.tv_nsec = 1};

    gpio->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    gpio->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    gpio->watch_fd = chip_watch_open();
    if (gpio->epoll_fd < 0 || gpio->timer_fd < 0) {
        return -errno;
    }
    if (gpio->watch_fd < 0) {
        return gpio->watch_fd;
    }
    timerfd_settime(gpio->timer_fd, 0, &at_once, NULL);
    int error = add_to_epoll(gpio, gpio->timer_fd, &gpio->timer_fd);
    return error ? error : add_to_epoll(gpio, gpio->watch_fd, &gpio->watch_fd);
}

static void copy_settings(struct gpio *gpio, const char *default_chip,
                          const struct line_config lines[SENSOR_COUNT])
{
    chip_follow_link(default_chip, gpio->default_chip);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        gpio->lines[sensor] = lines[sensor];
        chip_follow_link(lines[sensor].chip, gpio->lines[sensor].chip);
    }
}

int gpio_open(struct backend *backend, const char *default_chip,
              const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
              lines_problem_fn *report, void *context)
{
    struct gpio *gpio = calloc(1, sizeof *gpio);
    struct opening opening = {.gpio = gpio, .names = names, .report = report, .context = context};

    if (!gpio) {
        return -ENOMEM;
    }
    copy_settings(gpio, default_chip, lines);
    int error = open_descriptors(gpio);
    error = error ? error : find_and_open(&opening);
    chip_list_clear(&opening.chips);
    if (error) {
        gpio_close(gpio);
        return error;
    }
    *backend = (struct backend){
        .self = gpio, .fd = gpio_fd, .read = gpio_read, .status = gpio_status, .close = gpio_close};
    return 0;
}
