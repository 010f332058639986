#include "daemon/inbox.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* One piece of news with everything it points to behind it. */
struct letter {
    struct bus_news news; /* first, so that the news is the letter */
    struct letter *next;
    char contents[];
};

struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t has_room;
    struct letter *first;
    struct letter *last;
    unsigned count;
    unsigned capacity;
    bool shut;
    int fd;
};

int inbox_open(struct inbox **opened, unsigned capacity)
{
    struct inbox *inbox = calloc(1, sizeof *inbox);

    if (!inbox) {
        return -ENOMEM;
    }
    inbox->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (inbox->fd < 0) {
        int error = -errno;
        free(inbox);
        return error;
    }
    inbox->capacity = capacity;
    pthread_mutex_init(&inbox->lock, NULL);
    pthread_cond_init(&inbox->has_room, NULL);
    *opened = inbox;
    return 0;
}

void inbox_close(struct inbox *inbox)
{
    if (!inbox) {
        return;
    }
    for (struct bus_news *news = inbox_take(inbox); news; news = inbox_take(inbox)) {
        inbox_release(news);
    }
    close(inbox->fd);
    pthread_cond_destroy(&inbox->has_room);
    pthread_mutex_destroy(&inbox->lock);
    free(inbox);
}

int inbox_fd(const struct inbox *inbox)
{
    return inbox->fd;
}

/* Copies size bytes and an end behind them to *at, and moves it on. NULL stays NULL. */
static char *copy_to(char **at, const void *data, size_t size)
{
    char *copy = *at;

    if (!data) {
        return NULL;
    }
    memcpy(copy, data, size);
    copy[size] = '\0';
    *at += size + 1;
    return copy;
}

static size_t length_of(const char *string)
{
    return string ? strlen(string) : 0;
}

static struct letter *write_letter(const struct bus_news *news)
{
    enum { ENDS = 5 };
    size_t size = length_of(news->reason) + length_of(news->topic) + news->size +
                  length_of(news->response_topic) + news->correlation_size + ENDS;
    struct letter *letter = calloc(1, sizeof *letter + size);

    if (letter) {
        char *at = letter->contents;
        letter->news = *news;
        letter->news.reason = copy_to(&at, news->reason, length_of(news->reason));
        letter->news.topic = copy_to(&at, news->topic, length_of(news->topic));
        letter->news.payload = copy_to(&at, news->payload, news->size);
        letter->news.response_topic =
            copy_to(&at, news->response_topic, length_of(news->response_topic));
        letter->news.correlation = copy_to(&at, news->correlation, news->correlation_size);
    }
    return letter;
}

void inbox_put(struct inbox *inbox, const struct bus_news *news)
{
    struct letter *letter = write_letter(news);
    uint64_t one = 1;

    if (!letter) {
        return; /* out of memory: as if the network had lost it; the next connect mends it */
    }
    pthread_mutex_lock(&inbox->lock);
    while (inbox->count >= inbox->capacity && !inbox->shut) {
        pthread_cond_wait(&inbox->has_room, &inbox->lock);
    }
    if (inbox->shut) {
        pthread_mutex_unlock(&inbox->lock);
        free(letter);
        return;
    }
    if (inbox->last) {
        inbox->last->next = letter;
    } else {
        inbox->first = letter;
    }
    inbox->last = letter;
    inbox->count++;
    pthread_mutex_unlock(&inbox->lock);
    (void)!write(inbox->fd, &one, sizeof one);
}

struct bus_news *inbox_take(struct inbox *inbox)
{
    uint64_t unused;

    pthread_mutex_lock(&inbox->lock);
    struct letter *letter = inbox->first;
    if (letter) {
        inbox->first = letter->next;
        inbox->last = inbox->first ? inbox->last : NULL;
        inbox->count--;
        pthread_cond_signal(&inbox->has_room);
    }
    if (!inbox->first) {
        (void)!read(inbox->fd, &unused, sizeof unused);
    }
    pthread_mutex_unlock(&inbox->lock);
    return letter ? &letter->news : NULL;
}

void inbox_release(struct bus_news *news)
{
    free(news);
}

void inbox_shut(struct inbox *inbox)
{
    pthread_mutex_lock(&inbox->lock);
    inbox->shut = true;
    pthread_cond_broadcast(&inbox->has_room);
    pthread_mutex_unlock(&inbox->lock);
}
