/* A new configuration (SIGHUP), or none of it. */
#include "common/log.h"
#include "config/config.h"
#include "service_inside.h"

#include <string.h>

void service_log_problem(void *context, const char *file, int line, const char *message)
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

static void read_files(void *self)
{
    struct service *service = self;

    service->reload_error = config_load(service->options->files, service->options->file_count,
                                        &service->next, service_log_problem, NULL);
}

static void put_in_force(struct service *service)
{
    if (config_update(&service->config, &service->next, log_change, NULL) == CONFIG_SAME) {
        log_notice("the configuration has not changed");
    }
    struct filter_settings filters = config_filter_settings(&service->config);
    hw_apply(service->hw, &filters);
    table_configured(service->table);
}

static void has_read_files(void *self);

static void begin_reading(struct service *service)
{
    struct jobs jobs = worker_jobs(service->worker);

    service->reload = (struct job){service, read_files, has_read_files};
    int error = jobs.begin(jobs.self, &service->reload);
    service->is_reloading = error == 0;
    if (error) {
        log_error("the configuration stays as it was: %s", strerror(-error));
        service_notify(service, "READY=1");
    }
}

static void has_read_files(void *self)
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
        put_in_force(service);
    }
    service_notify(service, "READY=1");
}

void service_reload(struct service *service)
{
    if (service->is_reloading) {
        service->reloads_again = true;
        return;
    }
    service_notify(service, "RELOADING=1");
    begin_reading(service);
}
