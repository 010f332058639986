#include "recorder.h"

#include "edge_line.h"
#include "hw/regular_file.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDER_EDGES_MAX = 4096, BLOCK_SIZE = 4096 };

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
    int fd;
    uint64_t size; /* of the file */
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

/* Appends whole lines. On an error removes the part of them that was written; -errno. */
static int append(struct recorder *recorder, const char *lines, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t written = write(recorder->fd, lines + done, length - done);
        if (written < 0 && errno != EINTR) {
            int error = -errno;
            (void)!ftruncate(recorder->fd, (off_t)recorder->size);
            return error;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    recorder->size += length;
    return 0;
}

/* 0 or -errno; -EFBIG: the file has reached its limit, and the remaining edges are omitted. */
static int write_edges(struct recorder *recorder, const struct page *page)
{
    char block[BLOCK_SIZE];
    size_t length = 0;
    int error = 0;

    for (size_t i = 0; i < page->count && !error; i++) {
        size_t added = edge_line_write(&recorder->names, &page->edges[i], block + length);
        if (recorder->size + length + added > RECORDER_SIZE_MAX) {
            error = append(recorder, block, length);
            return error ? error : -EFBIG;
        }
        length += added;
        if (length > BLOCK_SIZE - EDGE_LINE_SIZE) {
            error = append(recorder, block, length);
            length = 0;
        }
    }
    return error ? error : append(recorder, block, length);
}

static void write_page(struct recorder *recorder, const struct page *page)
{
    static const char full[] = "# the file has reached its limit, recording has stopped\n";
    int error = write_edges(recorder, page);

    if (!error && page->lost) {
        char line[EDGE_LINE_SIZE];
        int length = snprintf(line, sizeof line, "# %" PRIu64 " edges lost\n", page->lost);
        error = append(recorder, line, (size_t)length);
    } else if (error == -EFBIG) {
        append(recorder, full, sizeof full - 1);
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
    struct stat info;

    recorder->fd = regular_file_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT);
    if (recorder->fd < 0) {
        return recorder->fd;
    }
    if (fstat(recorder->fd, &info)) {
        int error = -errno;
        close(recorder->fd);
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
        close(opened->fd);
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
    close(recorder->fd);
    free(recorder);
}
