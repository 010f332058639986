/* The loop, and who is called by it. */
#include "common/exit_codes.h"
#include "common/log.h"
#include "notify.h"
#include "service_inside.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <unistd.h>

enum { FACTS_AT_ONCE = 32, NOTIFY_AGAIN_US = 100000 };

/* One timer for all that the table waits for; set again after everything that may have moved it. */
static void set_deadline(struct service *service)
{
    uint64_t due_us = table_deadline_us(service->table);
    uint64_t table_now_us = hw_now_us(service->hw);
    uint64_t loop_now_us;

    if (!due_us) {
        sd_event_source_set_enabled(service->deadline, SD_EVENT_OFF);
        return;
    }
    sd_event_now(service->loop, CLOCK_MONOTONIC, &loop_now_us);
    sd_event_source_set_time(service->deadline,
                             loop_now_us + (due_us > table_now_us ? due_us - table_now_us : 0));
    sd_event_source_set_enabled(service->deadline, SD_EVENT_ONESHOT);
}

/* A recording stops only after edges, which are heard of here. */
static void report_recording(struct service *service)
{
    int problem = hw_take_record_problem(service->hw);

    if (problem) {
        log_error("[hw] record, %s: %s; nothing more is recorded, and the game goes on",
                  service->config.hw.record,
                  problem == -EFBIG ? "the file has reached its limit" : strerror(-problem));
    }
}

static int on_facts(sd_event_source *source, int fd, uint32_t events, void *self)
{
    struct service *service = self;
    struct fact facts[FACTS_AT_ONCE];
    size_t count = hw_take(service->hw, facts, FACTS_AT_ONCE);

    (void)source;
    (void)fd;
    (void)events;
    for (size_t i = 0; i < count; i++) {
        table_fact(service->table, &facts[i]);
    }
    report_recording(service);
    set_deadline(service);
    return 0;
}

/* One command at a time, so that a flood of them does not keep the sensors waiting. */
static void take_news(struct service *service)
{
    bool is_message = false;

    do {
        struct bus_news *news = mqtt_take(service->mqtt);
        if (news) {
            is_message = news->kind == BUS_MESSAGE;
            table_news(service->table, news);
            mqtt_release(news);
        }
    } while (mqtt_has_more(service->mqtt) && !is_message);
    sd_event_source_set_enabled(service->more_news,
                                mqtt_has_more(service->mqtt) ? SD_EVENT_ON : SD_EVENT_OFF);
    set_deadline(service);
}

static int on_network(sd_event_source *source, int fd, uint32_t events, void *self)
{
    (void)source;
    (void)fd;
    (void)events;
    take_news(self);
    return 0;
}

static int on_more_news(sd_event_source *source, void *self)
{
    (void)source;
    take_news(self);
    return 0;
}

static int on_deadline(sd_event_source *source, uint64_t at_us, void *self)
{
    struct service *service = self;

    (void)source;
    (void)at_us;
    table_tick(service->table);
    set_deadline(service);
    return 0;
}

void service_notify(struct service *service, const char *state)
{
    bool is_sent = notify_systemd(state);

    service->unsent = is_sent ? NULL : state;
    sd_event_source_set_time_relative(service->notify_again, NOTIFY_AGAIN_US);
    sd_event_source_set_enabled(service->notify_again, is_sent ? SD_EVENT_OFF : SD_EVENT_ONESHOT);
}

static int on_notify_again(sd_event_source *source, uint64_t at_us, void *self)
{
    struct service *service = self;

    (void)source;
    (void)at_us;
    if (service->unsent) {
        service_notify(service, service->unsent);
    }
    return 0;
}

/* Fed by this loop, and only while the sensor thread shows signs of life, too. */
static int on_watchdog(sd_event_source *source, uint64_t at_us, void *self)
{
    struct service *service = self;
    uint64_t alive = hw_alive(service->hw);

    if (alive != service->alive) {
        service->alive = alive;
        notify_systemd("WATCHDOG=1");
    }
    sd_event_source_set_time(source, at_us + service->watchdog_us / 4);
    sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
    return 0;
}

static int on_reload(sd_event_source *source, const struct signalfd_siginfo *info, void *self)
{
    (void)source;
    (void)info;
    service_reload(self);
    return 0;
}

static int on_worked(sd_event_source *source, int fd, uint32_t events, void *self)
{
    struct service *service = self;

    (void)source;
    (void)fd;
    (void)events;
    worker_finish(service->worker);
    set_deadline(service);
    return 0;
}

static int watch_watchdog(struct service *service)
{
    uint64_t loop_now_us;

    if (sd_watchdog_enabled(0, &service->watchdog_us) <= 0) {
        return 0;
    }
    hw_alive(service->hw);
    sd_event_now(service->loop, CLOCK_MONOTONIC, &loop_now_us);
    return sd_event_add_time(service->loop, NULL, CLOCK_MONOTONIC,
                             loop_now_us + service->watchdog_us / 4, 0, on_watchdog, service);
}

/* Sensors before the broker: an edge must not wait for a flood of messages. */
static int open_loop(struct service *service)
{
    sd_event_source *facts = NULL;
    int error = sd_event_default(&service->loop);

    if (error >= 0) {
        error =
            sd_event_add_io(service->loop, &facts, hw_fd(service->hw), EPOLLIN, on_facts, service);
    }
    if (error >= 0) {
        error = sd_event_source_set_priority(facts, SD_EVENT_PRIORITY_IMPORTANT);
        sd_event_source_set_floating(facts, true);
        sd_event_source_unref(facts);
    }
    if (error >= 0) {
        error = sd_event_add_io(service->loop, NULL, mqtt_fd(service->mqtt), EPOLLIN, on_network,
                                service);
    }
    if (error >= 0) {
        error = sd_event_add_defer(service->loop, &service->more_news, on_more_news, service);
    }
    if (error >= 0) {
        error = sd_event_add_io(service->loop, NULL, worker_fd(service->worker), EPOLLIN, on_worked,
                                service);
    }
    if (error >= 0) {
        error = sd_event_add_time(service->loop, &service->deadline, CLOCK_MONOTONIC, 0, 1,
                                  on_deadline, service);
    }
    if (error >= 0) {
        error = sd_event_add_time(service->loop, &service->notify_again, CLOCK_MONOTONIC, 0, 1,
                                  on_notify_again, service);
    }
    if (error >= 0) {
        error = sd_event_add_signal(service->loop, NULL, SIGHUP, on_reload, service);
    }
    if (error >= 0) {
        error = sd_event_add_signal(service->loop, NULL, SIGTERM, NULL, NULL);
    }
    if (error >= 0) {
        error = sd_event_add_signal(service->loop, NULL, SIGINT, NULL, NULL);
    }
    if (error >= 0) {
        error = watch_watchdog(service);
    }
    if (error < 0) {
        log_error("the loop cannot start: %s", strerror(-error));
    }
    return error < 0 ? EXIT_INTERNAL : EXIT_FINE;
}

/* Before any thread starts, so that they inherit it: signals are for the loop alone. */
static void block_signals(void)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int run(struct service *service)
{
    set_deadline(service);
    service_notify(service, "READY=1");
    int result = sd_event_loop(service->loop);
    notify_systemd("STOPPING=1");
    if (result < 0) {
        log_error("the loop has failed: %s", strerror(-result));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
}

int service_run(const struct options *options, const struct config *config)
{
    struct service *service = calloc(1, sizeof *service);

    if (!service) {
        return EXIT_INTERNAL;
    }
    service->options = options;
    service->config = *config;
    mallopt(M_ARENA_MAX, 1); /* no thread allocates so often that a heap of its own would pay */
    block_signals();
    int code = service_open_parts(service);
    if (!code) {
        code = open_loop(service);
    }
    if (!code) {
        code = run(service);
    }
    sd_event_source_disable_unref(service->deadline);
    sd_event_source_disable_unref(service->more_news);
    sd_event_source_disable_unref(service->notify_again);
    sd_event_unref(service->loop);
    if (!service_close_parts(service)) {
        _exit(code); /* under a thread that hangs nothing is freed */
    }
    free(service);
    return code;
}
