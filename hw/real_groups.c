/* Groups of lines: opening them, losing their chip, and finding it again. */
#include "chip_scan.h"
#include "real_inside.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static void spread_news(struct real *real, const struct group *group, enum line_news_kind kind)
{
    for (unsigned i = 0; i < group->count; i++) {
        real->news[group->sensors[i]] |= (uint8_t)(1U << kind);
    }
}

/*
 * Opening a group of lines
 */

struct line_wish real_wish_of(const struct real *real, uint16_t sensor, uint32_t offset)
{
    return (struct line_wish){.offset = offset,
                              .active_low = real->lines[sensor].active_low,
                              .bias = real->lines[sensor].bias};
}

int real_open_group(struct real *real, struct group *group, const uint32_t *offsets)
{
    struct line_wish wishes[CHIP_LINES_MAX];
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = group};

    for (unsigned i = 0; i < group->count; i++) {
        wishes[i] = real_wish_of(real, group->sensors[i], offsets[i]);
    }
    int error = chip_lines_open(&group->lines, group->path, wishes, group->count);
    if (error) {
        return error;
    }
    if (epoll_ctl(real->epoll_fd, EPOLL_CTL_ADD, chip_lines_fd(group->lines), &event)) {
        error = -errno;
        chip_lines_close(group->lines);
        group->lines = NULL;
        return error;
    }
    group->ready = true;
    for (unsigned i = 0; i < group->count; i++) {
        struct heal *heal = &real->heals[group->sensors[i]];
        *heal = (struct heal){.level = heal->level, .doubtful = true};
    }
    return 0;
}

/*
 * A chip that goes away
 */

static void set_timer(struct real *real)
{
    uint64_t next_us = NEVER_US;
    struct itimerspec timer = {0};

    for (unsigned i = 0; i < real->group_count; i++) {
        const struct group *group = &real->groups[i];
        if (!group->lines && group->retry_us < next_us) {
            next_us = group->retry_us;
        }
    }
    if (next_us != NEVER_US) {
        timer.it_value.tv_sec = (time_t)(next_us / 1000000);
        timer.it_value.tv_nsec = (long)(next_us % 1000000 * 1000);
    }
    timerfd_settime(real->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

void real_lose_group(struct real *real, struct group *group)
{
    chip_lines_close(group->lines);
    group->lines = NULL;
    group->pause_us = REAL_RETRY_MIN_US;
    group->retry_us = backend_clock_us() + group->pause_us;
    spread_news(real, group, LINE_GONE);
    set_timer(real);
}

/* Where the lines are now: the chip may have come back with another number. */
static int locate_group(const struct real *real, struct group *group, const struct chip_list *list,
                        uint32_t *offsets)
{
    for (unsigned i = 0; i < group->count; i++) {
        char problem[LINES_PROBLEM_SIZE];
        struct line_place place;
        int error =
            lines_find(list, real->default_chip, &real->lines[group->sensors[i]], &place, problem);
        if (error) {
            return error;
        }
        const char *path = list->chips[place.chip].path;
        if (i == 0) {
            memcpy(group->path, path, sizeof group->path);
        } else if (strcmp(group->path, path) != 0) {
            return -EXDEV;
        }
        offsets[i] = place.offset;
    }
    return 0;
}

static void reopen_group(struct real *real, struct group *group, const struct chip_list *list)
{
    uint32_t offsets[CHIP_LINES_MAX];

    if (!locate_group(real, group, list, offsets) && !real_open_group(real, group, offsets)) {
        spread_news(real, group, LINE_BACK);
        return;
    }
    group->pause_us *= 2;
    if (group->pause_us > REAL_RETRY_MAX_US) {
        group->pause_us = REAL_RETRY_MAX_US;
    }
    group->retry_us = backend_clock_us() + group->pause_us;
}

void real_retry_groups(struct real *real, bool all)
{
    uint64_t now_us = backend_clock_us();
    struct chip_list list = {.count = 0};
    bool scanned = false;

    for (unsigned i = 0; i < real->group_count; i++) {
        struct group *group = &real->groups[i];
        if (group->lines || (!all && group->retry_us > now_us)) {
            continue;
        }
        if (!scanned) {
            chip_scan(&list);
            scanned = true;
        }
        reopen_group(real, group, &list);
    }
    if (scanned) {
        chip_list_clear(&list);
        set_timer(real);
    }
}
