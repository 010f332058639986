/* The sensor thread, and the functions that other threads call. */
#include "hw/hw.h"

#include "backend.h"
#include "filters.h"
#include "gpio.h"
#include "hw/regular_file.h"
#include "queue.h"
#include "recorder.h"
#include "rules/text.h"
#include "sim.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

enum { EDGES_AT_ONCE = 64 };

struct hw {
    struct backend backend;
    struct recorder *recorder; /* NULL: no recording */
    struct sensor_names names;
    pthread_t thread;
    bool running;
    int epoll_fd;
    int timer_fd; /* the filters' next deadline */
    int wake_fd;  /* there are requests for the thread */
    int facts_fd; /* facts wait */

    /* Used by the thread only. */
    struct filters filters;
    struct fact_list facts;

    pthread_mutex_t lock; /* of everything below */
    struct queue queue;
    struct filter_settings settings;
    bool apply_requested;
    bool zero_requested;
    bool silent[SENSOR_COUNT]; /* by hw_report_silent */
    bool stop_requested;
    uint64_t alive;
};

/*
 * The thread
 */

/* Returns the last fact for which the queue had no room, or NULL; it is still in the list. */
static const struct fact *push_facts(struct hw *hw)
{
    const struct fact *lost = NULL;

    pthread_mutex_lock(&hw->lock);
    size_t waiting = hw->queue.count;
    for (unsigned i = 0; i < hw->facts.count; i++) {
        const struct fact *fact = &hw->facts.facts[i];
        bool is_outdated = fact->kind == FACT_ROPE_AT && hw->zero_requested;
        if (!is_outdated && !queue_push(&hw->queue, fact)) {
            lost = fact;
        }
    }
    bool becomes_readable = waiting == 0 && hw->queue.count > 0;
    pthread_mutex_unlock(&hw->lock);
    /* Not under the lock: the thread that wakes up needs it at once. */
    if (becomes_readable) {
        eventfd_write(hw->facts_fd, 1);
    }
    return lost;
}

/* A sensor that fills the queue is faulty. Its HEALTH always fits into the queue. */
static void queue_facts(struct hw *hw)
{
    const struct fact *lost = push_facts(hw);

    hw->facts.count = 0;
    if (lost) {
        filters_fault(&hw->filters, lost->sensor, HEALTH_CHATTERING, lost->at_us, &hw->facts);
        push_facts(hw);
        hw->facts.count = 0;
    }
}

/* Returns false if the thread is to end. */
static bool handle_requests(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    bool apply = hw->apply_requested;
    bool zero = hw->zero_requested;
    bool stop = hw->stop_requested;
    bool silent[SENSOR_COUNT];
    struct filter_settings settings = hw->settings;
    hw->apply_requested = false;
    hw->zero_requested = false;
    memcpy(silent, hw->silent, sizeof silent);
    memset(hw->silent, 0, sizeof hw->silent);
    hw->alive++;
    pthread_mutex_unlock(&hw->lock);
    if (apply) {
        filters_apply(&hw->filters, &settings);
    }
    if (zero) {
        filters_zero_rope(&hw->filters, hw_now_us(hw), &hw->facts);
    }
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        if (silent[sensor]) {
            filters_fault(&hw->filters, sensor, HEALTH_SILENT, hw_now_us(hw), &hw->facts);
        }
    }
    return !stop;
}

static void read_status(struct hw *hw, uint64_t now_us)
{
    struct line_status status;

    while (hw->backend.status && hw->backend.status(hw->backend.self, &status)) {
        filters_line_status(&hw->filters, &status, now_us, &hw->facts);
        queue_facts(hw);
    }
}

/* Returns whether there may be more to read. */
static bool read_edges(struct hw *hw)
{
    struct edge edges[EDGES_AT_ONCE];
    /* Taken before the reading, so that all edges until then have been read at the tick. */
    uint64_t now_us = hw_now_us(hw);
    size_t count = hw->backend.read(hw->backend.self, edges, EDGES_AT_ONCE);

    edges_sort(edges, count);
    recorder_write(hw->recorder, edges, count);
    for (size_t i = 0; i < count; i++) {
        filters_edge(&hw->filters, &edges[i], &hw->facts);
        queue_facts(hw);
    }
    read_status(hw, now_us);
    if (count < EDGES_AT_ONCE) {
        filters_tick(&hw->filters, now_us, &hw->facts);
        queue_facts(hw);
    }
    return count == EDGES_AT_ONCE;
}

static void set_timer(struct hw *hw)
{
    uint64_t deadline_us = filters_next_deadline_us(&hw->filters);
    struct itimerspec timer = {0};

    if (deadline_us != NEVER_US) {
        uint64_t now_us = hw_now_us(hw);
        uint64_t wait_us = deadline_us > now_us ? deadline_us - now_us : 1;
        uint64_t at_us = monotonic_us() + wait_us;
        timer.it_value.tv_sec = (time_t)(at_us / 1000000);
        timer.it_value.tv_nsec = (long)(at_us % 1000000 * 1000);
    }
    timerfd_settime(hw->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

static void *run(void *context)
{
    struct hw *hw = context;
    bool more = false;

    set_timer(hw);
    while (true) {
        struct epoll_event events[3];
        eventfd_t count;

        epoll_wait(hw->epoll_fd, events, 3, more ? 0 : -1);
        eventfd_read(hw->wake_fd, &count);
        if (!handle_requests(hw)) {
            return NULL;
        }
        more = read_edges(hw);
        set_timer(hw);
    }
}

/*
 * Called by other threads
 */

int hw_fd(const struct hw *hw)
{
    return hw->facts_fd;
}

/* Keeps the descriptor readable while the queue is not empty. */
static void update_fd(struct hw *hw)
{
    eventfd_t count;

    if (hw->queue.count == 0) {
        eventfd_read(hw->facts_fd, &count);
    }
}

size_t hw_take(struct hw *hw, struct fact *facts, size_t max)
{
    pthread_mutex_lock(&hw->lock);
    size_t taken = queue_take(&hw->queue, facts, max);
    update_fd(hw);
    pthread_mutex_unlock(&hw->lock);
    return taken;
}

uint64_t hw_now_us(const struct hw *hw)
{
    return hw->backend.now_us ? hw->backend.now_us(hw->backend.self) : monotonic_us();
}

int hw_inject_edge(struct hw *hw, unsigned sensor, unsigned level)
{
    if (!hw->backend.inject) {
        return -ENOTSUP;
    }
    if (sensor >= SENSOR_COUNT || !hw->names.name[sensor][0] || level > 1) {
        return -EINVAL;
    }
    return hw->backend.inject(hw->backend.self, sensor, level);
}

void hw_zero_rope(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    queue_drop(&hw->queue, FACT_ROPE_AT);
    update_fd(hw);
    hw->zero_requested = true;
    pthread_mutex_unlock(&hw->lock);
    eventfd_write(hw->wake_fd, 1);
}

void hw_report_silent(struct hw *hw, unsigned sensor)
{
    if (sensor >= SENSOR_COUNT) {
        return;
    }
    pthread_mutex_lock(&hw->lock);
    hw->silent[sensor] = true;
    pthread_mutex_unlock(&hw->lock);
    eventfd_write(hw->wake_fd, 1);
}

void hw_apply(struct hw *hw, const struct filter_settings *settings)
{
    pthread_mutex_lock(&hw->lock);
    hw->settings = *settings;
    hw->apply_requested = true;
    pthread_mutex_unlock(&hw->lock);
    eventfd_write(hw->wake_fd, 1);
}

uint64_t hw_alive(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    uint64_t alive = hw->alive;
    pthread_mutex_unlock(&hw->lock);
    eventfd_write(hw->wake_fd, 1);
    return alive;
}

int hw_take_record_problem(struct hw *hw)
{
    return recorder_take_problem(hw->recorder);
}

/*
 * Opening and closing
 */

static int start_thread(struct hw *hw)
{
    sigset_t all;
    sigset_t before;

    /* The main thread handles all signals. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&hw->thread, NULL, run, hw);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        hw->running = true;
        pthread_setname_np(hw->thread, "sensors");
    }
    return -error;
}

/* A settings->problem that does nothing. */
static void ignore_problem(void *context, unsigned sensor, const char *message)
{
    (void)context;
    (void)sensor;
    (void)message;
}

static int report_file(const struct hw_settings *settings, const char *what, const char *path,
                       int error)
{
    char message[HW_PATH_SIZE + 64];
    struct text text = text_begin(message, sizeof message);

    text_add(&text, what);
    text_add(&text, path);
    text_add(&text, ": ");
    text_add(&text, regular_file_problem(error));
    if (error && settings->problem) {
        settings->problem(settings->problem_context, SENSOR_NONE, message);
    }
    return error;
}

/* Simulated pieces stand until they are moved; real ones may lie at the start. */
static void look_at_pieces(struct hw *hw, const struct line_config *lines)
{
    uint32_t pieces = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        pieces |= lines[SENSOR_TILT + piece].fitted ? bit(piece) : 0;
    }
    filters_look(&hw->filters, pieces, hw_now_us(hw));
}

static int open_backend(struct hw *hw, const struct hw_settings *settings)
{
    if (settings->backend == HW_BACKEND_GPIOD) {
        return gpio_open(&hw->backend, settings->chip, settings->lines, &hw->names,
                         settings->problem ? settings->problem : ignore_problem,
                         settings->problem_context);
    }
    return report_file(settings, "simulated sensors, socket ", settings->socket_path,
                       sim_open(&hw->backend, settings->socket_path, &settings->buttons));
}

static int open_descriptors(struct hw *hw)
{
    hw->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    hw->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    hw->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    hw->facts_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (hw->epoll_fd < 0 || hw->timer_fd < 0 || hw->wake_fd < 0 || hw->facts_fd < 0) {
        return -errno;
    }
    int awaited[] = {hw->backend.fd(hw->backend.self), hw->timer_fd, hw->wake_fd};
    for (size_t i = 0; i < sizeof awaited / sizeof awaited[0]; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        if (epoll_ctl(hw->epoll_fd, EPOLL_CTL_ADD, awaited[i], &event)) {
            return -errno;
        }
    }
    return 0;
}

static int open_parts(struct hw *hw, const struct hw_settings *settings)
{
    int error = 0;

    if (settings->record_path[0]) {
        error =
            report_file(settings, "[hw] record, ", settings->record_path,
                        recorder_open(&hw->recorder, settings->record_path, &settings->buttons));
    }
    if (!error) {
        error = open_backend(hw, settings);
    }
    if (!error && settings->backend == HW_BACKEND_GPIOD) {
        look_at_pieces(hw, settings->lines);
    }
    if (!error) {
        error = open_descriptors(hw);
    }
    return error ? error : start_thread(hw);
}

int hw_open(struct hw **hw, const struct hw_settings *settings)
{
    struct hw *opened = calloc(1, sizeof *opened);

    if (!opened) {
        return -ENOMEM;
    }
    opened->epoll_fd = opened->timer_fd = opened->wake_fd = opened->facts_fd = -1;
    opened->settings = settings->filters;
    sensor_names_init(&opened->names, &settings->buttons);
    filters_init(&opened->filters, &settings->filters);
    pthread_mutex_init(&opened->lock, NULL);
    int error = open_parts(opened, settings);
    if (error) {
        hw_close(opened);
        return error;
    }
    *hw = opened;
    return 0;
}

void hw_close(struct hw *hw)
{
    if (!hw) {
        return;
    }
    if (hw->running) {
        pthread_mutex_lock(&hw->lock);
        hw->stop_requested = true;
        pthread_mutex_unlock(&hw->lock);
        eventfd_write(hw->wake_fd, 1);
        pthread_join(hw->thread, NULL);
    }
    if (hw->backend.close) {
        hw->backend.close(hw->backend.self);
    }
    recorder_close(hw->recorder);
    close_fd(hw->epoll_fd);
    close_fd(hw->timer_fd);
    close_fd(hw->wake_fd);
    close_fd(hw->facts_fd);
    pthread_mutex_destroy(&hw->lock);
    free(hw);
}
