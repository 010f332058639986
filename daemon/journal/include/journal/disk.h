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

enum disk_access {
    DISK_READ,   /* the file must exist */
    DISK_WRITE,  /* and read; the file must exist */
    DISK_CREATE, /* as DISK_WRITE, but created if missing */
};

typedef void disk_list_fn(void *context, const char *name, uint64_t size);

/*
 * All return 0 (or a count) or -errno. A file is a small number given by open. What was written is
 * safe after sync alone, and a name that was made, changed or removed after sync_names alone.
 */
struct disk {
    void *self;
    int (*open)(void *self, const char *name, enum disk_access access);
    void (*close)(void *self, int file);
    ssize_t (*read)(void *self, int file, uint64_t offset, void *data, size_t size);
    ssize_t (*write)(void *self, int file, uint64_t offset, const void *data, size_t size);
    int (*truncate)(void *self, int file, uint64_t size);
    int (*sync)(void *self, int file);
    int (*rename)(void *self, const char *from, const char *to); /* replaces to */
    int (*link)(void *self, const char *name, const char *also); /* -EEXIST if also exists */
    int (*remove)(void *self, const char *name);
    int (*sync_names)(void *self);
    int (*list)(void *self, disk_list_fn *visit, void *context); /* visit may use the disk */
};

/*
 * The real thing: a directory, which is created if missing (its parent is not). 0 or -errno; -EBUSY
 * when another process has it open, since two writers would ruin each other's game.
 */
int disk_open(struct disk *disk, const char *directory);
void disk_close(struct disk *disk);

/*
 * Reads a whole file, by its path, that may belong to anybody; -EFBIG if it is longer than
 * size_max, and then no more than that was read. The caller frees data.
 */
int disk_read_path(const char *path, size_t size_max, uint8_t **data, size_t *size);

/* The same with a file of a disk. */
int disk_read_file(const struct disk *disk, const char *name, size_t size_max, uint8_t **data,
                   size_t *size);

#endif
