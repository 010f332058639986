/* The connection of the daemon to its broker, as the configuration wants it. */
#ifndef DAEMON_BROKER_H
#define DAEMON_BROKER_H

#include "config/config.h"
#include "mqtt/mqtt.h"
#include "table/table.h"

/* What the connector thread reads: a copy, because a reload changes the configuration. */
struct broker {
    struct mqtt_config config;
    char password[CONFIG_PASSWORD_SIZE];
    char client_id[TOPIC_SIZE];
    char status_topic[TOPIC_SIZE];
    char command_topics[TOPIC_SIZE];
    char sim_topics[TOPIC_SIZE];
    char queries[TABLE_QUERY_COUNT][TOPIC_SIZE];
};

/* broker outlives the connection. An exit code; what cannot be opened is logged. */
int broker_open(struct broker *broker, const struct config *config, struct mqtt **mqtt);

#endif
