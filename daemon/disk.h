/*
 * The disk as the journal sees it: files by name in one directory. A struct of functions, so that
 * tests can fill it, tear it and cut its power.
 */
#ifndef DAEMON_DISK_H
#define DAEMON_DISK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { DISK_NAME_SIZE = 128 };

typedef void disk_list_fn(void *context, const char *name, uint64_t size);

/* All return 0 (or a count) or -errno. A file is a small number given by open. */
struct disk {
    void *self;
    int (*open)(void *self, const char *name); /* for reading and writing, created if missing */
    void (*close)(void *self, int file);
    ssize_t (*read)(void *self, int file, uint64_t offset, void *data, size_t size);
    ssize_t (*write)(void *self, int file, uint64_t offset, const void *data, size_t size);
    int (*truncate)(void *self, int file, uint64_t size);
    int (*sync)(void *self, int file);
    int (*rename)(void *self, const char *from, const char *to);
    int (*remove)(void *self, const char *name);
    int (*sync_names)(void *self); /* makes open, rename and remove last */
    int (*list)(void *self, disk_list_fn *visit, void *context);
};

/* The real thing: a directory, which is created if missing. 0 or -errno. */
int disk_open(struct disk *disk, const char *directory);
void disk_close(struct disk *disk);

#endif
