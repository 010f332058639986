/* Inside the real lines: what real.c and real_groups.c share. */
#ifndef HW_REAL_INSIDE_H
#define HW_REAL_INSIDE_H

#include "chip_lines.h"
#include "heal.h"
#include "real.h"

/* The lines that were asked for together: all sensors on a chip, or as many as go at once. */
struct group {
    char path[CHIP_PATH_SIZE];
    struct chip_lines *lines; /* NULL: the chip has gone */
    bool ready;               /* there may be something to read */
    uint64_t retry_us;        /* then: when it is looked for again */
    uint64_t pause_us;        /* until the retry after that, or half of it */
    uint16_t sensors[CHIP_LINES_MAX];
    unsigned count;
};

struct real {
    int epoll_fd;
    int timer_fd; /* the next retry, and at once after opening */
    int watch_fd; /* chips come and go */
    char default_chip[LINE_TEXT_SIZE];
    struct line_config lines[SENSOR_COUNT];
    struct group groups[CHIPS_MAX];
    unsigned group_count;
    struct heal heals[SENSOR_COUNT];
    uint8_t news[SENSOR_COUNT]; /* 1 << enum line_news_kind */
};

/* What is asked for a sensor whose line was found there. */
struct line_wish real_wish_of(const struct real *real, uint16_t sensor, uint32_t offset);

/* Asks for the lines of the group at its path. 0 or -errno, and the group has no lines then. */
int real_open_group(struct real *real, struct group *group, const uint32_t *offsets);

/* The chip does not answer: it has gone, and is looked for again. */
void real_lose_group(struct real *real, struct group *group);

/* Looks for chips that have gone and are due, or for all of them when something has changed. */
void real_retry_groups(struct real *real, bool all);

#endif
