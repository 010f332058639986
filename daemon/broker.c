#include "broker.h"

#include "common/exit_codes.h"
#include "common/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

enum {
    PROBLEM_SIZE = 256,
    ANSWER_MS = 10000,
    RETRY_MAX_MS = 60000,
    PACKET_MAX = 8 << 10, /* twice the largest command */
};

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

static void name_topics(struct broker *broker, const char *prefix, const char *table)
{
    snprintf(broker->status_topic, TOPIC_SIZE, "%s/%s/status", prefix, table);
    snprintf(broker->command_topics, TOPIC_SIZE, "%s/%s/command/+", prefix, table);
    snprintf(broker->sim_topics, TOPIC_SIZE, "%s/%s/sim/#", prefix, table);
    for (unsigned i = 0; i < TABLE_QUERY_COUNT; i++) {
        snprintf(broker->queries[i], TOPIC_SIZE, "%s/%s/command/%s", prefix, table,
                 table_queries[i]);
    }
}

int broker_open(struct broker *broker, const struct config *config, struct mqtt **mqtt)
{
    char problem[PROBLEM_SIZE];

    broker->config = config->mqtt;
    name_topics(broker, config->mqtt.prefix, config->table);
    name_client(broker->client_id, config->mqtt.client_id);
    if (config_check_files(&broker->config, log_file_problem, NULL) ||
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
        .answer_ms = ANSWER_MS,
        .retry_max_ms = RETRY_MAX_MS,
        .packet_max = PACKET_MAX,
        .will_topic = broker->status_topic,
        .subscriptions = {broker->command_topics, broker->sim_topics},
    };
    for (unsigned i = 0; i < TABLE_QUERY_COUNT; i++) {
        settings.queries[i] = broker->queries[i];
    }
    if (mqtt_open(mqtt, &settings, problem, sizeof problem)) {
        log_error("%s", problem);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_FINE;
}
