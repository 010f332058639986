#include "recorder.h"

#include "edge_line.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDER_EDGES_MAX = 4096 };

/* One side of the exchange: the sensor thread fills one while the other is written. */
struct page {
    struct edge edges[RECORDER_EDGES_MAX];
    size_t count;
    uint64_t lost;
};

struct recorder {
    FILE *file;
    struct sensor_names names;
    struct page writing; /* the writer's own */
    pthread_t thread;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t filled;
    struct page filling;
    bool closing;
};

static void write_page(struct recorder *recorder, const struct page *page)
{
    char line[EDGE_LINE_SIZE];

    for (size_t i = 0; i < page->count; i++) {
        size_t length = edge_line_write(&recorder->names, &page->edges[i], line);
        fwrite(line, 1, length, recorder->file);
    }
    if (page->lost) {
        fprintf(recorder->file, "# %" PRIu64 " edges lost\n", page->lost);
    }
    fflush(recorder->file);
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
        pthread_mutex_unlock(&recorder->lock);
        write_page(recorder, &recorder->writing);
        pthread_mutex_lock(&recorder->lock);
    }
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
}

int recorder_open(struct recorder **recorder, const char *path, const struct button_names *buttons)
{
    struct recorder *opened = calloc(1, sizeof *opened);

    if (!opened) {
        return -ENOMEM;
    }
    opened->file = fopen(path, "ae");
    if (!opened->file) {
        int error = -errno;
        free(opened);
        return error;
    }
    sensor_names_init(&opened->names, buttons);
    pthread_mutex_init(&opened->lock, NULL);
    pthread_cond_init(&opened->filled, NULL);
    int error = -pthread_create(&opened->thread, NULL, run, opened);
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
    struct page *page = &recorder->filling;
    size_t room = RECORDER_EDGES_MAX - page->count;
    size_t fits = count < room ? count : room;
    memcpy(page->edges + page->count, edges, fits * sizeof *edges);
    page->count += fits;
    page->lost += count - fits;
    pthread_cond_signal(&recorder->filled);
    pthread_mutex_unlock(&recorder->lock);
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
