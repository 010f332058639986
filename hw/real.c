#include "chip_scan.h"
#include "real_inside.h"
#include "rules/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

/*
 * Reading
 */

static void add_edge(struct edge *edges, size_t *count, uint64_t at_us, uint16_t sensor, bool level)
{
    edges[(*count)++] = (struct edge){.at_us = at_us, .sensor = sensor, .level = level};
}

/* Whether the chip is still there. */
static bool read_events(struct real *real, struct group *group, struct edge *edges, size_t max,
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
            struct heal *heal = &real->heals[sensor];
            if (heal_event(heal, events[i].at_us, events[i].level)) {
                add_edge(edges, count, events[i].at_us, sensor, heal->level);
            }
            /* Of an even number of lost events the levels tell nothing. */
            real->news[sensor] |= (uint8_t)(events[i].after_loss << LINE_LOSSY);
        }
    } while (taken > 0);
    for (unsigned i = 0; lost && i < group->count; i++) {
        real->heals[group->sensors[i]].doubtful = true;
    }
    return taken == 0;
}

/* What a lost event would have told is seen at the line itself, once no event is left. */
static bool read_levels(struct real *real, const struct group *group, struct edge *edges,
                        size_t max, size_t *count)
{
    for (unsigned i = 0; i < group->count && *count < max; i++) {
        uint16_t sensor = group->sensors[i];
        struct heal *heal = &real->heals[sensor];
        if (!heal->doubtful) {
            continue;
        }
        bool is_first = heal->read_us == 0;
        uint64_t now_us = backend_clock_us();
        int level = chip_lines_level(group->lines, i);
        if (level < 0) {
            return false;
        }
        if (heal_reading(heal, now_us, level)) {
            add_edge(edges, count, now_us, sensor, level);
            real->news[sensor] |= (uint8_t)(!is_first << LINE_LOSSY);
        }
    }
    return true;
}

static void read_group(struct real *real, struct group *group, struct edge *edges, size_t max,
                       size_t *count)
{
    if (!read_events(real, group, edges, max, count) ||
        !read_levels(real, group, edges, max, count)) {
        real_lose_group(real, group);
    }
}

/* Older kernels do not wake up who waits for a chip that has gone: it must be asked. */
static void check_groups(struct real *real)
{
    for (unsigned i = 0; i < real->group_count; i++) {
        struct group *group = &real->groups[i];
        if (group->lines && chip_lines_level(group->lines, 0) < 0) {
            real_lose_group(real, group);
        }
    }
}

static void handle_event(struct real *real, void *mark)
{
    uint64_t expirations;

    if (mark == &real->watch_fd) {
        chip_watch_read(real->watch_fd);
        check_groups(real);
        real_retry_groups(real, true);
    } else if (mark == &real->timer_fd) {
        (void)!read(real->timer_fd, &expirations, sizeof expirations);
        real_retry_groups(real, false);
    } else {
        ((struct group *)mark)->ready = true;
    }
}

static size_t real_read(void *self, struct edge *edges, size_t max)
{
    struct real *real = self;
    struct epoll_event events[CHIPS_MAX + 2];
    int ready = epoll_wait(real->epoll_fd, events, CHIPS_MAX + 2, 0);
    size_t count = 0;

    for (int i = 0; i < ready; i++) {
        handle_event(real, events[i].data.ptr);
    }
    for (unsigned i = 0; i < real->group_count; i++) {
        struct group *group = &real->groups[i];
        if (group->lines && group->ready) {
            read_group(real, group, edges, max, &count);
            group->ready = count == max;
        }
    }
    return count;
}

static bool real_news(void *self, struct line_news *news)
{
    struct real *real = self;

    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        for (unsigned kind = 0; kind < LINE_NEWS_COUNT; kind++) {
            if (real->news[sensor] & 1U << kind) {
                real->news[sensor] &= (uint8_t) ~(1U << kind);
                *news = (struct line_news){(uint16_t)sensor, (enum line_news_kind)kind};
                return true;
            }
        }
    }
    return false;
}

static int real_fd(void *self)
{
    return ((struct real *)self)->epoll_fd;
}

static uint64_t real_now_us(void *self)
{
    (void)self;
    return backend_clock_us();
}

static void close_fd(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static void real_close(void *self)
{
    struct real *real = self;

    for (unsigned i = 0; i < real->group_count; i++) {
        chip_lines_close(real->groups[i].lines);
    }
    close_fd(real->watch_fd);
    close_fd(real->timer_fd);
    close_fd(real->epoll_fd);
    free(real);
}

/*
 * Opening
 */

struct opening {
    struct real *real;
    const struct sensor_names *names;
    struct chip_list chips;
    struct wire wires[SENSOR_COUNT];
    unsigned wire_count;
    lines_problem_fn *tell;
    void *context;
};

static struct group *group_at(struct real *real, const char *path)
{
    for (unsigned i = 0; i < real->group_count; i++) {
        struct group *group = &real->groups[i];
        if (strcmp(group->path, path) == 0 && group->count < CHIP_LINES_MAX) {
            return group;
        }
    }
    struct group *group = &real->groups[real->group_count++];
    memcpy(group->path, path, sizeof group->path);
    return group;
}

/* Lines that could not be had together are tried alone, to name those that cannot be had. */
static void name_culprits(const struct opening *opening, const struct group *group,
                          const uint32_t *offsets, int error)
{
    bool found = false;

    for (unsigned i = 0; i < group->count; i++) {
        uint16_t sensor = group->sensors[i];
        struct line_wish wish = real_wish_of(opening->real, sensor, offsets[i]);
        struct chip_lines *alone = NULL;
        int alone_error = chip_lines_open(&alone, group->path, &wish, 1);

        chip_lines_close(alone);
        if (alone_error) {
            lines_complain(opening->names, sensor, &opening->real->lines[sensor],
                           strerror(-alone_error), opening->tell, opening->context);
            found = true;
        }
    }
    if (!found) {
        char message[LINES_PROBLEM_SIZE];
        struct text text = text_begin(message, sizeof message);
        text_add(&text, group->path);
        text_add(&text, ": ");
        text_add(&text, strerror(-error));
        opening->tell(opening->context, SENSOR_NONE, message);
    }
}

static int open_groups(struct opening *opening)
{
    struct real *real = opening->real;
    uint32_t offsets[CHIPS_MAX][CHIP_LINES_MAX] = {{0}};
    int result = 0;

    for (unsigned i = 0; i < opening->wire_count; i++) {
        const struct wire *wire = &opening->wires[i];
        struct group *group = group_at(real, opening->chips.chips[wire->place.chip].path);
        offsets[group - real->groups][group->count] = wire->place.offset;
        group->sensors[group->count++] = wire->sensor;
    }
    for (unsigned i = 0; i < real->group_count; i++) {
        int error = real_open_group(real, &real->groups[i], offsets[i]);
        if (error) {
            name_culprits(opening, &real->groups[i], offsets[i], error);
            result = result ? result : error;
        }
    }
    return result;
}

static int find_and_open(struct opening *opening)
{
    struct real *real = opening->real;
    int error = chip_scan(&opening->chips);

    if (error && error != -ENOENT) {
        char message[LINES_PROBLEM_SIZE];
        struct text text = text_begin(message, sizeof message);
        text_add(&text, "no GPIO chip can be opened: ");
        text_add(&text, strerror(-error));
        opening->tell(opening->context, SENSOR_NONE, message);
        return error;
    }
    int count = lines_find_all(&opening->chips, real->default_chip, real->lines, opening->names,
                               opening->wires, opening->tell, opening->context);
    if (count < 0) {
        return count;
    }
    opening->wire_count = (unsigned)count;
    return open_groups(opening);
}

static int watch_fd(const struct real *real, int fd, void *mark)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};

    return epoll_ctl(real->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int open_descriptors(struct real *real)
{
    /* The levels that the lines have now are read as soon as somebody reads. */
    struct itimerspec at_once = {.it_value.tv_nsec = 1};

    real->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    real->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    real->watch_fd = chip_watch_open();
    if (real->epoll_fd < 0 || real->timer_fd < 0) {
        return -errno;
    }
    if (real->watch_fd < 0) {
        return real->watch_fd;
    }
    timerfd_settime(real->timer_fd, 0, &at_once, NULL);
    int error = watch_fd(real, real->timer_fd, &real->timer_fd);
    return error ? error : watch_fd(real, real->watch_fd, &real->watch_fd);
}

static void copy_settings(struct real *real, const char *default_chip,
                          const struct line_config lines[SENSOR_COUNT])
{
    chip_follow_link(default_chip, real->default_chip);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        real->lines[sensor] = lines[sensor];
        chip_follow_link(lines[sensor].chip, real->lines[sensor].chip);
    }
}

int real_open(struct backend *backend, const char *default_chip,
              const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
              lines_problem_fn *tell, void *context)
{
    struct real *real = calloc(1, sizeof *real);
    struct opening *opening = calloc(1, sizeof *opening);
    int error = real && opening ? 0 : -ENOMEM;

    if (!error) {
        *opening = (struct opening){.real = real, .names = names, .tell = tell, .context = context};
        copy_settings(real, default_chip, lines);
        error = open_descriptors(real);
        error = error ? error : find_and_open(opening);
        chip_list_clear(&opening->chips);
        if (error) {
            real_close(real);
            real = NULL;
        }
    }
    free(opening);
    if (error) {
        free(real);
        return error;
    }
    *backend = (struct backend){.self = real,
                                .fd = real_fd,
                                .read = real_read,
                                .news = real_news,
                                .now_us = real_now_us,
                                .close = real_close};
    return 0;
}
