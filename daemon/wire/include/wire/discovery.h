/*
 * Home Assistant discovery: what Zigbee2MQTT, ESPHome and OpenMQTTGateway announce about a binary
 * sensor, retained, on `homeassistant/binary_sensor/.../config`. Pure.
 */
#ifndef WIRE_DISCOVERY_H
#define WIRE_DISCOVERY_H

#include "wire/radio.h"

#define WIRE_DISCOVERY_TOPICS "homeassistant/binary_sensor/#"

struct discovered {
    char name[RADIO_TEXT_SIZE]; /* of the device, or of the sensor */
    struct radio_source source; /* topic, path and availability; the value that is active is open */
    bool is_supported;          /* its template, if it has one, names a member and nothing else */
};

/* False if the payload is not such an announcement, or its topics are too long. */
bool wire_read_discovery(const void *payload, size_t size, struct discovered *discovered);

#endif
