/* What the files of the service share: service.c, service_open.c, service_reload.c. */
#ifndef DAEMON_SERVICE_INSIDE_H
#define DAEMON_SERVICE_INSIDE_H

#include "hw/hw.h"
#include "hw/sensor.h"
#include "mqtt/mqtt.h"
#include "service.h"
#include "table/table.h"
#include "worker.h"

/* What the connecting thread reads as long as it runs, whatever becomes of the configuration. */
struct broker_settings {
    struct mqtt_config config;
    char password[CONFIG_PASSWORD_SIZE];
    char client_id[TOPIC_SIZE];
    char status_topic[TOPIC_SIZE];
    char command_topics[TOPIC_SIZE];
    char sim_topics[TOPIC_SIZE];
};

struct service {
    const struct options *options;
    struct config config; /* in force */
    struct config next;   /* being read */
    struct broker_settings broker;
    struct sensor_names names;

    struct worker *worker;
    struct job reload; /* reads next, which is its own meanwhile */
    bool is_reloading;
    bool reloads_again; /* somebody asked for it meanwhile */
    int reload_error;

    struct disk disk;
    struct hw *hw;
    struct mqtt *mqtt;
    struct table *table;

    struct sd_event *loop;
    struct sd_event_source *deadline;
    struct sd_event_source *more_news; /* enabled while what was heard waits to be taken */
    struct sd_event_source *notify_again;
    const char *unsent;   /* a state that systemd has not been told yet, or NULL */
    uint64_t watchdog_us; /* 0: nobody watches */
    uint64_t alive;       /* signs of life of the sensor thread when the watchdog was last fed */
};

/* service_open.c: sensors, broker and table, in this order. EXIT_FINE, or another exit code. */
int service_open_parts(struct service *service);

/* Accepts what is open in part. False when a thread hangs that still needs the service. */
bool service_close_parts(struct service *service);

/*
 * service_reload.c: lets the worker read the files again; then all of it comes into force that can,
 * or none. The unit is reloading from the first call until nothing more is to be read.
 */
void service_reload(struct service *service);

/* service.c: tells systemd a state, a constant, as soon as its socket has room. */
void service_notify(struct service *service, const char *state);

/* A config_problem_fn that logs. */
void service_log_problem(void *context, const char *file, int line, const char *message);

#endif
