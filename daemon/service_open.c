/* Opening the parts, and the world as the table sees it. */
#include "common/exit_codes.h"
#include "common/log.h"
#include "config/config.h"
#include "service_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    PROBLEM_SIZE = 256,
    BROKER_ANSWER_MS = 10000,
    BROKER_RETRY_MAX_MS = 60000,
    BROKER_PACKET_MAX = 64 << 10,
};

/*
 * The world
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

/* Good enough for dice, and never waits, however short ago the machine has started. */
static uint32_t random_number(void)
{
    unsigned flags = GRND_INSECURE;
    uint32_t number;

    while (getrandom(&number, sizeof number, flags) != sizeof number) {
        flags = errno == EINVAL ? 0 : flags; /* a kernel before 5.6 */
    }
    return number;
}

/* An even draw: the few numbers that would favour the small results are drawn again. */
static uint32_t draw(void *self, uint32_t below)
{
    uint32_t unfair = UINT32_MAX - UINT32_MAX % below;
    uint32_t number;

    (void)self;
    do {
        number = random_number();
    } while (number >= unfair);
    return number % below;
}

static void zero_rope(void *self)
{
    hw_zero_rope(((struct service *)self)->hw);
}

static void suspect(void *self, uint16_t sensor)
{
    hw_report_silent(((struct service *)self)->hw, sensor);
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
 * The parts
 */

static void log_hw_problem(void *context, unsigned sensor, const char *message)
{
    const struct options *options = context;

    config_report_line(options->files, options->file_count, sensor, message, service_log_problem,
                       NULL);
}

static int open_hw(struct service *service)
{
    const struct config *config = &service->config;
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
    name_client(broker->client_id, config->mqtt.client_id);
}

static int open_mqtt(struct service *service)
{
    struct broker_settings *broker = &service->broker;
    char problem[PROBLEM_SIZE];

    set_broker(broker, &service->config);
    if (config_check_files(&broker->config, service_log_problem, NULL) ||
        config_read_password(&broker->config, broker->password)) {
        return EXIT_UNAVAILABLE;
    }
    struct mqtt_settings settings = {
        .host = broker->config.host,
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
    if (mqtt_open(&service->mqtt, &settings, problem, sizeof problem)) {
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
        error = worker_open(&service->worker);
    }
    if (!error) {
        error = table_open(&service->table, &service->config,
                           &(struct table_ports){
                               .disk = &service->disk,
                               .jobs = worker_jobs(service->worker),
                               .bus = mqtt_bus(service->mqtt),
                               .clock = {service, now_us, wall_ms},
                               .random = {service, draw},
                               .sensors = {service, zero_rope, suspect, simulate, name_of},
                           });
    }
    if (error) {
        log_error("games cannot be kept in %s: %s", directory, strerror(-error));
        return EXIT_INTERNAL;
    }
    return EXIT_FINE;
}

int service_open_parts(struct service *service)
{
    int code = open_hw(service);

    if (!code) {
        code = open_mqtt(service);
    }
    return code ? code : open_table(service);
}

bool service_close_parts(struct service *service)
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
