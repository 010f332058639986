#include "service.h"

#include "common/exit_codes.h"
#include "common/log.h"
#include "common/notify.h"
#include "hw/hw.h"
#include "hw/sensor.h"
#include "mqtt/mqtt.h"
#include "paired_file.h"
#include "table/table.h"
#include "worker.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <time.h>
#include <unistd.h>

enum {
    PROBLEM_SIZE = 256,
    BROKER_ANSWER_MS = 10000,
    BROKER_RETRY_MAX_MS = 60000,
    BROKER_PACKET_MAX = 8 << 10, /* twice the largest command */
    FACTS_AT_ONCE = 32,
    NEWS_AT_ONCE_US = 500,
    NOTIFY_AGAIN_US = 100000,
};

/* What the connector thread reads: a copy, because a reload changes the configuration. */
struct broker_settings {
    struct mqtt_config config;
    char password[CONFIG_PASSWORD_SIZE];
    char client_id[TOPIC_SIZE];
    char status_topic[TOPIC_SIZE];
    char command_topics[TOPIC_SIZE];
    char sim_topics[TOPIC_SIZE];
    char queries[TABLE_QUERY_COUNT][TOPIC_SIZE];
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
    struct broker_settings broker;
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

    struct sd_event *loop;
    int wait_fd; /* edges, and all that the loop waits for */
    struct sd_event_source *deadline;
    struct sd_event_source *more_news; /* enabled while messages wait to be taken */
    struct sd_event_source *notify_again;
    const char *unsent;   /* a state that could not be sent to systemd yet, or NULL */
    uint64_t watchdog_us; /* 0: there is no watchdog */
    uint64_t alive;       /* hw_alive when the watchdog was last fed */
};

static void log_problem(void *context, const char *file, int line, const char *message)
{
    (void)context;
    if (line > 0) {
        log_error("%s:%d: %s", file, line, message);
    } else {
        log_error("%s: %s", file, message);
    }
}

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
                       log_problem, NULL);
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

/*
 * A client that connects with the id of another one ends its connection, so the default is an id
 * that nobody can guess. It stays the same until the daemon ends: a broker that has not noticed the
 * end of a connection drops it, with its last will, when the next one begins.
 */
static void name_client(char id[TOPIC_SIZE], const char *configured)
{
    enum { RANDOM_DIGITS = 15 }; /* every broker accepts 23 letters and digits */
    uint64_t random = 0;

    if (configured[0]) {
        snprintf(id, TOPIC_SIZE, "%s", configured);
        return;
    }
    (void)!getrandom(&random, sizeof random, 0);
    snprintf(id, TOPIC_SIZE, "shipahoy%0*" PRIx64, RANDOM_DIGITS, random >> 4);
}

static void set_broker(struct broker_settings *broker, const struct config *config)
{
    const char *prefix = config->mqtt.prefix;
    const char *table = config->table;

    broker->config = config->mqtt;
    snprintf(broker->status_topic, TOPIC_SIZE, "%s/%s/status", prefix, table);
    snprintf(broker->command_topics, TOPIC_SIZE, "%s/%s/command/+", prefix, table);
    snprintf(broker->sim_topics, TOPIC_SIZE, "%s/%s/sim/#", prefix, table);
    for (unsigned i = 0; i < TABLE_QUERY_COUNT; i++) {
        snprintf(broker->queries[i], TOPIC_SIZE, "%s/%s/command/%s", prefix, table,
                 table_queries[i]);
    }
    name_client(broker->client_id, config->mqtt.client_id);
}

static int open_mqtt(struct service *service)
{
    struct broker_settings *broker = &service->broker;
    char problem[PROBLEM_SIZE];

    set_broker(broker, service->config);
    if (config_check_files(&broker->config, log_problem, NULL) ||
        config_read_password(&broker->config, broker->password)) {
        return EXIT_UNAVAILABLE;
    }
    struct mqtt_settings settings = {
        .hosts = broker->config.host,
        .port = broker->config.port,
        .client_id = broker->client_id,
        .username = broker->config.username,
        .password = broker->password,
        .tls_ca = broker->config.tls_ca,
        .tls_cert = broker->config.tls_cert,
        .tls_key = broker->config.tls_key,
        .answer_ms = BROKER_ANSWER_MS,
        .retry_max_ms = BROKER_RETRY_MAX_MS,
        .packet_max = BROKER_PACKET_MAX,
        .will_topic = broker->status_topic,
        .subscriptions = {broker->command_topics, broker->sim_topics},
    };
    for (unsigned i = 0; i < TABLE_QUERY_COUNT; i++) {
        settings.queries[i] = broker->queries[i];
    }
    if (mqtt_open(&service->mqtt, &settings, problem, sizeof problem)) {
        log_error("%s", problem);
        return EXIT_UNAVAILABLE;
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
        code = open_mqtt(service);
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
    bool is_sent = notify_systemd(state);

    service->unsent = is_sent ? NULL : state;
    sd_event_source_set_time_relative(service->notify_again, NOTIFY_AGAIN_US);
    sd_event_source_set_enabled(service->notify_again, is_sent ? SD_EVENT_OFF : SD_EVENT_ONESHOT);
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
                           service->options->paired, &service->next, log_problem, NULL);
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
                                    job->source[0] ? job->source : NULL, log_problem);
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

static uint64_t next_deadline_us(const struct service *service)
{
    uint64_t due_us = table_deadline_us(service->table);
    uint64_t query_us = mqtt_has_query(service->mqtt) ? table_query_due_us(service->table) : 0;

    return query_us && (!due_us || query_us < due_us) ? query_us : due_us;
}

/* One timer for all deadlines; set again after everything that may change them. */
static void set_deadline(struct service *service)
{
    uint64_t due_us = next_deadline_us(service);
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

/*
 * A broker on the same processor has the event before this thread does the rest, which nobody waits
 * for. Without anything to run instead, the yield takes less than a microsecond.
 */
static void take_facts(struct service *service, const struct fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        table_fact(service->table, &facts[i]);
    }
    sched_yield();
    report_recording(service);
    set_deadline(service);
}

static int on_facts(sd_event_source *source, int fd, uint32_t events, void *self)
{
    struct service *service = self;
    struct fact facts[FACTS_AT_ONCE];

    (void)source;
    (void)fd;
    (void)events;
    take_facts(service, facts, hw_take(service->hw, facts, FACTS_AT_ONCE));
    return 0;
}

/* Not for long, so that a flood of commands does not keep the sensors waiting. */
static void take_news(struct service *service)
{
    uint64_t until_us = hw_now_us(service->hw) + NEWS_AT_ONCE_US;

    mqtt_read(service->mqtt);
    do {
        struct bus_news *news = mqtt_take(service->mqtt);
        if (news) {
            table_news(service->table, news);
            mqtt_release(news);
        }
    } while (mqtt_has_more(service->mqtt) && !mqtt_should_read(service->mqtt) &&
             hw_now_us(service->hw) < until_us);
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

static int on_deadline(sd_event_source *source, uint64_t at_us, void *self)
{
    struct service *service = self;

    (void)source;
    (void)at_us;
    table_tick(service->table);
    take_query(service);
    set_deadline(service);
    return 0;
}

static int on_notify_again(sd_event_source *source, uint64_t at_us, void *self)
{
    struct service *service = self;

    (void)source;
    (void)at_us;
    if (service->unsent) {
        notify(service, service->unsent);
    }
    return 0;
}

/* Fed only while this loop and the sensor thread are both alive. */
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
    reload(self);
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

static int open_wait(struct service *service)
{
    int fds[] = {hw_edges_fd(service->hw), sd_event_get_fd(service->loop)};

    service->wait_fd = epoll_create1(EPOLL_CLOEXEC);
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fds[i]};
        if (epoll_ctl(service->wait_fd, EPOLL_CTL_ADD, fds[i], &event)) {
            return -errno;
        }
    }
    return 0;
}

static int add_io(struct service *service, int fd, sd_event_io_handler_t handler, int64_t priority)
{
    sd_event_source *source = NULL;
    int error = sd_event_add_io(service->loop, &source, fd, EPOLLIN, handler, service);

    if (error >= 0) {
        error = sd_event_source_set_priority(source, priority);
        sd_event_source_set_floating(source, true);
        sd_event_source_unref(source);
    }
    return error;
}

/*
 * Sensors first, messages last: nothing must wait for a flood of them. At the same priority nothing
 * else would come while messages wait, because more_news is always the one that waits longest, and
 * each message sets the deadline anew.
 */
static int open_loop(struct service *service)
{
    int error = sd_event_default(&service->loop);

    if (error >= 0) {
        error = add_io(service, hw_fd(service->hw), on_facts, SD_EVENT_PRIORITY_IMPORTANT);
    }
    if (error >= 0) {
        error = add_io(service, mqtt_fd(service->mqtt), on_network, SD_EVENT_PRIORITY_IDLE);
    }
    if (error >= 0) {
        error = sd_event_add_defer(service->loop, &service->more_news, on_more_news, service);
    }
    if (error >= 0) {
        error = sd_event_source_set_priority(service->more_news, SD_EVENT_PRIORITY_IDLE);
    }
    if (error >= 0) {
        error = add_io(service, worker_fd(service->worker), on_worked, SD_EVENT_PRIORITY_NORMAL);
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
    if (error >= 0) {
        error = open_wait(service);
    }
    if (error < 0) {
        log_error("the loop cannot start: %s", strerror(-error));
    }
    return error < 0 ? EXIT_INTERNAL : EXIT_FINE;
}

/* Before any thread starts, so that threads inherit it: the loop takes all signals. */
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

/*
 * Waits until the loop has something to handle. This thread reads edges meanwhile: their facts
 * bypass the loop, because nothing is as urgent.
 */
static void wait_and_read(struct service *service)
{
    struct epoll_event ready[2];
    struct fact facts[FACTS_AT_ONCE];

    hw_wait(service->hw);
    int count = epoll_wait(service->wait_fd, ready, 2, -1);
    for (int i = 0; i < count; i++) {
        if (ready[i].data.fd == hw_edges_fd(service->hw)) {
            take_facts(service, facts, hw_read(service->hw, facts, FACTS_AT_ONCE));
            hw_finish(service->hw);
        }
    }
    hw_work(service->hw);
}

static int run_once(struct service *service)
{
    int result = sd_event_prepare(service->loop);

    if (result == 0) {
        wait_and_read(service);
        result = sd_event_wait(service->loop, 0);
    }
    return result > 0 ? sd_event_dispatch(service->loop) : result;
}

static int run(struct service *service)
{
    int result = 0;

    set_deadline(service);
    notify(service, "READY=1");
    while (result >= 0 && sd_event_get_state(service->loop) != SD_EVENT_FINISHED) {
        result = run_once(service);
    }
    notify_systemd("STOPPING=1");
    if (result < 0) {
        log_error("the loop has failed: %s", strerror(-result));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
}

int service_run(const struct options *options, struct config *config)
{
    struct service *service = calloc(1, sizeof *service);

    if (!service) {
        return EXIT_INTERNAL;
    }
    service->options = options;
    service->config = config;
    service->wait_fd = -1;
    block_signals();
    int code = open_parts(service);
    if (!code) {
        code = open_loop(service);
    }
    if (!code) {
        code = run(service);
    }
    sd_event_source_disable_unref(service->deadline);
    sd_event_source_disable_unref(service->more_news);
    sd_event_source_disable_unref(service->notify_again);
    close(service->wait_fd);
    sd_event_unref(service->loop);
    if (!close_parts(service)) {
        _exit(code); /* a thread hangs and still uses the memory */
    }
    free(service);
    return code;
}
