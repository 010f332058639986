/* Opening the sensors, and closing them. */
#include "hw/regular_file.h"
#include "hw_inside.h"
#include "real.h"
#include "rules/text.h"
#include "sim.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int start_thread(struct hw *hw)
{
    sigset_t all;
    sigset_t before;

    /* Signals are the main thread's business. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&hw->thread, NULL, hw_run, hw);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        hw->running = true;
        pthread_setname_np(hw->thread, "sensors");
    }
    return -error;
}

/* A settings->problem for those who do not want to know. */
static void keep_quiet(void *context, unsigned sensor, const char *message)
{
    (void)context;
    (void)sensor;
    (void)message;
}

static int tell_file(const struct hw_settings *settings, const char *what, const char *path,
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

/* Simulated pieces stand until somebody moves them; real ones may have fallen at any time. */
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
        return real_open(&hw->backend, settings->chip, settings->lines, &hw->names,
                         settings->problem ? settings->problem : keep_quiet,
                         settings->problem_context);
    }
    return tell_file(settings, "simulated sensors, socket ", settings->socket_path,
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
        error = tell_file(settings, "[hw] record, ", settings->record_path,
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

static void close_fd(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

void hw_close(struct hw *hw)
{
    if (!hw) {
        return;
    }
    if (hw->running) {
        pthread_mutex_lock(&hw->lock);
        hw->stop_wanted = true;
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
