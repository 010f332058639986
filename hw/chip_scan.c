#include "chip.h"

#include "rules/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static bool is_chip(const struct dirent *entry)
{
    return strncmp(entry->d_name, "gpiochip", 8) == 0 && entry->d_type != DT_LNK;
}

int chip_scan(struct chip_list *list)
{
    DIR *folder = opendir("/dev");
    const struct dirent *entry;
    int error = folder ? -ENOENT : -errno;

    list->count = 0;
    while (folder && list->count < CHIPS_MAX && (entry = readdir(folder))) {
        char path[CHIP_PATH_SIZE];
        struct text text = text_begin(path, sizeof path);

        if (!is_chip(entry)) {
            continue;
        }
        text_add(&text, "/dev/");
        text_add(&text, entry->d_name);
        int failed = chip_describe(path, &list->chips[list->count]);
        if (failed) {
            error = failed;
        } else {
            list->count++;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return list->count ? 0 : error;
}

void chip_follow_link(const char *spelling, char path[LINE_TEXT_SIZE])
{
    char joined[PATH_MAX];
    char followed[PATH_MAX];
    struct text text = text_begin(joined, sizeof joined);
    struct text result = text_begin(path, LINE_TEXT_SIZE);

    text_add(&text, spelling[0] == '/' ? "" : "/dev/");
    text_add(&text, spelling);
    bool is_link = spelling[0] && realpath(joined, followed) && strcmp(joined, followed) != 0 &&
                   strlen(followed) < LINE_TEXT_SIZE;
    text_add(&result, is_link ? followed : spelling);
}

/* udev gives a new device to its group a moment later, which is a change of attributes. */
int chip_watch_open(void)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

    if (fd >= 0 && inotify_add_watch(fd, "/dev", IN_CREATE | IN_DELETE | IN_ATTRIB) >= 0) {
        return fd;
    }
    int error = -errno;
    if (fd >= 0) {
        close(fd);
    }
    return error;
}

void chip_watch_read(int fd)
{
    char events[4096];

    while (read(fd, events, sizeof events) > 0) {
    }
}
