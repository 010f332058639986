#include "service.h"

#include "broker.h"
#include "common/exit_codes.h"
#include "common/log.h"
#include "common/notify.h"
#include "hw/clock.h"
#include "hw/hw.h"
#include "hw/sensor.h"
#include "mqtt/mqtt.h"
#include "paired_file.h"
#include "table/table.h"
#include "worker.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum {
    FACTS_AT_ONCE = 32,
    NEWS_AT_ONCE_US = 500,
    NOTIFY_AGAIN_US = 100000,
    WAIT_MAX_US = 600 * 1000000, /* without a deadline */
};

/* Writes the file of paired sensors; what follows the job belongs to it while it runs. */
struct pair_job {
    bool is_running;
    struct job job;
    uint16_t sensor;
    char source[INI_LINE_MAX]; /* "": it is removed */
    int error;
};

struct service {
    const struct options *options;
    struct config *config; /* in effect */
    struct config next;    /* being read */
    struct broker broker;
    struct sensor_names names;

    struct worker *worker;
    struct job reload_job; /* owns next while it runs */
    bool is_reloading;
    bool reloads_again; /* another SIGHUP came meanwhile */
    int reload_error;
    struct pair_job pair_job;

    struct disk disk;
    struct hw *hw;
    struct mqtt *mqtt;
    struct table *table;

    int signal_fd;
    bool is_ending;
    int code;                 /* to exit with, then */
    const char *unsent;       /* a state that could not be sent to systemd yet, or NULL */
    uint64_t notify_due_us;   /* when it is sent again */
    uint64_t watchdog_us;     /* 0: there is no watchdog */
    uint64_t watchdog_due_us; /* of the kernel's clock, as notify_due_us */
    uint64_t alive;           /* hw_alive when the watchdog was last fed */
};

/*
 * Ports of the table
 */

static uint64_t now_us(void *self)
{
    return hw_now_us(((struct service *)self)->hw);
}

static int64_t wall_ms(void *self)
{
    struct timespec now;

    (void)self;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Good enough for dice, and never blocks, even right after the boot. */
static uint32_t random_number(void)
{
    unsigned flags = GRND_INSECURE;
    uint32_t number;

    while (getrandom(&number, sizeof number, flags) != sizeof number) {
        flags = errno == EINVAL ? 0 : flags; /* a kernel before 5.6 */
    }
    return number;
}

/* Uniform: numbers that would favour small results are drawn again. */
static uint32_t draw(void *self, uint32_t below)
{
    uint32_t limit = UINT32_MAX - UINT32_MAX % below;
    uint32_t number;

    (void)self;
    do {
        number = random_number();
    } while (number >= limit);
    return number % below;
}

static void zero_rope(void *self)
{
    hw_zero_rope(((struct service *)self)->hw);
}

static void report_silent(void *self, uint16_t sensor)
{
    hw_report_silent(((struct service *)self)->hw, sensor);
}

static int simulate(void *self, const char *name, unsigned level)
{
    struct service *service = self;

    return hw_inject_edge(service->hw, sensor_named(&service->names, name), level);
}

static void set_radio(void *self, const bool is_radio[SENSOR_COUNT])
{
    hw_set_radio(((struct service *)self)->hw, is_radio);
}

static int put(void *self, const struct edge *edges, size_t count)
{
    return hw_put(((struct service *)self)->hw, edges, count);
}

static int pair(void *self, uint16_t sensor, const char *source);

static uint16_t named(void *self, const char *name)
{
    return (uint16_t)sensor_named(&((struct service *)self)->names, name);
}

static const char *name_of(void *self, uint16_t sensor)
{
    return sensor_name(&((struct service *)self)->names, sensor);
}

/*
 * The parts
 */

static void log_hw_problem(void *context, unsigned sensor, const char *message)
{
    const struct options *options = context;

    config_report_line(options->daemon.files, options->daemon.file_count, sensor, message,
                       log_file_problem, NULL);
}

static int open_hw(struct service *service)
{
    const struct config *config = service->config;
    struct hw_settings settings = {
        .backend = config->hw.backend == BACKEND_SIM ? HW_BACKEND_SIM : HW_BACKEND_GPIOD,
        .lines = config->hw.lines,
        .chip = config->hw.chip,
        .filters = config_filter_settings(config),
        .problem = log_hw_problem,
        .problem_context = (void *)service->options,
    };

    settings.buttons = config_button_names(config);
    snprintf(settings.record_path, sizeof settings.record_path, "%s", config->hw.record);
    sensor_names_init(&service->names, &settings.buttons);
    if (config_socket(config, settings.socket_path, sizeof settings.socket_path)) {
        log_error("[hw] socket: the path is too long");
        return EXIT_UNAVAILABLE;
    }
    if (hw_open(&service->hw, &settings)) {
        return EXIT_UNAVAILABLE;
    }
    if (config->hw.backend == BACKEND_SIM) {
        log_notice("the sensors are simulated, on %s; for real ones set [hw] backend = gpiod and "
                   "their lines",
                   settings.socket_path);
    }
    return EXIT_FINE;
}

/* Of this computer, or NULL. */
static const char *host_name(void)
{
    static char name[HOST_NAME_MAX + 1];

    return gethostname(name, sizeof name) == 0 && name[0] ? name : NULL;
}

static int open_table(struct service *service)
{
    const char *directory = service->options->daemon.state_directory;
    int error = disk_open(&service->disk, directory);

    if (!error) {
        error = worker_open(&service->worker);
    }
    if (!error) {
        error = table_open(&service->table, service->config,
                           &(struct table_ports){
                               .disk = &service->disk,
                               .jobs = worker_jobs(service->worker),
                               .bus = mqtt_bus(service->mqtt),
                               .clock = {service, now_us, wall_ms},
                               .random = {service, draw},
                               .sensors = {service, zero_rope, report_silent, simulate, set_radio,
                                           put, pair, name_of, named},
                               .host_name = host_name(),
                           });
    }
    if (error) {
        log_error("games cannot be kept in %s: %s", directory, strerror(-error));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
}

static int open_parts(struct service *service)
{
    int code = open_hw(service);

    if (!code) {
        code = broker_open(&service->broker, service->config, &service->mqtt);
    }
    return code ? code : open_table(service);
}

static bool close_parts(struct service *service)
{
    bool has_left = mqtt_close(service->mqtt);
    bool has_worked = worker_close(service->worker);

    hw_close(service->hw);
    if (has_worked) {
        table_close(service->table);
        disk_close(&service->disk);
    }
    return has_left && has_worked;
}

/*
 * Reload (SIGHUP): all of the new configuration that can take effect now does, or none of it
 */

static void notify(struct service *service, const char *state)
{
    service->unsent = notify_systemd(state) ? NULL : state;
    service->notify_due_us = monotonic_us() + NOTIFY_AGAIN_US;
}

static void log_change(void *context, const char *section, const char *key,
                       enum config_effect effect)
{
    (void)context;
    log_notice("[%s] %s has changed%s", section, key,
               effect == CONFIG_LIVE        ? " and is in force"
               : effect == CONFIG_NEXT_GAME ? "; it counts from the next game on"
                                            : "; it needs a restart");
}

static void read_files(void *self)
{
    struct service *service = self;

    service->reload_error =
        config_load_paired(service->options->daemon.files, service->options->daemon.file_count,
                           service->options->paired, &service->next, log_file_problem, NULL);
}

static void apply_config(struct service *service)
{
    if (config_update(service->config, &service->next, log_change, NULL) == CONFIG_SAME) {
        log_notice("the configuration has not changed");
    }
    struct filter_settings filters = config_filter_settings(service->config);
    hw_apply(service->hw, &filters);
    table_configured(service->table);
}

static void files_read(void *self);

static void begin_reading(struct service *service)
{
    struct jobs jobs = worker_jobs(service->worker);

    service->reload_job = (struct job){.self = service, .work = read_files, .done = files_read};
    int error = jobs.begin(jobs.self, &service->reload_job);
    service->is_reloading = error == 0;
    if (error) {
        log_error("the configuration stays as it was: %s", strerror(-error));
        notify(service, "READY=1");
    }
}

static void files_read(void *self)
{
    struct service *service = self;

    service->is_reloading = false;
    if (service->reloads_again) {
        service->reloads_again = false;
        begin_reading(service);
        return;
    }
    if (service->reload_error) {
        log_error("the configuration stays as it was");
    } else {
        apply_config(service);
    }
    notify(service, "READY=1");
}

static void reload(struct service *service)
{
    if (service->is_reloading) {
        service->reloads_again = true;
        return;
    }
    notify(service, "RELOADING=1");
    begin_reading(service);
}

/*
 * Paired sensors: the worker writes their file, and then the configuration is read again
 */

static void write_pairing(void *self)
{
    struct service *service = self;
    struct pair_job *job = &service->pair_job;

    job->error = paired_file_change(service->options, service->config, &service->disk, job->sensor,
                                    job->source[0] ? job->source : NULL, log_file_problem);
}

static void pairing_written(void *self)
{
    struct service *service = self;

    service->pair_job.is_running = false;
    if (!service->pair_job.error) {
        reload(service);
    }
    table_paired(service->table, service->pair_job.error);
}

static int pair(void *self, uint16_t sensor, const char *source)
{
    struct service *service = self;
    struct pair_job *job = &service->pair_job;
    struct jobs jobs = worker_jobs(service->worker);

    if (job->is_running) {
        return -EBUSY;
    }
    job->sensor = sensor;
    snprintf(job->source, sizeof job->source, "%s", source ? source : "");
    job->job = (struct job){.self = service, .work = write_pairing, .done = pairing_written};
    int error = jobs.begin(jobs.self, &job->job);
    job->is_running = !error;
    return error;
}

/*
 * The loop
 */

/* A recording stops only after edges, and those bring facts here. */
static void report_recording(struct service *service)
{
    int problem = hw_take_record_problem(service->hw);

    if (problem) {
        log_error("[hw] record, %s: %s; nothing more is recorded, and the game goes on",
                  service->config->hw.record,
                  problem == -EFBIG ? "the file has reached its limit" : strerror(-problem));
    }
}

static void take_facts(struct service *service, const struct fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        table_fact(service->table, &facts[i]);
    }
    report_recording(service);
}

/* Returns whether there were any: meanwhile others may have come. */
static bool take_queued_facts(struct service *service)
{
    struct fact facts[FACTS_AT_ONCE];
    size_t count = hw_take(service->hw, facts, FACTS_AT_ONCE);

    if (count) {
        take_facts(service, facts, count);
    }
    return count > 0;
}

static void take_edges(struct service *service)
{
    struct fact facts[FACTS_AT_ONCE];

    take_facts(service, facts, hw_read(service->hw, facts, FACTS_AT_ONCE));
    hw_finish(service->hw);
}

/*
 * Not for long, so that a flood of commands does not keep the sensors waiting. A message can be a
 * reading of a sensor, so there may be facts after each.
 */
static void take_news(struct service *service)
{
    uint64_t until_us = hw_now_us(service->hw) + NEWS_AT_ONCE_US;
    struct bus_news *news;

    while ((news = mqtt_take(service->mqtt))) {
        table_news(service->table, news);
        mqtt_release(news);
        take_queued_facts(service);
        if (mqtt_should_read(service->mqtt) || hw_now_us(service->hw) >= until_us) {
            return;
        }
    }
}

static void take_query(struct service *service)
{
    uint64_t due_us = table_query_due_us(service->table);
    struct bus_news *query =
        due_us && due_us <= hw_now_us(service->hw) ? mqtt_take_query(service->mqtt) : NULL;

    if (query) {
        table_news(service->table, query);
        mqtt_release(query);
    }
}

static void take_signal(struct service *service)
{
    struct signalfd_siginfo info;

    if (read(service->signal_fd, &info, sizeof info) != sizeof info) {
        return;
    }
    if (info.ssi_signo == SIGHUP) {
        reload(service);
    } else {
        service->is_ending = true;
    }
}

/* Fed only while this loop and the sensor thread are both alive. */
static void feed_watchdog(struct service *service)
{
    uint64_t alive = hw_alive(service->hw);

    if (alive != service->alive) {
        service->alive = alive;
        notify_systemd("WATCHDOG=1");
    }
    service->watchdog_due_us = monotonic_us() + service->watchdog_us / 4;
}

/*
 * Deadlines: those of the table by its own clock, those of systemd by the kernel's
 */

static uint64_t left_us(uint64_t due_us, uint64_t clock_us)
{
    return due_us > clock_us ? due_us - clock_us : 0;
}

static uint64_t table_left_us(const struct service *service)
{
    uint64_t due_us = table_deadline_us(service->table);
    uint64_t query_us = mqtt_has_query(service->mqtt) ? table_query_due_us(service->table) : 0;

    if (query_us && (!due_us || query_us < due_us)) {
        due_us = query_us;
    }
    return due_us ? left_us(due_us, hw_now_us(service->hw)) : UINT64_MAX;
}

static uint64_t systemd_left_us(const struct service *service)
{
    uint64_t due_us = service->unsent ? service->notify_due_us : UINT64_MAX;

    if (service->watchdog_us && service->watchdog_due_us < due_us) {
        due_us = service->watchdog_due_us;
    }
    return due_us == UINT64_MAX ? UINT64_MAX : left_us(due_us, monotonic_us());
}

/*
 * A fact that waits happened before a deadline that has just passed, and must not come too late. So
 * the table waits for another round after facts, whose syncs may have taken long.
 */
static void do_what_is_due(struct service *service, bool had_facts)
{
    if (!had_facts && table_left_us(service) == 0) {
        table_tick(service->table);
        take_query(service);
    }
    if (service->unsent && monotonic_us() >= service->notify_due_us) {
        notify(service, service->unsent);
    }
    if (service->watchdog_us && monotonic_us() >= service->watchdog_due_us) {
        feed_watchdog(service);
    }
}

/*
 * Waiting
 */

enum { EDGES, FACTS, WORKER, SIGNALS, NETWORK, FDS = NETWORK + MQTT_FDS };

/* How long the loop may wait; mqtt_ms: for the network, or -1. */
static struct timespec find_wait_time(const struct service *service, int mqtt_ms)
{
    uint64_t wait_us = table_left_us(service);
    uint64_t systemd_us = systemd_left_us(service);

    if (systemd_us < wait_us) {
        wait_us = systemd_us;
    }
    if (mqtt_ms >= 0 && (uint64_t)mqtt_ms * 1000 < wait_us) {
        wait_us = (uint64_t)mqtt_ms * 1000;
    }
    if (wait_us > WAIT_MAX_US) {
        wait_us = WAIT_MAX_US;
    }
    return (struct timespec){.tv_sec = (time_t)(wait_us / 1000000),
                             .tv_nsec = (long)(wait_us % 1000000 * 1000)};
}

/*
 * This thread reads edges only while it waits: no other thread has to be woken up for them then.
 * With messages still to be taken it does not wait.
 */
static void wait_for_all(struct service *service, struct pollfd fds[FDS])
{
    int mqtt_ms = mqtt_prepare(service->mqtt, fds + NETWORK);
    bool waits = !mqtt_has_more(service->mqtt);
    struct timespec wait = waits ? find_wait_time(service, mqtt_ms) : (struct timespec){0};

    fds[EDGES] = (struct pollfd){.fd = waits ? hw_edges_fd(service->hw) : -1, .events = POLLIN};
    fds[FACTS] = (struct pollfd){.fd = hw_fd(service->hw), .events = POLLIN};
    fds[WORKER] = (struct pollfd){.fd = worker_fd(service->worker), .events = POLLIN};
    fds[SIGNALS] = (struct pollfd){.fd = service->signal_fd, .events = POLLIN};
    if (waits) {
        hw_wait(service->hw);
    }
    int result = ppoll(fds, FDS, &wait, NULL);
    if (result < 0 && errno != EINTR) {
        log_error("the loop has failed: %s", strerror(errno));
        service->is_ending = true;
        service->code = EXIT_INTERNAL;
    }
    for (unsigned i = 0; result < 0 && i < FDS; i++) {
        fds[i].revents = 0;
    }
}

/*
 * Sensors first, messages last: nothing waits for a flood of them. Each part does only as much as
 * it can without delaying the others.
 */
static void run_once(struct service *service)
{
    struct pollfd fds[FDS];

    wait_for_all(service, fds);
    if (fds[EDGES].revents) {
        take_edges(service);
    }
    hw_work(service->hw);
    bool had_facts = take_queued_facts(service);
    do_what_is_due(service, had_facts);
    if (fds[WORKER].revents) {
        worker_finish(service->worker);
    }
    if (fds[SIGNALS].revents) {
        take_signal(service);
    }
    mqtt_work(service->mqtt, fds + NETWORK);
    take_news(service);
}

/* Before any thread starts, so that threads inherit it: the loop takes all signals. */
static int open_signals(struct service *service)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    service->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (service->signal_fd < 0) {
        log_error("signals cannot be received: %s", strerror(errno));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
}

static void run(struct service *service)
{
    service->watchdog_us = notify_watchdog_us();
    if (service->watchdog_us) {
        service->alive = hw_alive(service->hw);
        service->watchdog_due_us = monotonic_us() + service->watchdog_us / 4;
    }
    notify(service, "READY=1");
    while (!service->is_ending) {
        run_once(service);
    }
    notify_systemd("STOPPING=1");
}

int service_run(const struct options *options, struct config *config)
{
    struct service *service = calloc(1, sizeof *service);

    if (!service) {
        return EXIT_INTERNAL;
    }
    service->options = options;
    service->config = config;
    int code = open_signals(service);
    if (!code) {
        code = open_parts(service);
    }
    if (!code) {
        run(service);
        code = service->code;
    }
    if (!close_parts(service)) {
        _exit(code); /* a thread hangs and still uses the memory */
    }
    close(service->signal_fd);
    free(service);
    return code;
}
