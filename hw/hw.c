/*
 * The sensor thread, and the functions that other threads call.
 *
 * Edges are read by the caller while it waits for nothing else (hw_wait), because then no other
 * thread has to be woken up for them, and by the thread at all other times.
 */
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

enum {
    EDGES_AT_ONCE = 64,
    EDGES_PUT_MAX = 2048, /* more than a few radio nodes send at once */
    TIMER_TOLERANCE_US = 100,
};

struct hw {
    struct backend backend;
    struct recorder *recorder; /* NULL: no recording */
    struct sensor_names names;
    pthread_t thread;
    bool running;
    int epoll_fd;    /* what the thread waits for; edges_fd only while the caller does not */
    int edges_fd;    /* of the backend */
    int timer_fd;    /* the filters' next deadline */
    int wake_fd;     /* there are requests for the thread */
    int facts_fd;    /* facts wait */
    bool is_waiting; /* of the caller */

    pthread_mutex_t read_lock; /* of backend.read and status, and of these: */
    struct filters filters;
    struct fact_list facts;
    uint64_t timer_us;          /* when timer_fd expires */
    bool has_more;              /* to read at once */
    bool ignored[SENSOR_COUNT]; /* edges of the backend: is_radio, when requests were handled */

    pthread_mutex_t lock; /* of everything below */
    struct queue queue;
    bool is_readable; /* facts_fd */
    struct filter_settings settings;
    bool has_requests; /* one of these: */
    bool apply_requested;
    bool zero_requested;
    bool radio_requested;
    bool is_radio[SENSOR_COUNT];
    struct edge put[EDGES_PUT_MAX]; /* by hw_put */
    size_t put_count;
    bool silent[SENSOR_COUNT]; /* by hw_report_silent */
    bool stop_requested;
    uint64_t alive;
};

/*
 * Reading edges, with read_lock
 */

/* Returns the last fact for which the queue had no room, or NULL; it is still in the list. */
static const struct fact *push_facts(struct hw *hw)
{
    const struct fact *lost = NULL;

    pthread_mutex_lock(&hw->lock);
    for (unsigned i = 0; i < hw->facts.count; i++) {
        const struct fact *fact = &hw->facts.facts[i];
        bool is_outdated = fact->kind == FACT_ROPE_AT && hw->zero_requested;
        if (!is_outdated && !queue_push(&hw->queue, fact)) {
            lost = fact;
        }
    }
    pthread_mutex_unlock(&hw->lock);
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

static void handle_requests(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    if (!hw->has_requests) {
        pthread_mutex_unlock(&hw->lock);
        return;
    }
    hw->has_requests = false;
    bool apply = hw->apply_requested;
    bool zero = hw->zero_requested;
    bool radio = hw->radio_requested;
    bool silent[SENSOR_COUNT];
    struct filter_settings settings = hw->settings;
    hw->apply_requested = false;
    hw->zero_requested = false;
    hw->radio_requested = false;
    memcpy(hw->ignored, hw->is_radio, sizeof hw->ignored);
    memcpy(silent, hw->silent, sizeof silent);
    memset(hw->silent, 0, sizeof hw->silent);
    pthread_mutex_unlock(&hw->lock);
    if (radio && hw->backend.set_radio) {
        hw->backend.set_radio(hw->backend.self, hw->ignored);
    }
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
    queue_facts(hw);
}

static size_t read_backend(struct hw *hw, struct edge *edges)
{
    size_t count = hw->backend.read(hw->backend.self, edges, EDGES_AT_ONCE);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (!hw->ignored[edges[i].sensor]) {
            edges[kept++] = edges[i];
        }
    }
    hw->has_more = count == EDGES_AT_ONCE;
    return kept;
}

/* Edges of sensors over MQTT. */
static size_t read_radio(struct hw *hw, struct edge *edges)
{
    pthread_mutex_lock(&hw->lock);
    size_t count = hw->put_count < EDGES_AT_ONCE ? hw->put_count : EDGES_AT_ONCE;
    memcpy(edges, hw->put, count * sizeof *edges);
    hw->put_count -= count;
    memmove(hw->put, hw->put + count, hw->put_count * sizeof *edges);
    hw->has_more = hw->has_more || hw->put_count > 0;
    pthread_mutex_unlock(&hw->lock);
    return count;
}

static void read_status(struct hw *hw, uint64_t now_us)
{
    struct line_status status;

    while (hw->backend.status && hw->backend.status(hw->backend.self, &status)) {
        if (hw->ignored[status.sensor]) {
            continue;
        }
        filters_line_status(&hw->filters, &status, now_us, &hw->facts);
        queue_facts(hw);
    }
}

/* Returns whether there may be more to read. */
static bool read_edges(struct hw *hw)
{
    struct edge edges[2 * EDGES_AT_ONCE];
    /* Taken before the reading, so that all edges until then have been read at the tick. */
    uint64_t now_us = hw_now_us(hw);
    size_t count = read_backend(hw, edges);

    count += read_radio(hw, edges + count);
    edges_sort(edges, count);
    recorder_write(hw->recorder, edges, count);
    for (size_t i = 0; i < count; i++) {
        filters_edge(&hw->filters, &edges[i], &hw->facts);
        queue_facts(hw);
    }
    read_status(hw, now_us);
    if (!hw->has_more) {
        filters_tick(&hw->filters, now_us, &hw->facts);
        queue_facts(hw);
    }
    return hw->has_more;
}

/* A timer that expires too early is left as it is, because each edge moves the deadline. */
static void set_timer(struct hw *hw)
{
    uint64_t deadline_us = filters_next_deadline_us(&hw->filters);
    uint64_t clock_us = monotonic_us();
    uint64_t at_us = NEVER_US;
    struct itimerspec timer = {0};

    if (deadline_us != NEVER_US) {
        uint64_t now_us = hw_now_us(hw);
        at_us = clock_us + (deadline_us > now_us ? deadline_us - now_us : 1);
        timer.it_value.tv_sec = (time_t)(at_us / 1000000);
        timer.it_value.tv_nsec = (long)(at_us % 1000000 * 1000);
    }
    bool has_expired = hw->timer_us <= clock_us;
    bool is_late = hw->timer_us > at_us && hw->timer_us - at_us > TIMER_TOLERANCE_US;
    if (has_expired || is_late) {
        timerfd_settime(hw->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
        hw->timer_us = at_us;
    }
}

/* Returns whether there may be more to read. */
static bool read_all(struct hw *hw)
{
    handle_requests(hw);
    bool more = read_edges(hw);
    set_timer(hw);
    return more;
}

static void finish(struct hw *hw)
{
    if (hw->backend.finish) {
        hw->backend.finish(hw->backend.self);
    }
}

/*
 * The thread
 */

/* Keeps facts_fd readable while the queue is not empty. */
static void update_fd(struct hw *hw)
{
    eventfd_t count;

    pthread_mutex_lock(&hw->lock);
    bool was_readable = hw->is_readable;
    bool is_readable = hw->queue.count > 0;
    hw->is_readable = is_readable;
    if (was_readable && !is_readable) {
        eventfd_read(hw->facts_fd, &count);
    } else if (is_readable && !was_readable) {
        eventfd_write(hw->facts_fd, 1);
    }
    pthread_mutex_unlock(&hw->lock);
}

/* Counts that the thread has woken up. Returns whether it is to end. */
static bool is_stopped(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    hw->alive++;
    bool is_stopped = hw->stop_requested;
    pthread_mutex_unlock(&hw->lock);
    return is_stopped;
}

static void *run(void *context)
{
    struct hw *hw = context;

    while (!is_stopped(hw)) {
        struct epoll_event events[3];
        eventfd_t count;

        pthread_mutex_lock(&hw->read_lock);
        bool more = read_all(hw);
        finish(hw);
        pthread_mutex_unlock(&hw->read_lock);
        update_fd(hw);
        epoll_wait(hw->epoll_fd, events, 3, more ? 0 : -1);
        eventfd_read(hw->wake_fd, &count);
    }
    return NULL;
}

/*
 * Called by other threads
 */

int hw_fd(const struct hw *hw)
{
    return hw->facts_fd;
}

size_t hw_take(struct hw *hw, struct fact *facts, size_t max)
{
    pthread_mutex_lock(&hw->lock);
    size_t taken = queue_take(&hw->queue, facts, max);
    pthread_mutex_unlock(&hw->lock);
    update_fd(hw);
    return taken;
}

int hw_edges_fd(const struct hw *hw)
{
    return hw->edges_fd;
}

/* The change reports what is readable already, so no edge is between the two readers. */
static void set_waiting(struct hw *hw, bool is_waiting)
{
    struct epoll_event event = {.events = is_waiting ? 0 : EPOLLIN};

    if (is_waiting != hw->is_waiting &&
        epoll_ctl(hw->epoll_fd, EPOLL_CTL_MOD, hw->edges_fd, &event) == 0) {
        hw->is_waiting = is_waiting;
    }
}

void hw_wait(struct hw *hw)
{
    update_fd(hw);
    set_waiting(hw, true);
}

void hw_work(struct hw *hw)
{
    set_waiting(hw, false);
}

/* The thread reads what is left, or what it reads just now. */
size_t hw_read(struct hw *hw, struct fact *facts, size_t max)
{
    if (pthread_mutex_trylock(&hw->read_lock) == 0) {
        read_all(hw);
        pthread_mutex_unlock(&hw->read_lock);
    }
    hw_work(hw);
    return hw_take(hw, facts, max);
}

void hw_finish(struct hw *hw)
{
    if (pthread_mutex_trylock(&hw->read_lock) == 0) {
        finish(hw);
        pthread_mutex_unlock(&hw->read_lock);
    }
}

uint64_t hw_now_us(const struct hw *hw)
{
    return hw->backend.now_us ? hw->backend.now_us(hw->backend.self) : monotonic_us();
}

static bool is_radio(struct hw *hw, unsigned sensor)
{
    pthread_mutex_lock(&hw->lock);
    bool is_one = hw->is_radio[sensor];
    pthread_mutex_unlock(&hw->lock);
    return is_one;
}

int hw_inject_edge(struct hw *hw, unsigned sensor, unsigned level)
{
    if (!hw->backend.inject) {
        return -ENOTSUP;
    }
    if (sensor >= SENSOR_COUNT || !hw->names.name[sensor][0] || level > 1) {
        return -EINVAL;
    }
    if (is_radio(hw, sensor)) {
        return -EBUSY;
    }
    return hw->backend.inject(hw->backend.self, sensor, level);
}

/* Handles requests now, or wakes the thread for them if it reads just now. */
static void request(struct hw *hw)
{
    if (pthread_mutex_trylock(&hw->read_lock) == 0) {
        handle_requests(hw);
        set_timer(hw);
        pthread_mutex_unlock(&hw->read_lock);
        update_fd(hw);
    } else {
        eventfd_write(hw->wake_fd, 1);
    }
}

void hw_set_radio(struct hw *hw, const bool is_radio[SENSOR_COUNT])
{
    pthread_mutex_lock(&hw->lock);
    memcpy(hw->is_radio, is_radio, sizeof hw->is_radio);
    hw->radio_requested = hw->has_requests = true;
    pthread_mutex_unlock(&hw->lock);
    request(hw);
}

int hw_put(struct hw *hw, const struct edge *edges, size_t count)
{
    bool has_more = true;

    pthread_mutex_lock(&hw->lock);
    bool fits = count <= EDGES_PUT_MAX - hw->put_count;
    if (fits) {
        memcpy(hw->put + hw->put_count, edges, count * sizeof *edges);
        hw->put_count += count;
    }
    pthread_mutex_unlock(&hw->lock);
    if (pthread_mutex_trylock(&hw->read_lock) == 0) {
        has_more = read_all(hw);
        finish(hw);
        pthread_mutex_unlock(&hw->read_lock);
    }
    if (has_more) {
        eventfd_write(hw->wake_fd, 1);
    }
    return fits ? 0 : -EAGAIN;
}

void hw_zero_rope(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    queue_drop(&hw->queue, FACT_ROPE_AT);
    hw->zero_requested = hw->has_requests = true;
    pthread_mutex_unlock(&hw->lock);
    update_fd(hw);
    request(hw);
}

void hw_report_silent(struct hw *hw, unsigned sensor)
{
    if (sensor >= SENSOR_COUNT) {
        return;
    }
    pthread_mutex_lock(&hw->lock);
    hw->silent[sensor] = hw->has_requests = true;
    pthread_mutex_unlock(&hw->lock);
    request(hw);
}

void hw_apply(struct hw *hw, const struct filter_settings *settings)
{
    pthread_mutex_lock(&hw->lock);
    hw->settings = *settings;
    hw->apply_requested = hw->has_requests = true;
    pthread_mutex_unlock(&hw->lock);
    request(hw);
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
        const struct line_config *line = &lines[SENSOR_TILT + piece];
        pieces |= line->fitted && !line_is_radio(line) ? bit(piece) : 0;
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
    hw->edges_fd = hw->backend.fd(hw->backend.self);
    hw->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    hw->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    hw->facts_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (hw->epoll_fd < 0 || hw->timer_fd < 0 || hw->wake_fd < 0 || hw->facts_fd < 0) {
        return -errno;
    }
    int awaited[] = {hw->edges_fd, hw->timer_fd, hw->wake_fd};
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
    memcpy(opened->is_radio, settings->is_radio, sizeof opened->is_radio);
    opened->radio_requested = opened->has_requests = true;
    sensor_names_init(&opened->names, &settings->buttons);
    filters_init(&opened->filters, &settings->filters);
    pthread_mutex_init(&opened->read_lock, NULL);
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
    pthread_mutex_destroy(&hw->read_lock);
    pthread_mutex_destroy(&hw->lock);
    free(hw);
}
