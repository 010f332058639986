/*
 * The GPIO chips of this machine and their lines. chip_scan.c looks into /dev, gpiod_v1.c or
 * gpiod_v2.c calls libgpiod, of which there are two APIs; tests link chips in memory instead.
 */
#ifndef HW_CHIP_H
#define HW_CHIP_H

#include "hw/settings.h"
#include "rules/text.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    CHIPS_MAX = 32,
    CHIP_LINES_MAX = 64, /* requested together */
    CHIP_PATH_SIZE = 64,
    CHIP_NAME_SIZE = 32, /* also of labels, lines and their consumers: the kernel's limit */
};

struct chip_line {
    char name[CHIP_NAME_SIZE];     /* "": it has none */
    char consumer[CHIP_NAME_SIZE]; /* the program that uses it, "" if unknown */
    bool used;
};

struct chip_info {
    char path[CHIP_PATH_SIZE];
    char name[CHIP_NAME_SIZE];
    char label[CHIP_NAME_SIZE];
    struct chip_line *lines; /* allocated; chip_list_clear frees it */
    unsigned line_count;
};

/* Zeroed: no chips. */
struct chip_list {
    struct chip_info chips[CHIPS_MAX];
    unsigned count;
};

/* Finds every chip that can be opened. 0, or -errno when there is none. */
int chip_scan(struct chip_list *list);

static inline void chip_list_clear(struct chip_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        free(list->chips[i].lines);
    }
    list->count = 0;
}

/*
 * Resolves a chip that is given by a symbolic link: `gpiochip4` on a Raspberry Pi 5, or a path made
 * by udev. Copies the spelling if it is not a link.
 */
void chip_follow_link(const char *spelling, char path[LINE_TEXT_SIZE]);

/* A descriptor that is readable when a chip may have come or gone, or -errno. */
int chip_watch_open(void);

/* Makes the descriptor wait for the next change. */
void chip_watch_read(int fd);

/* Describes the chip at this path. 0 or -errno. */
int chip_describe(const char *path, struct chip_info *info);

/* Copies a name, cut off at the size; NULL is "". */
static inline void chip_name_copy(char target[CHIP_NAME_SIZE], const char *source)
{
    struct text text = text_begin(target, CHIP_NAME_SIZE);

    text_add(&text, source ? source : "");
}

/*
 * Lines of one chip that are requested together
 */

struct line_request {
    uint32_t offset;
    bool active_low;
    uint8_t bias; /* enum line_bias */
};

/* An edge as the kernel reports it; see line_tracker.h for what may be wrong with it. */
struct line_event {
    uint64_t at_us;
    unsigned index; /* in the requests */
    bool level;
    bool after_loss; /* the kernel reports that it dropped events of this line just before */
};

struct chip_lines;

/* Requests the lines as inputs with events. 0 or -errno. */
int chip_lines_open(struct chip_lines **lines, const char *path,
                    const struct line_request *requests, unsigned count);

/* Readable when there are events, or when the chip has gone. */
int chip_lines_fd(const struct chip_lines *lines);

/*
 * Takes events without waiting, those of each line in order. Returns their number, or -errno when
 * the chip has gone. Sets lost, and never clears it, when events of any of the lines may have been
 * dropped.
 */
int chip_lines_read(struct chip_lines *lines, struct line_event *events, size_t max, bool *lost);

/* 0 or 1, or -errno when the chip has gone. */
int chip_lines_level(struct chip_lines *lines, unsigned index);

/* Accepts NULL. */
void chip_lines_close(struct chip_lines *lines);

#endif
