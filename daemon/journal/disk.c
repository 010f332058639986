/* The disk as a directory of the file system. */
#include "journal/disk.h"

#include "hw/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE_FIRST = 16 << 10 };

struct directory {
    int fd;
};

static int directory_of(void *self)
{
    return ((struct directory *)self)->fd;
}

static int or_errno(int result)
{
    return result < 0 ? -errno : result;
}

static int open_file(void *self, const char *name, enum disk_access access)
{
    static const int flags[] = {
        [DISK_READ] = O_RDONLY,
        [DISK_WRITE] = O_RDWR,
        [DISK_CREATE] = O_RDWR | O_CREAT,
    };

    return regular_file_open(directory_of(self), name, flags[access] | O_NOFOLLOW);
}

static void close_file(void *self, int file)
{
    (void)self;
    close(file);
}

static ssize_t read_file(void *self, int file, uint64_t offset, void *data, size_t size)
{
    ssize_t count;

    (void)self;
    do {
        count = pread(file, data, size, (off_t)offset);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

static ssize_t write_file(void *self, int file, uint64_t offset, const void *data, size_t size)
{
    ssize_t count;

    (void)self;
    do {
        count = pwrite(file, data, size, (off_t)offset);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

static int truncate_file(void *self, int file, uint64_t size)
{
    (void)self;
    return or_errno(ftruncate(file, (off_t)size));
}

static int sync_file(void *self, int file)
{
    (void)self;
    return or_errno(fdatasync(file));
}

static int rename_file(void *self, const char *from, const char *to)
{
    return or_errno(renameat(directory_of(self), from, directory_of(self), to));
}

static int link_file(void *self, const char *name, const char *also)
{
    return or_errno(linkat(directory_of(self), name, directory_of(self), also, 0));
}

static int remove_file(void *self, const char *name)
{
    return or_errno(unlinkat(directory_of(self), name, 0));
}

static int sync_names(void *self)
{
    return or_errno(fsync(directory_of(self)));
}

static int list_files(void *self, disk_list_fn *visit, void *context)
{
    int fd = openat(directory_of(self), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    struct stat info;

    if (!stream) {
        int error = -errno;
        if (fd >= 0) {
            close(fd);
        }
        return error;
    }
    while ((entry = readdir(stream))) {
        if (fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode)) {
            visit(context, entry->d_name, (uint64_t)info.st_size);
        }
    }
    closedir(stream);
    return 0;
}

int disk_open(struct disk *disk, const char *directory)
{
    if (mkdir(directory, 0750) && errno != EEXIST) {
        return -errno;
    }
    struct directory *self = malloc(sizeof *self);
    if (!self) {
        return -ENOMEM;
    }
    self->fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* The lock goes with the descriptor, so also when the process is killed. */
    if (self->fd < 0 || flock(self->fd, LOCK_EX | LOCK_NB)) {
        int error = errno == EWOULDBLOCK ? -EBUSY : -errno;
        if (self->fd >= 0) {
            close(self->fd);
        }
        free(self);
        return error;
    }
    *disk = (struct disk){
        .self = self,
        .open = open_file,
        .close = close_file,
        .read = read_file,
        .write = write_file,
        .truncate = truncate_file,
        .sync = sync_file,
        .rename = rename_file,
        .link = link_file,
        .remove = remove_file,
        .sync_names = sync_names,
        .list = list_files,
    };
    return 0;
}

void disk_close(struct disk *disk)
{
    struct directory *self = disk->self;

    if (self) {
        close(self->fd);
        free(self);
        disk->self = NULL;
    }
}

/* Reads to the end of the file, whose size may grow meanwhile or not be known at all. */
static int read_all(const struct disk *disk, int file, size_t size_max, uint8_t **data,
                    size_t *size)
{
    uint8_t *bytes = NULL;
    size_t capacity = 0;
    size_t length = 0;
    ssize_t count;

    do {
        if (length > size_max) {
            free(bytes);
            return -EFBIG;
        }
        if (length == capacity) {
            capacity = capacity ? 2 * capacity : READ_SIZE_FIRST;
            capacity = capacity < size_max ? capacity : size_max + 1;
            uint8_t *more = realloc(bytes, capacity);
            if (!more) {
                free(bytes);
                return -ENOMEM;
            }
            bytes = more;
        }
        count = disk->read(disk->self, file, length, bytes + length, capacity - length);
        if (count < 0) {
            free(bytes);
            return (int)count;
        }
        length += (size_t)count;
    } while (count > 0);
    *data = bytes;
    *size = length;
    return 0;
}

int disk_read_file(const struct disk *disk, const char *name, size_t size_max, uint8_t **data,
                   size_t *size)
{
    int file = disk->open(disk->self, name, DISK_READ);

    if (file < 0) {
        return file;
    }
    int error = read_all(disk, file, size_max, data, size);
    disk->close(disk->self, file);
    return error;
}

int disk_read_path(const char *path, size_t size_max, uint8_t **data, size_t *size)
{
    const struct disk anywhere = {.read = read_file};
    int fd = regular_file_open(AT_FDCWD, path, O_RDONLY);

    if (fd < 0) {
        return fd;
    }
    int error = read_all(&anywhere, fd, size_max, data, size);
    close(fd);
    return error;
}
