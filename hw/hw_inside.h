/* What hw.c and hw_open.c share; nobody else includes this. */
#ifndef HW_HW_INSIDE_H
#define HW_HW_INSIDE_H

#include "backend.h"
#include "filters.h"
#include "hw/hw.h"
#include "queue.h"
#include "recorder.h"

#include <pthread.h>

struct hw {
    struct backend backend;
    struct recorder *recorder; /* NULL: nothing is recorded */
    struct sensor_names names;
    pthread_t thread;
    bool running;
    int epoll_fd;
    int timer_fd; /* the filters' next deadline */
    int wake_fd;  /* the thread is wanted */
    int facts_fd; /* facts wait */

    /* The thread's own. */
    struct filters filters;
    struct fact_list facts;

    pthread_mutex_t lock; /* of everything below */
    struct queue queue;
    struct filter_settings settings;
    bool apply_wanted;
    bool zero_wanted;
    bool suspects[SENSOR_COUNT]; /* those that have missed something */
    bool stop_wanted;
    uint64_t alive;
};

/* hw.c: the thread; context is the struct hw. Ends when stop_wanted is set. */
void *hw_run(void *context);

#endif
