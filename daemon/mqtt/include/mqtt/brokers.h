/*
 * A list of brokers, such as `a.local, b.local:1884, [fe80::1]:1885`. A broker without a port has
 * the port of the settings.
 */
#ifndef MQTT_BROKERS_H
#define MQTT_BROKERS_H

#include <stdint.h>

enum { MQTT_HOST_SIZE = 256, MQTT_BROKER_NAME_SIZE = MQTT_HOST_SIZE + 8 };

struct mqtt_broker {
    char host[MQTT_HOST_SIZE]; /* without brackets */
    uint16_t port;
    char name[MQTT_BROKER_NAME_SIZE]; /* HOST:PORT, for messages */
};

/* At least 1: an empty list has one broker, which no name server knows. */
unsigned mqtt_broker_count(const char *list);

/* The broker at this place, from 0; after the last comes the first again. */
struct mqtt_broker mqtt_broker_at(const char *list, unsigned place, uint16_t default_port);

#endif
