#include "recorder.h"

#include "edge_line.h"
#include "hw/regular_file.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDER_EDGES_MAX = 4096 };

/* The sensor thread fills one page while the other one is written. */
struct page {
    struct edge edges[RECORDER_EDGES_MAX];
    size_t count;
    uint64_t lost;
};

struct recorder {
    struct sensor_names names;
    pthread_t thread;

    /* Used by the writing thread only. */
    FILE *file;
    uint64_t size; /* of what is in the file */
    struct page writing;

    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t filled;
    struct page filling;
    bool closing;
    bool stopped;
    int problem; /* -errno, until it is taken */
};

static void stop(struct recorder *recorder, int problem)
{
    pthread_mutex_lock(&recorder->lock);
    recorder->stopped = true;
    recorder->problem = problem;
    pthread_mutex_unlock(&recorder->lock);
}

/* 0 or -errno; -EFBIG: the remaining edges are omitted. */
static int write_edges(struct recorder *recorder, const struct page *page)
{
    char line[EDGE_LINE_SIZE];
    uint64_t size = recorder->size;
    size_t count = 0;

    for (; count < page->count; count++) {
        size_t length = edge_line_write(&recorder->names, &page->edges[count], line);
        if (size + length > RECORDER_SIZE_MAX) {
            break;
        }
        size += fwrite(line, 1, length, recorder->file);
    }
    if (page->lost) {
        fprintf(recorder->file, "# %" PRIu64 " edges lost\n", page->lost);
    }
    if (count < page->count) {
        fprintf(recorder->file, "# the file has reached its limit, recording has stopped\n");
    }
    if (fflush(recorder->file) || ferror(recorder->file)) {
        return errno ? -errno : -EIO;
    }
    recorder->size = (uint64_t)ftello(recorder->file);
    return count < page->count ? -EFBIG : 0;
}

static void write_page(struct recorder *recorder, const struct page *page)
{
    errno = 0;
    int error = write_edges(recorder, page);

    if (error && error != -EFBIG && ftruncate(fileno(recorder->file), (off_t)recorder->size)) {
        errno = 0; /* the file then ends with half a line; the first error is the one to report */
    }
    if (error) {
        stop(recorder, error);
    }
}

static void copy_page(struct page *to, const struct page *from)
{
    memcpy(to->edges, from->edges, from->count * sizeof from->edges[0]);
    to->count = from->count;
    to->lost = from->lost;
}

static void *run(void *context)
{
    struct recorder *recorder = context;
    bool closing = false;

    pthread_mutex_lock(&recorder->lock);
    while (!closing) {
        while (recorder->filling.count == 0 && !recorder->closing) {
            pthread_cond_wait(&recorder->filled, &recorder->lock);
        }
        closing = recorder->closing;
        copy_page(&recorder->writing, &recorder->filling);
        recorder->filling.count = 0;
        recorder->filling.lost = 0;
        bool stopped = recorder->stopped;
        pthread_mutex_unlock(&recorder->lock);
        if (!stopped) {
            write_page(recorder, &recorder->writing);
        }
        pthread_mutex_lock(&recorder->lock);
    }
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
}

static int open_file(struct recorder *recorder, const char *path)
{
    int fd = regular_file_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT);
    struct stat info;

    if (fd < 0) {
        return fd;
    }
    recorder->file = fstat(fd, &info) ? NULL : fdopen(fd, "a");
    if (!recorder->file) {
        int error = -errno;
        close(fd);
        return error;
    }
    recorder->size = (uint64_t)info.st_size;
    return 0;
}

int recorder_open(struct recorder **recorder, const char *path, const struct button_names *buttons)
{
    struct recorder *opened = calloc(1, sizeof *opened);

    if (!opened) {
        return -ENOMEM;
    }
    int error = open_file(opened, path);
    if (error) {
        free(opened);
        return error;
    }
    sensor_names_init(&opened->names, buttons);
    pthread_mutex_init(&opened->lock, NULL);
    pthread_cond_init(&opened->filled, NULL);
    error = -pthread_create(&opened->thread, NULL, run, opened);
    if (error) {
        fclose(opened->file);
        free(opened);
        return error;
    }
    *recorder = opened;
    return 0;
}

void recorder_write(struct recorder *recorder, const struct edge *edges, size_t count)
{
    if (!recorder || count == 0) {
        return;
    }
    pthread_mutex_lock(&recorder->lock);
    if (recorder->stopped) {
        pthread_mutex_unlock(&recorder->lock);
        return;
    }
    struct page *page = &recorder->filling;
    size_t room = RECORDER_EDGES_MAX - page->count;
    size_t fits = count < room ? count : room;
    memcpy(page->edges + page->count, edges, fits * sizeof *edges);
    page->count += fits;
    page->lost += count - fits;
    pthread_cond_signal(&recorder->filled);
    pthread_mutex_unlock(&recorder->lock);
}

int recorder_take_problem(struct recorder *recorder)
{
    if (!recorder) {
        return 0;
    }
    pthread_mutex_lock(&recorder->lock);
    int problem = recorder->problem;
    recorder->problem = 0;
    pthread_mutex_unlock(&recorder->lock);
    return problem;
}

void recorder_close(struct recorder *recorder)
{
    if (!recorder) {
        return;
    }
    pthread_mutex_lock(&recorder->lock);
    recorder->closing = true;
    pthread_cond_signal(&recorder->filled);
    pthread_mutex_unlock(&recorder->lock);
    pthread_join(recorder->thread, NULL);
    pthread_cond_destroy(&recorder->filled);
    pthread_mutex_destroy(&recorder->lock);
    fclose(recorder->file);
    free(recorder);
}
