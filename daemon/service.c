#include "daemon/service.h"

#include "daemon/exit_codes.h"
#include "daemon/log.h"
#include "daemon/mqtt.h"
#include "daemon/table.h"
#include "hw/hw.h"
#include "hw/sensor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <time.h>

enum { FACTS_AT_ONCE = 32, PASSWORD_SIZE = 256, PROBLEM_SIZE = 256 };

struct service {
    const struct options *options;
    struct config configs[2]; /* the one in force, and the one being read */
    unsigned in_force;
    struct sensor_names names;
    char password[PASSWORD_SIZE];
    char client_id[TOPIC_SIZE];
    char topics[3][TOPIC_SIZE]; /* status, commands, simulated sensors */

    struct disk disk;
    struct hw *hw;
    struct mqtt *mqtt;
    struct table *table;

    sd_event *loop;
    sd_event_source *deadline;
    uint64_t watchdog_us; /* 0: nobody watches */
    uint64_t alive;       /* signs of life of the sensor thread when the watchdog was last fed */
};

/*
 * The world, as the table sees it
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

/* An even draw: the few numbers that would favour the small results are drawn again. */
static uint32_t draw(void *self, uint32_t below)
{
    uint32_t unfair = UINT32_MAX - UINT32_MAX % below;
    uint32_t number;

    (void)self;
    do {
        while (getrandom(&number, sizeof number, 0) != sizeof number) {
        }
    } while (number >= unfair);
    return number % below;
}

static void zero_rope(void *self)
{
    hw_zero_rope(((struct service *)self)->hw);
}

static int simulate(void *self, const char *name, unsigned level)
{
    struct service *service = self;

    return hw_inject_edge(service->hw, sensor_named(&service->names, name), level);
}

static const char *name_of(void *self, uint16_t sensor)
{
    return sensor_name(&((struct service *)self)->names, sensor);
}

/*
 * The loop
 */

/* One timer for all that the table waits for; set again after everything that may have moved it. */
static void set_deadline(struct service *service)
{
    uint64_t due_us = table_deadline_us(service->table);
    uint64_t table_now_us = now_us(service);
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
    set_deadline(service);
    return 0;
}

/* One at a time, so that a flood of commands does not keep the sensors waiting. */
static int on_news(sd_event_source *source, int fd, uint32_t events, void *self)
{
    struct service *service = self;
    struct bus_news *news = mqtt_take(service->mqtt);

    (void)source;
    (void)fd;
    (void)events;
    if (news) {
        table_news(service->table, news);
        mqtt_release(news);
    }
    set_deadline(service);
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

/* Fed by this loop, and only while the sensor thread shows signs of life, too. */
static int on_watchdog(sd_event_source *source, uint64_t at_us, void *self)
{
    struct service *service = self;
    uint64_t alive = hw_alive(service->hw);

    if (alive != service->alive) {
        service->alive = alive;
        sd_notify(0, "WATCHDOG=1");
    }
    sd_event_source_set_time(source, at_us + service->watchdog_us / 4);
    sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
    return 0;
}

/*
 * A new configuration (SIGHUP), or none of it
 */

static struct filter_settings filter_settings(const struct config *config)
{
    return (struct filter_settings){
        .tilt_settle_ms = config->timing.tilt_settle_ms,
        .beam_min_us = config->timing.beam_min_us,
        .button_ms = config->timing.button_ms,
        .stuck_s = config->timing.stuck_s,
        .beam_gap_um = config->hw.beam_gap_um,
        .two_beams = config->hw.lines[SENSOR_CANNON_BEAM2].fitted,
        .counts_per_knot = config->hw.counts_per_knot,
        .rope_reverse = config->hw.rope_reverse,
    };
}

static void log_problem(void *context, const char *file, int line, const char *message)
{
    (void)context;
    if (line > 0) {
        log_error("%s:%d: %s", file, line, message);
    } else {
        log_error("%s: %s", file, message);
    }
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

/* What cannot change while we run stays as it is, so that nobody reads what is not in force. */
static void keep_until_restart(const struct config *current, struct config *next)
{
    struct config kept = *current;

    kept.mqtt.commands = next->mqtt.commands;
    kept.setup = next->setup;
    kept.autostart = next->autostart;
    kept.timing = next->timing;
    kept.hw.beam_gap_um = next->hw.beam_gap_um;
    kept.hw.counts_per_knot = next->hw.counts_per_knot;
    kept.hw.rope_reverse = next->hw.rope_reverse;
    for (unsigned i = 0; i < current->hw.button_count && i < next->hw.button_count; i++) {
        if (strcmp(current->hw.buttons[i].name, next->hw.buttons[i].name) == 0) {
            kept.hw.buttons[i] = next->hw.buttons[i];
        }
    }
    *next = kept;
}

static int on_reload(sd_event_source *source, const struct signalfd_siginfo *info, void *self)
{
    struct service *service = self;
    const struct config *current = &service->configs[service->in_force];
    struct config *next = &service->configs[!service->in_force];

    (void)source;
    (void)info;
    sd_notify(0, "RELOADING=1");
    if (config_load(service->options->files, service->options->file_count, next, log_problem,
                    NULL)) {
        log_error("the configuration stays as it was");
    } else {
        if (config_compare(current, next, log_change, NULL) == CONFIG_SAME) {
            log_notice("nothing has changed in the configuration");
        }
        keep_until_restart(current, next);
        struct filter_settings filters = filter_settings(next);
        hw_apply(service->hw, &filters);
        table_configure(service->table, next);
        service->in_force = !service->in_force;
    }
    sd_notify(0, "READY=1");
    return 0;
}

/*
 * Opening the parts
 */

static void log_hw_problem(void *context, const char *message)
{
    (void)context;
    log_error("%s", message);
}

static int open_hw(struct service *service)
{
    const struct config *config = &service->configs[0];
    struct hw_settings settings = {
        .backend = config->hw.backend == BACKEND_SIM ? HW_BACKEND_SIM : HW_BACKEND_GPIOD,
        .lines = config->hw.lines,
        .chip = config->hw.chip,
        .filters = filter_settings(config),
        .problem = log_hw_problem,
    };

    settings.buttons.count = config->hw.button_count;
    for (unsigned i = 0; i < config->hw.button_count; i++) {
        snprintf(settings.buttons.name[i], sizeof settings.buttons.name[i], "%.*s",
                 BUTTON_NAME_SIZE - 1, config->hw.buttons[i].name);
    }
    snprintf(settings.record_path, sizeof settings.record_path, "%s", config->hw.record);
    sensor_names_init(&service->names, &settings.buttons);
    if (config_socket(config, settings.socket_path, sizeof settings.socket_path)) {
        log_error("[hw] socket: the path is too long");
        return EXIT_UNAVAILABLE;
    }
    return hw_open(&service->hw, &settings) ? EXIT_UNAVAILABLE : EXIT_FINE;
}

/* The first line of the password file, if there is to be one. 0 or -errno. */
static int read_password(struct service *service, const char *path)
{
    FILE *file = path[0] ? fopen(path, "re") : NULL;

    if (!file) {
        return path[0] ? -errno : 0;
    }
    if (fgets(service->password, sizeof service->password, file)) {
        service->password[strcspn(service->password, "\r\n")] = '\0';
    }
    fclose(file);
    return 0;
}

static int open_mqtt(struct service *service)
{
    const struct config *config = &service->configs[0];
    const struct mqtt_config *mqtt = &config->mqtt;
    static const char *const names[] = {"status", "command/+", "sim/+"};
    char problem[PROBLEM_SIZE];

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(service->topics[i], sizeof service->topics[i], "%.120s/%.100s/%s", mqtt->prefix,
                 config->table, names[i]);
    }
    snprintf(service->client_id, sizeof service->client_id, "%.120s-%.100s", mqtt->prefix,
             config->table);
    int error = read_password(service, mqtt->password_file);
    if (error) {
        log_error("password file %s: %s", mqtt->password_file, strerror(-error));
        return EXIT_UNAVAILABLE;
    }
    if (mqtt_open(&service->mqtt,
                  &(struct mqtt_settings){
                      .host = mqtt->host,
                      .port = mqtt->port,
                      .client_id = mqtt->client_id[0] ? mqtt->client_id : service->client_id,
                      .username = mqtt->username,
                      .password = service->password,
                      .tls_ca = mqtt->tls_ca,
                      .tls_cert = mqtt->tls_cert,
                      .tls_key = mqtt->tls_key,
                      .will_topic = service->topics[0],
                      .subscriptions = {service->topics[1], service->topics[2]},
                  },
                  problem, sizeof problem)) {
        log_error("%s", problem);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_FINE;
}

static int open_table(struct service *service)
{
    const char *directory = service->options->state_directory;
    int error = disk_open(&service->disk, directory);

    if (!error) {
        error = table_open(&service->table, &service->configs[0],
                           &(struct table_ports){
                               .disk = &service->disk,
                               .bus = mqtt_bus(service->mqtt),
                               .clock = {service, now_us, wall_ms},
                               .lots = {service, draw},
                               .sensors = {service, zero_rope, simulate, name_of},
                           });
    }
    if (error) {
        log_error("games cannot be kept in %s: %s", directory, strerror(-error));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
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
        error =
            sd_event_add_io(service->loop, NULL, mqtt_fd(service->mqtt), EPOLLIN, on_news, service);
    }
    if (error >= 0) {
        error = sd_event_add_time(service->loop, &service->deadline, CLOCK_MONOTONIC, 0, 1,
                                  on_deadline, service);
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
    sd_notify(0, "READY=1");
    int result = sd_event_loop(service->loop);
    sd_notify(0, "STOPPING=1");
    if (result < 0) {
        log_error("the loop has failed: %s", strerror(-result));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
}

static void close_all(struct service *service)
{
    mqtt_close(service->mqtt);
    hw_close(service->hw);
    table_close(service->table);
    disk_close(&service->disk);
    sd_event_source_disable_unref(service->deadline);
    sd_event_unref(service->loop);
}

int service_run(const struct options *options, const struct config *config)
{
    struct service *service = calloc(1, sizeof *service);

    if (!service) {
        return EXIT_INTERNAL;
    }
    service->options = options;
    service->configs[0] = *config;
    block_signals();
    int code = open_hw(service);
    if (!code) {
        code = open_mqtt(service);
    }
    if (!code) {
        code = open_table(service);
    }
    if (!code) {
        code = open_loop(service);
    }
    if (!code) {
        code = run(service);
    }
    close_all(service);
    free(service);
    return code;
}
