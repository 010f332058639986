/* News from the bus: connections, acknowledgements, and what people and pages send. */
#include "common/log.h"
#include "internal.h"
#include "wire/wire.h"

#include <errno.h>
#include <string.h>

/* sim/PLACE/KIND with 0 or 1: a page can be the table, as long as its sensors are simulated. */
static void simulate(struct table *table, const char *path, const struct bus_news *news)
{
    char sensor[WIRE_SENSOR_SIZE];
    const char *payload = news->payload;
    bool is_level = news->size == 1 && (payload[0] == '0' || payload[0] == '1');

    if (table->config->hw.backend != BACKEND_SIM || news->retained) {
        return;
    }
    int error =
        is_level && wire_sensor_name(path, sensor)
            ? table->ports.sensors.simulate(table->ports.sensors.self, sensor, payload[0] == '1')
            : -EINVAL;
    if (error) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING, "sim/%.64s: %s", path,
                    error == -EAGAIN
                        ? "edges come faster than they can be read"
                        : "expected 0 or 1 on the topic of a sensor, such as sim/red-1/tilt");
    }
}

/* What follows the prefix in the topic, or NULL. */
static const char *behind(const char *topic, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(topic, prefix, length) == 0 ? topic + length : NULL;
}

static bool says(const struct bus_news *news, const char *text)
{
    return news->size == strlen(text) && memcmp(news->payload, text, news->size) == 0;
}

/*
 * Our own status comes back from the broker. An `offline` is the last will of a connection of ours
 * that the broker gave up late (after a power cut, for example), or that of another daemon with our
 * topics. Such a daemon gets one answer, so that it hears of us, too.
 */
static void hear_status(struct table *table, const struct bus_news *news)
{
    if (news->retained) {
        return; /* from before this connection */
    }
    if (says(news, "offline")) {
        publish_online(table);
    } else if (says(news, "online") && table->own_status > 0) {
        table->own_status--;
    } else if (says(news, "online") && !table->has_namesake) {
        table->has_namesake = true;
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "another daemon uses the topics %s# of this broker: give one of them another "
                    "[table] name",
                    table->base);
        publish_online(table);
    }
}

static void hear(struct table *table, const struct bus_news *news)
{
    const char *name = behind(news->topic, table->base);
    const char *verb = name ? behind(name, "command/") : NULL;
    const char *path = name ? behind(name, "sim/") : NULL;

    if (verb && table->config->mqtt.commands) {
        table_command(table, verb, news);
    } else if (path) {
        simulate(table, path, news);
    } else if (name && strcmp(name, "status") == 0) {
        hear_status(table, news);
    }
}

static void acknowledge_latest(struct table *table, struct latest *latest)
{
    if (latest->in_flight) {
        latest->in_flight--;
    }
    publish_changes(table);
}

static void acknowledge(struct table *table, uint32_t token)
{
    switch (token) {
    case TOKEN_STATE:
    case TOKEN_CHOICES:
    case TOKEN_SCORE:
        acknowledge_latest(table, &table->state);
        break;
    case TOKEN_READY:
        acknowledge_latest(table, &table->ready);
        break;
    case TOKEN_QUERY:
        table_query_acknowledged(table);
        break;
    default:
        outbox_acknowledged(&table->outbox, token);
        table_tell_losses(table);
        if (!journal_mark_is_written(table->journal)) {
            table_keep_house_soon(table);
        }
        break;
    }
    publish_watch(table);
}

void table_news(struct table *table, const struct bus_news *news)
{
    static struct log_limit connections;
    static struct log_limit refusals;

    switch (news->kind) {
    case BUS_CONNECTED:
        log_limited(&connections, LOG_LEVEL_NOTICE, "broker: connected%s%s",
                    news->reason ? ", " : "", news->reason ? news->reason : "");
        table->connected = true;
        table->own_status = 0;
        table->has_namesake = false;
        table_forget_queries(table);
        publish_everything(table);
        if (!table->end_is_unsafe) {
            outbox_connected(&table->outbox);
        }
        publish_watch(table);
        break;
    case BUS_DISCONNECTED:
        log_limited(&connections, LOG_LEVEL_WARNING, "%s", news->reason);
        table->connected = false;
        table_forget_queries(table);
        outbox_disconnected(&table->outbox);
        break;
    case BUS_REFUSED:
        log_limited(&refusals, LOG_LEVEL_WARNING, "%s", news->reason);
        break;
    case BUS_ACKNOWLEDGED:
        acknowledge(table, news->token);
        break;
    case BUS_MESSAGE:
        hear(table, news);
        break;
    }
}
