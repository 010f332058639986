/*
 * Opens files that users name. Only regular files are accepted: opening a FIFO would block, and a
 * device may never end.
 */
#ifndef HW_REGULAR_FILE_H
#define HW_REGULAR_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor, or -errno: -EISDIR for a directory, -EMEDIUMTYPE for other types. */
static inline int regular_file_open(int directory, const char *path, int flags)
{
    int fd = openat(directory, path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0640);
    struct stat info;

    if (fd < 0) {
        return errno == ENXIO ? -EMEDIUMTYPE : -errno; /* a FIFO without a reader, a socket */
    }
    int error = fstat(fd, &info) ? -errno : S_ISREG(info.st_mode) ? 0 : -EMEDIUMTYPE;
    if (error) {
        error = S_ISDIR(info.st_mode) ? -EISDIR : error;
        close(fd);
        return error;
    }
    return fd;
}

/* The file as a stream for reading, or NULL and -errno in *error. */
static inline FILE *regular_file_read(const char *path, int *error)
{
    int fd = regular_file_open(AT_FDCWD, path, O_RDONLY);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

    *error = file ? 0 : fd < 0 ? fd : -errno;
    if (fd >= 0 && !file) {
        close(fd);
    }
    return file;
}

static inline const char *regular_file_problem(int error)
{
    return error == -EMEDIUMTYPE ? "not a regular file" : strerror(-error);
}

#endif
