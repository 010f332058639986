/* The thread that reads the sensors, and what the others ask of it. */
#include "hw_inside.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>

enum { EDGES_AT_ONCE = 64 };

uint64_t backend_clock_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* The last fact that found no room, or NULL; the list is still needed for it. */
static const struct fact *push_facts(struct hw *hw)
{
    const struct fact *lost = NULL;

    pthread_mutex_lock(&hw->lock);
    size_t waiting = hw->queue.count;
    for (unsigned i = 0; i < hw->facts.count; i++) {
        const struct fact *fact = &hw->facts.facts[i];
        bool is_outdated = fact->kind == FACT_ROPE_AT && hw->zero_wanted;
        if (!is_outdated && !queue_push(&hw->queue, fact)) {
            lost = fact;
        }
    }
    bool is_news = waiting == 0 && hw->queue.count > 0;
    pthread_mutex_unlock(&hw->lock);
    /* Not under the lock, or whoever wakes up would first have to wait for it. */
    if (is_news) {
        eventfd_write(hw->facts_fd, 1);
    }
    return lost;
}

/* A sensor that fills the queue is ill, or somebody plays with it; that finds room always. */
static void hand_over(struct hw *hw)
{
    const struct fact *lost = push_facts(hw);

    hw->facts.count = 0;
    if (lost) {
        filters_complain(&hw->filters, lost->sensor, HEALTH_CHATTERING, lost->at_us, &hw->facts);
        push_facts(hw);
        hw->facts.count = 0;
    }
}

/* Whether the thread goes on. */
static bool follow_orders(struct hw *hw)
{
    pthread_mutex_lock(&hw->lock);
    bool apply = hw->apply_wanted;
    bool zero = hw->zero_wanted;
    bool stop = hw->stop_wanted;
    bool suspects[SENSOR_COUNT];
    struct filter_settings settings = hw->settings;
    hw->apply_wanted = false;
    hw->zero_wanted = false;
    memcpy(suspects, hw->suspects, sizeof suspects);
    memset(hw->suspects, 0, sizeof hw->suspects);
    hw->alive++;
    pthread_mutex_unlock(&hw->lock);
    if (apply) {
        filters_apply(&hw->filters, &settings);
    }
    if (zero) {
        filters_zero_rope(&hw->filters, hw_now_us(hw), &hw->facts);
    }
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        if (suspects[sensor]) {
            filters_complain(&hw->filters, sensor, HEALTH_SILENT, hw_now_us(hw), &hw->facts);
        }
    }
    return !stop;
}

static void hear_news(struct hw *hw, uint64_t now_us)
{
    struct line_news news;

    while (hw->backend.news && hw->backend.news(hw->backend.self, &news)) {
        filters_line_news(&hw->filters, &news, now_us, &hw->facts);
        hand_over(hw);
    }
}

/* Whether there may be more to read. */
static bool read_edges(struct hw *hw)
{
    struct edge edges[EDGES_AT_ONCE];
    /* Taken before the reading: what happened until then has been read when time is told. */
    uint64_t now_us = hw_now_us(hw);
    size_t count = hw->backend.read(hw->backend.self, edges, EDGES_AT_ONCE);

    edges_sort(edges, count);
    recorder_write(hw->recorder, edges, count);
    for (size_t i = 0; i < count; i++) {
        filters_edge(&hw->filters, &edges[i], &hw->facts);
        hand_over(hw);
    }
    hear_news(hw, now_us);
    if (count < EDGES_AT_ONCE) {
        filters_tick(&hw->filters, now_us, &hw->facts);
        hand_over(hw);
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
        uint64_t at_us = backend_clock_us() + wait_us;
        timer.it_value.tv_sec = (time_t)(at_us / 1000000);
        timer.it_value.tv_nsec = (long)(at_us % 1000000 * 1000);
    }
    timerfd_settime(hw->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

void *hw_run(void *context)
{
    struct hw *hw = context;
    bool more = false;

    set_timer(hw);
    while (true) {
        struct epoll_event events[3];
        eventfd_t count;

        epoll_wait(hw->epoll_fd, events, 3, more ? 0 : -1);
        eventfd_read(hw->wake_fd, &count);
        if (!follow_orders(hw)) {
            return NULL;
        }
        more = read_edges(hw);
        set_timer(hw);
    }
}

int hw_fd(const struct hw *hw)
{
    return hw->facts_fd;
}

/* The descriptor is readable as long as the queue is not empty. */
static void calm_fd(struct hw *hw)
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
    calm_fd(hw);
    pthread_mutex_unlock(&hw->lock);
    return taken;
}

uint64_t hw_now_us(const struct hw *hw)
{
    return hw->backend.now_us(hw->backend.self);
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
    calm_fd(hw);
    hw->zero_wanted = true;
    pthread_mutex_unlock(&hw->lock);
    eventfd_write(hw->wake_fd, 1);
}

void hw_suspect(struct hw *hw, unsigned sensor)
{
    if (sensor >= SENSOR_COUNT) {
        return;
    }
    pthread_mutex_lock(&hw->lock);
    hw->suspects[sensor] = true;
    pthread_mutex_unlock(&hw->lock);
    eventfd_write(hw->wake_fd, 1);
}

void hw_apply(struct hw *hw, const struct filter_settings *settings)
{
    pthread_mutex_lock(&hw->lock);
    hw->settings = *settings;
    hw->apply_wanted = true;
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
