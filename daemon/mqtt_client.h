/*
 * One connection to the broker, from its first try to its end. libmosquitto, its errors and its
 * callbacks are known to mqtt_client.c alone.
 */
#ifndef DAEMON_MQTT_CLIENT_H
#define DAEMON_MQTT_CLIENT_H

#include "daemon/mqtt.h"

enum { MQTT_REASON_SIZE = 200 };

/* Who listens. Called within mqtt_client_loop, on its thread. */
struct mqtt_listener {
    void *self;
    void (*connected)(void *self);
    void (*acknowledged)(void *self, int mid); /* the broker has it, or does not want it */
    void (*heard)(void *self, const struct bus_news *message);
    void (*refused)(void *self, const char *what); /* by the broker; once a connection */
};

struct mosquitto;

struct mqtt_client {
    struct mosquitto *mosquitto;
    const struct mqtt_settings *settings;
    struct mqtt_listener listener;
    bool speaks_old;               /* 3.1.1 */
    bool broker_is_old;            /* it refused MQTT 5: the next connection should be with 3.1.1 */
    bool has_complained;           /* of something that the broker refused */
    char reason[MQTT_REASON_SIZE]; /* why the connection failed; "" if it did not */
};

/* Once in a program, before the first and after the last client. */
void mqtt_library_open(void);
void mqtt_library_close(void);

/* Prepares a client. 0, or -errno and a reason: settings that can never work. */
int mqtt_client_open(struct mqtt_client *client, const struct mqtt_settings *settings,
                     const struct mqtt_listener *listener, bool speaks_old);

/* Waits for the name server and the broker. 0, or -errno and a reason. */
int mqtt_client_connect(struct mqtt_client *client);

/* Waits for news, of the broker or of our own publishing. 0, or -errno and a reason. */
int mqtt_client_loop(struct mqtt_client *client);

/* From any thread: 0 and its number, -ENOTCONN, or another -errno. */
int mqtt_client_publish(struct mqtt_client *client, const struct publication *it, int *mid);

/* From any thread: ends the connection. The last will is published if the broker can do that. */
void mqtt_client_leave(struct mqtt_client *client, bool with_will);

void mqtt_client_close(struct mqtt_client *client);

#endif
